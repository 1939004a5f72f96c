import { sqsContract } from "../contract/sqs-contract.ts";
import { MOTO, startMoto } from "./moto.ts";
import { MOTO_DIFFERENCES } from "./moto-differences.ts";
import { INSTALL_LIMIT_MS } from "./server-install.ts";
import { sqsPeer } from "./sqs-peer.ts";

sqsContract(`moto ${MOTO.version}`, () => sqsPeer(startMoto()), {
  differences: MOTO_DIFFERENCES,
  limitMs: 10_000,
  startLimitMs: INSTALL_LIMIT_MS,
});
