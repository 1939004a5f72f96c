// Writes numbered objects into a journal until it is killed, and prints each version once it is
// acknowledged. Started by a test.
import { writeSync } from "node:fs";
import { ObjectJournal } from "../../local/kube/object-journal.ts";
import { MemoryObjectStore } from "../../local/kube/object-store.ts";
import { systemClock } from "../../shared/clock.ts";
import { configMap, put, remove } from "./kube-store-fixtures.ts";
import { quietLog } from "./sqs-fixtures.ts";

const dir = process.argv[2] ?? "";
const state = new ObjectJournal({ dir, log: quietLog, compactBytes: 50_000 });
const store = new MemoryObjectStore({ clock: systemClock, state });
for (let n = 1; ; n += 1) {
  put(store, configMap(String(n)));
  put(store, configMap("counter", { data: { n: String(n) } }));
  if (n % 2 === 0) remove(store, String(n));
  writeSync(1, `${n} ${store.version}\n`);
}
