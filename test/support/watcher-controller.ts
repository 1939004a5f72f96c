import { defineController } from "../../shared/api/controller.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { Widget } from "./watcher-objects.ts";

/** What the watcher program loads in tests. */
export const widgets = defineController({ name: "widgets", for: Widget, owns: [ConfigMap] });
