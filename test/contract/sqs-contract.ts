import type { SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe } from "@jest/globals";
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

/** Tests that a service does what Tidegate needs of SQS, through the real SDK; no wait is above 3 s. */
export function sqsContract(name: string, start: () => Promise<SqsPeer>): void {
  describe(name, () => {
    let peer: SqsPeer | undefined;
    beforeAll(async () => {
      peer = await start();
    });
    afterAll(async () => {
      await peer?.close();
    });
    const current = () => {
      if (!peer) throw new Error(`testing ${name}: expected it to be started`);
      return peer;
    };
    for (const part of PARTS) part(current);
  });
}

const PARTS: readonly ((current: CurrentPeer) => void)[] = [
  fifoContract,
  dedupContract,
  acknowledgeContract,
  pollContract,
  queueContract,
  errorContract,
];
