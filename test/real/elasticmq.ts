import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AwsServer, startAwsServer } from "./aws-server.ts";
import { installServer } from "./server-install.ts";

export const ELASTICMQ = { name: "elasticmq", version: "1.7.1" };

/** Copies what a pom.xml depends on. */
const COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/**
 * Starts ElasticMQ (https://github.com/softwaremill/elasticmq), an SQS in Scala, with empty state in
 * memory on a free port. The first start on a machine installs it; rejects with one line where there
 * is no Maven or its repository does not answer.
 */
export async function startElasticMq(): Promise<AwsServer> {
  const folder = await installElasticMq();
  const settings = {
    "rest-sqs.bind-hostname": "127.0.0.1",
    "rest-sqs.bind-port": "0",
    "node-address.host": "127.0.0.1",
    "generate-node-address": "true", // Queue URLs have the port that it got.
    "rest-stats.enabled": "false",
  };
  return startAwsServer({
    name: ELASTICMQ.name,
    command: "java",
    args: [
      ...Object.entries(settings).map(([name, value]) => `-D${name}=${value}`),
      "-cp",
      join(folder, "*"),
      "org.elasticmq.server.Main",
    ],
  });
}

async function installElasticMq(): Promise<string> {
  return installServer(ELASTICMQ, async (unfinished, step) => {
    const pom = join(unfinished, "pom.xml");
    await writeFile(pom, POM);
    await step("java", ["-version"], "Java 11 or newer; install a JDK");
    await step(
      "mvn",
      [
        "--quiet",
        "--batch-mode",
        "-Dstyle.color=never",
        "--file",
        pom,
        COPY,
        `-DoutputDirectory=${unfinished}`,
      ],
      "Maven and its repository to answer; install Maven, or check its settings.xml",
    );
  });
}

const POM = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>tidegate</groupId>
  <artifactId>elasticmq</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.elasticmq</groupId>
      <artifactId>elasticmq-server_3</artifactId>
      <version>${ELASTICMQ.version}</version>
    </dependency>
  </dependencies>
</project>
`;
