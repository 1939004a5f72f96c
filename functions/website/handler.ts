import { reconcileHandler, requireEnv } from "tidegate";
import { websiteController } from "./controller.ts";
import { websiteReconciler } from "./reconciler.ts";
import { ZoneFileDns } from "./zone-file-dns.ts";

const dns = new ZoneFileDns({ file: requireEnv("ZONE_FILE"), zone: requireEnv("ZONE") });

export const handler = reconcileHandler(websiteController, websiteReconciler(dns));
