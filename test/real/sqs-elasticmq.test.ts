import { sqsContract } from "../contract/sqs-contract.ts";
import { ELASTICMQ, startElasticMq } from "./elasticmq.ts";
import { ELASTICMQ_DIFFERENCES } from "./elasticmq-differences.ts";
import { INSTALL_LIMIT_MS } from "./server-install.ts";
import { sqsPeer } from "./sqs-peer.ts";

sqsContract(`ElasticMQ ${ELASTICMQ.version}`, () => sqsPeer(startElasticMq()), {
  differences: ELASTICMQ_DIFFERENCES,
  limitMs: 10_000,
  startLimitMs: INSTALL_LIMIT_MS,
});
