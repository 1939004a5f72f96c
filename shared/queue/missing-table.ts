import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** Puts the name of a table that is not there into the error, which says only "resource", and what to do. */
export function nameMissingTables(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (error instanceof Error && error.name === "ResourceNotFoundException") {
          error.message = `cannot use table ${tableOf(args.input)}: expected it to be there, got ${error.name}; make it again, as a deploy does, and start the watcher anew, so that every object runs once more`;
        }
        throw error;
      }
    },
    { step: "initialize", name: "nameMissingTables" },
  );
}

function tableOf(input: object): string {
  const { TableName, RequestItems = {} } = input as {
    readonly TableName?: string;
    readonly RequestItems?: object;
  };
  return TableName ?? Object.keys(RequestItems).join(", ");
}
