import { expect, test } from "@jest/globals";
import { readEnvironment } from "../../watcher/environment.ts";
import { loadControllers } from "../../watcher/load-controllers.ts";

const whole = {
  TIDEGATE_TABLE: "tidegate",
  TIDEGATE_CLUSTER: "dev",
  TIDEGATE_QUEUE_URLS: '{"website":"https://sqs.example.com/1/website.fifo"}',
};

test("the environment of a pod is read, with its defaults", () => {
  const pod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
  expect(readEnvironment({ ...whole, ...pod, TIDEGATE_POD_NAME: "watcher-1" })).toEqual({
    table: "tidegate",
    cluster: "dev",
    queueUrls: new Map([["website", "https://sqs.example.com/1/website.fifo"]]),
    port: 8080,
    podName: "watcher-1",
    kubernetesHost: "10.0.0.1",
    kubernetesPort: "443",
  });
});

test("everything that is wrong is told in one line", () => {
  expect(() => readEnvironment({ TIDEGATE_QUEUE_URLS: "[1]", TIDEGATE_PORT: "http" })).toThrow(
    "cannot start the watcher: expected TIDEGATE_TABLE to be set, and TIDEGATE_CLUSTER to be set, " +
      "and TIDEGATE_QUEUE_URLS to be JSON { controller: URL }, got [1], and TIDEGATE_PORT to be a port, got http",
  );
});

test("a file that is missing, or exports no controller, is named", async () => {
  await expect(loadControllers(["/nowhere/controller.ts"])).rejects.toThrow(
    "cannot load /nowhere/controller.ts: ",
  );
  await expect(loadControllers([import.meta.filename])).rejects.toThrow(
    /^cannot load .*environment.test.ts: /,
  );
  await expect(loadControllers([])).rejects.toThrow("expected the files of controllers");
});
