import { join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { clustersInContext, ReconcilerPlatform, readControllers } from "tidegate/cdk";

/** What the handlers of some controllers read. */
const ENVIRONMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // The zone file stands in for a DNS service. Functions can write below /tmp only, each for itself.
  website: { ZONE: "example.com", ZONE_FILE: join("/tmp", "zone.json") },
};

const app = new App();
const stack = new Stack(app, "Tidegate");
const controllers = await readControllers("functions");

for (const cluster of clustersInContext(stack)) {
  const platform = new ReconcilerPlatform(stack, cluster.name, { cluster });
  for (const { controller, entry } of controllers) {
    const environment = ENVIRONMENTS[controller.name] ?? {};
    platform.addController(controller, { entry, environment });
  }
}
