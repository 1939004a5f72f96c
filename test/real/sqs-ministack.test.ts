import { sqsContract } from "../contract/sqs-contract.ts";
import { MINISTACK, startMiniStack } from "./ministack.ts";
import { MINISTACK_DIFFERENCES } from "./ministack-differences.ts";
import { INSTALL_LIMIT_MS } from "./server-install.ts";
import { sqsPeer } from "./sqs-peer.ts";

sqsContract(`MiniStack ${MINISTACK.version}`, () => sqsPeer(startMiniStack()), {
  differences: MINISTACK_DIFFERENCES,
  limitMs: 10_000,
  startLimitMs: INSTALL_LIMIT_MS,
});
