import type { SQSClient } from "@aws-sdk/client-sqs";
import type { SqsCore } from "../../local/sqs-core.ts";

/** The SDK's client as far as the adapters use it, over queues in memory. */
export function createMemorySqsClient(core: SqsCore): SQSClient {
  const send = (
    command: { readonly constructor: { readonly name: string }; readonly input: object },
    { abortSignal }: { abortSignal?: AbortSignal } = {},
  ) =>
    core.call(command.constructor.name.replace(/Command$/, ""), command.input, {
      ...(abortSignal && { signal: abortSignal }),
    });
  return { send } as unknown as SQSClient;
}
