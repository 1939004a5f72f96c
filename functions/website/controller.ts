import {
  ConfigMap,
  changed,
  Deployment,
  defineController,
  generationChanged,
  own,
  Service,
  watch,
} from "tidegate";
import { Website } from "./resource.ts";

export const websiteController = defineController({
  name: "website",
  for: Website,
  predicate: generationChanged,
  owns: [Deployment, own(Service, { predicate: changed((service) => service.spec) })],
  watches: [watch(ConfigMap, { usedBy: (website: Website) => website.spec.contentFrom })],
  finalizer: "web.example.com/dns",
  maxConcurrentReconciles: 50,
  timeoutSeconds: 30,
});
