import type { EventSourceMappingConfiguration, LambdaClient } from "@aws-sdk/client-lambda";
import { AWS_TIMEOUTS, type AwsClientOptions } from "../shared/queue/aws-client-options.ts";
import { queueNames } from "../shared/queue/queue-names.ts";
import { createSqsClient } from "../shared/queue/sqs-client.ts";
import { tellFailures } from "./operate-aws-error.ts";
import type { PauseSwitch, RunState } from "./operate-pause.ts";
import { queueArn } from "./operate-queues.ts";

/** Where the mappings of a cluster's queues are. */
export interface MappingPlace {
  readonly aws: AwsClientOptions;
  readonly cluster: string;
}

/** Pauses a controller by the `Enabled` of the event source mapping from its queue to its function. */
export function createMappingSwitch(place: MappingPlace): PauseSwitch {
  return {
    what: "event source mapping",
    state: (controller) =>
      withMappings(place, controller, async (_lambda, mappings) => stateOf(mappings)),
    set: (controller, paused) =>
      withMappings(place, controller, async (lambda, mappings) => {
        if (mappings.length === 0) throw noMapping(place, controller);
        const { UpdateEventSourceMappingCommand } = await import("@aws-sdk/client-lambda");
        for (const { UUID } of mappings) {
          await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: !paused }));
        }
      }),
  };
}

async function withMappings<T>(
  { aws, cluster }: MappingPlace,
  controller: string,
  work: (lambda: LambdaClient, mappings: readonly EventSourceMappingConfiguration[]) => Promise<T>,
): Promise<T> {
  const { LambdaClient, paginateListEventSourceMappings } = await import("@aws-sdk/client-lambda");
  const lambda = new LambdaClient({ ...aws, requestHandler: AWS_TIMEOUTS });
  const sqs = createSqsClient(aws);
  tellFailures(lambda, "Lambda");
  tellFailures(sqs, "SQS");
  try {
    const EventSourceArn = await queueArn(sqs, queueNames(cluster, controller).queue);
    const mappings: EventSourceMappingConfiguration[] = [];
    for await (const page of paginateListEventSourceMappings(
      { client: lambda },
      { EventSourceArn },
    ))
      mappings.push(...(page.EventSourceMappings ?? []));
    return await work(lambda, mappings);
  } finally {
    lambda.destroy();
    sqs.destroy();
  }
}

/** The states that stop are told before those that run: a queue may have more than one function. */
function stateOf(mappings: readonly EventSourceMappingConfiguration[]): RunState {
  const states = mappings.map(({ State = "" }) => State);
  if (states.length === 0) return "missing";
  if (states.every((state) => state === "Disabled" || state === "Deleting")) return "paused";
  return states.some((state) => state === "Disabling") ? "pausing" : "running";
}

function noMapping({ cluster }: MappingPlace, controller: string): Error {
  const { queue } = queueNames(cluster, controller);
  return new Error(
    `cannot find what runs controller ${controller}: expected an event source mapping of queue ${queue}, got none; deploy it, or check --cluster and --region`,
  );
}
