import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { EFFECTS_OF_OTHERS, importEffects } from "./support/import-effects.ts";

// A bundler may drop what is not used only because loading it does nothing ("sideEffects": false).
test("importing the library does nothing: no timers, handles, listeners, globals, reads of the environment", async () => {
  const effects = await importEffects(join(import.meta.dirname, "../shared"), ".ts");
  expect(effects).toEqual(EFFECTS_OF_OTHERS);
}, 30_000);
