declare module "dynalite" {
  import type { Server } from "node:http";

  /** An HTTP server that speaks DynamoDB's protocol. Without `path` it keeps its tables in memory. */
  export default function dynalite(options?: {
    readonly path?: string;
    readonly createTableMs?: number;
    readonly deleteTableMs?: number;
    readonly updateTableMs?: number;
  }): Server;
}
