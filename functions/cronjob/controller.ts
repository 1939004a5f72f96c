import { changed, defineController, generationChanged, Job, own, use } from "tidegate";
import { CronJob } from "./resource.ts";

export const cronJobController = defineController({
  name: "cronjob",
  for: CronJob,
  predicate: generationChanged,
  // A job that ends makes room for the next one; its counts of pods say nothing to us.
  owns: [own(Job, { predicate: changed((job) => job.status?.conditions) })],
  uses: [use(Job, "list", "delete")],
});
