import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** What of a client of AWS is the same in all of them. */
export type AnyAwsClient = Pick<DynamoDBClient, "middlewareStack">;

/** The names of errors of which the SDK's own text says neither what was asked nor what to do, with what to do. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^(Timeout|Abort)Error$|^ECONN|^ENOTFOUND$|^EAI_AGAIN$|^EHOSTUNREACH$|^ENETUNREACH$|^ETIMEDOUT$|^ERR_SSL|^EPROTO$/,
    "check the network, the region and AWS_ENDPOINT_URL",
  ],
  [
    /^(CredentialsProviderError|TokenProviderError|ExpiredToken.*|InvalidClientTokenId|UnrecognizedClientException|InvalidSignatureException|SignatureDoesNotMatch)$/,
    "check AWS_PROFILE and the credentials of your environment",
  ],
  [/^AccessDenied/, "grant it to these credentials, or use others (AWS_PROFILE)"],
];

/** Puts what was asked of which service into failures of network, credentials and rights, and what to do. */
export function tellFailures(client: object, service: string): void {
  (client as AnyAwsClient).middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        try {
          return await next(args);
        } catch (error) {
          throw told(error, `cannot ask ${service} (${commandName.replace(/Command$/, "")})`);
        }
      },
    { step: "initialize", name: "tellFailures", priority: "high" },
  );
}

function told(error: unknown, what: string): unknown {
  if (!(error instanceof Error)) return error;
  const { code = "" } = error as NodeJS.ErrnoException;
  if (error.message === "Region is missing") {
    error.message = `${what}: expected a region, got none; name one with --region or AWS_REGION`;
    return error;
  }
  const advice = ADVICE.find(([names]) => names.test(error.name) || names.test(code))?.[1];
  // Calls at once can have one failure between them, that of the credentials: it is told once.
  if (advice !== undefined && !error.message.startsWith("cannot ")) {
    error.message = `${what}: ${plain(error) || code || error.name}; ${advice}`;
  }
  return error;
}

/** Of a time limit the SDK tells its own setting. */
function plain({ name, message }: Error): string {
  return name === "TimeoutError" ? "expected an answer within seconds, got none" : message;
}
