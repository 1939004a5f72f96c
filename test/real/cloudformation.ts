import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** An answer as CloudFormation gets it. */
export interface Answered {
  readonly Status: string;
  readonly Reason?: string;
  readonly PhysicalResourceId: string;
  readonly Data?: Readonly<Record<string, string>>;
}

export interface CloudFormation {
  /** Where it takes answers. */
  readonly answerUrl: string;
  /** Where objects of S3 are read, by path. */
  readonly s3Url: string;
  readonly objects: Map<string, string>;
  /** All that it was told. */
  readonly answers: Answered[];
  /** So many answers get lost: they are taken, and the sender is told of a failure. */
  lose: number;
  readonly stop: () => Promise<void>;
}

/** What a custom resource's function meets of AWS, on loopback: the URL for its answer, and S3. */
export async function startCloudFormation(): Promise<CloudFormation> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === "PUT") {
        made.answers.push(JSON.parse(body) as Answered);
        response.statusCode = made.lose > 0 ? 503 : 200;
        made.lose = Math.max(0, made.lose - 1);
        response.end();
        return;
      }
      const found = made.objects.get(request.url ?? "");
      response.statusCode = found === undefined ? 404 : 200;
      response.end(found ?? "<Error><Code>NoSuchKey</Code></Error>");
    });
  });
  const url = await listening(server);
  const made: CloudFormation = {
    answerUrl: `${url}/answer`,
    s3Url: url,
    objects: new Map(),
    answers: [],
    lose: 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return made;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
