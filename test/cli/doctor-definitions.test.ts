import { expect, test } from "@jest/globals";
import { definitionCheck } from "../../cli/doctor-definitions.ts";
import { crd } from "../../functions/website/resource.ts";

const here = crd();
const { spec } = here;
/** As an API server answers it. */
const installed = { spec: { ...spec, conversion: { strategy: "None" } } };
const [version] = spec.versions;
if (!version) throw new Error("no version");
const withColumns = { ...version, additionalPrinterColumns: [] };

test.each([
  ["as it is here", installed, "ok", "installed as it is here"],
  ["not there", undefined, "fail", "not installed"],
  [
    "with other columns, which breaks nothing",
    { spec: { ...spec, versions: [withColumns] } },
    "warn",
    /^installed, and other than here in spec\.versions\.0\.additionalPrinterColumns\.0, /,
  ],
  [
    "with a short name that is gone here",
    { spec: { ...spec, names: { ...spec.names, shortNames: ["ws", "web"] } } },
    "warn",
    "installed, 1 breaking changes: names web is no name of it any more",
  ],
])("a definition %s", (_what, found, level, text) => {
  const check = definitionCheck(found, here);
  expect({ level: check.level, text: check.text }).toEqual({
    level,
    text: typeof text === "string" ? text : expect.stringMatching(text),
  });
});
