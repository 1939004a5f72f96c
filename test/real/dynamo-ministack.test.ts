import { dynamoContract } from "../contract/dynamo-contract.ts";
import { MINISTACK, startMiniStack } from "./ministack.ts";
import { INSTALL_LIMIT_MS } from "./server-install.ts";

dynamoContract(`MiniStack ${MINISTACK.version}`, startMiniStack, {
  startLimitMs: INSTALL_LIMIT_MS,
});
