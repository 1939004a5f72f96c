import type { SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, test } from "@jest/globals";
import { acknowledgeContract } from "./sqs-contract-acknowledge.ts";
import { dedupContract } from "./sqs-contract-dedup.ts";
import { errorContract } from "./sqs-contract-error.ts";
import { fifoContract } from "./sqs-contract-fifo.ts";
import { pollContract } from "./sqs-contract-poll.ts";
import { queueContract } from "./sqs-contract-queue.ts";

/** An SQS service to test. */
export interface SqsPeer {
  readonly client: SQSClient;
  /** Lets time pass for the service: a virtual clock moves, or the promise takes as long. */
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What all parts of the contract use: the service is started once, each test makes its own queues. */
export type CurrentPeer = () => SqsPeer;

/** Adds one test of the contract. */
export type Scenario = (name: string, body: () => Promise<void>) => void;

/** A scenario that a service fails, where AWS's documentation is on the side of the contract. */
export interface SqsDifference {
  readonly scenario: string;
  /** What the service does instead. */
  readonly instead: string;
  /** Where AWS says what the contract asks for. */
  readonly source: string;
}

export interface SqsContractOptions {
  /** Each has to be a scenario that fails: one that passes, or that does not exist, fails the test. */
  readonly differences?: readonly SqsDifference[];
  /** Of one test, milliseconds; default 5,000. */
  readonly limitMs?: number;
  /** Of the start of the service, milliseconds; default 5,000. */
  readonly startLimitMs?: number;
}

/**
 * Tests that a service does what Tidegate needs of SQS, through the real SDK; no wait is above 3 s.
 * Where differences are known, it prints how many scenarios passed: Jest counts those that fail, too.
 */
export function sqsContract(
  name: string,
  start: () => Promise<SqsPeer>,
  { differences = [], limitMs, startLimitMs }: SqsContractOptions = {},
): void {
  describe(name, () => {
    let peer: SqsPeer | undefined;
    let scenarios = 0;
    let passed = 0;
    beforeAll(async () => {
      peer = await start();
    }, startLimitMs);
    afterAll(async () => {
      await peer?.close();
      if (differences.length > 0) tell(`${name}: ${passed} of ${scenarios} checks pass`);
    });
    const current = () => {
      if (!peer) throw new Error(`testing ${name}: expected it to be started`);
      return peer;
    };
    const known = new Set(differences.map(({ scenario }) => scenario));
    const scenario: Scenario = (title, body) => {
      // One that is listed must fail as long as it is: its source says what AWS does instead.
      const add = known.delete(title) ? test.failing : test;
      const counted = async () => {
        await body();
        passed += 1;
      };
      add(title, counted, limitMs);
      scenarios += 1;
    };
    for (const part of PARTS) part(current, scenario);
    if (known.size > 0) throw new Error(`no scenarios ${[...known].join("; ")}: unlist them`);
  });
}

const PARTS: readonly ((current: CurrentPeer, test: Scenario) => void)[] = [
  fifoContract,
  dedupContract,
  acknowledgeContract,
  pollContract,
  queueContract,
  errorContract,
];

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
