// The table server, in a process of its own: node crash-table-program.ts FOLDER PORT
import { startDynamoDbServer } from "../../local/dynamodb-server.ts";

const [dir = "", port = "0"] = process.argv.slice(2);
process.once("disconnect", () => process.exit(0));
await startDynamoDbServer({ dir, port: Number(port) });
console.log("ready");
