import { dynamoContract } from "../contract/dynamo-contract.ts";
import { MOTO, startMoto } from "./moto.ts";
import { INSTALL_LIMIT_MS } from "./server-install.ts";

// Threads would let two conditional writes of one item succeed, which DynamoDB never does:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithItems.html
const start = () => startMoto({ threaded: false });

dynamoContract(`moto ${MOTO.version}`, start, { startLimitMs: INSTALL_LIMIT_MS });
