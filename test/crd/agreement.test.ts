import { expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { createKubeApi } from "../../local/kube/kube-api.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { expectAgreement, expectDifferences, installSamples } from "./agreement.ts";
import { DIFFERENCES } from "./differences.ts";
import { trial } from "./samples.ts";

const RUNS = 40;
const LIMIT_MS = 60_000;
const trials = fc.array(trial, { minLength: 10, maxLength: 10 });

test(
  "zod and the embedded API server take, refuse, fill in and drop the same",
  async () => {
    const total = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(trials, async (tried) => {
        const clock = new VirtualClock();
        const api = createKubeApi({ clock, random: () => 0.5, newUid: () => "u", accounts: false });
        try {
          const schemas = tried.map(({ schema }) => schema);
          const pause = () => clock.advance(50);
          const kind = await installSamples(api.transport, "Sample", schemas, pause);
          const { taken, refused } = await expectAgreement(api.transport, kind, tried);
          total.taken += taken;
          total.refused += refused;
        } finally {
          api.close();
        }
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS / 2 }, // Shrinking may take long.
    );
    // Neither side has its way by taking or refusing nearly everything.
    const share = total.taken / (total.taken + total.refused);
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.75);
  },
  LIMIT_MS,
);

test("where they differ, they do so as it is listed, and for its reason", async () => {
  const clock = new VirtualClock();
  const api = createKubeApi({ clock, random: () => 0.5, newUid: () => "u", accounts: false });
  const plain = DIFFERENCES.filter(({ realOnly }) => realOnly === undefined);
  await expectDifferences(api.transport, plain, () => clock.advance(50));
  api.close();
});
