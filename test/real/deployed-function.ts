import { randomUUID } from "node:crypto";
import type { SQSClient } from "@aws-sdk/client-sqs";
import { FunctionPool } from "../../local/function-pool.ts";
import { runFunction } from "../../local/function-runner.ts";
import type { Mapping } from "../../shared/api/mapping.ts";
import { systemClock } from "../../shared/clock.ts";

export interface DeployedFunction {
  readonly name: string;
  /** The bundle's `index.mjs`. */
  readonly handlerFile: string;
  readonly queueUrl: string;
  readonly timeoutSeconds: number;
  readonly mapping: Mapping;
  readonly env: Readonly<Record<string, string>>;
  readonly sqs: SQSClient;
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Works off a queue with a bundle, as event source mapping and Lambda do. Returns how to stop it,
 * which resolves to the lines that the function printed.
 */
export function startDeployed(deployed: DeployedFunction): () => Promise<readonly string[]> {
  const { name, handlerFile, timeoutSeconds, env, queueUrl, mapping, sqs } = deployed;
  const lines: string[] = [];
  const clock = systemClock;
  const spec = { name, handlerFile, timeoutSeconds, env };
  const print = (line: string) => void lines.push(line);
  const pool = new FunctionPool({ spec, clock, newId: randomUUID, print }, 1);
  const stopping = new AbortController();
  const options = { name, queueUrl, mapping: () => mapping, ensureQueue: async () => {} };
  const running = runFunction({ ...options, pool, sqs, clock, log: silent }, stopping.signal);
  return async () => {
    stopping.abort();
    await running;
    pool.close();
    return lines;
  };
}
