/** Plain words of YAML with what kubectl 1.37 makes of them; test/real/kube-yaml.test.ts asks it again. */
export const WORDS: readonly (readonly [word: string, value: unknown])[] = [
  ["0644", 420],
  ["-0644", -420],
  ["0o644", 420],
  ["0O7", 7],
  ["0o8", "0o8"],
  ["00", 0],
  ["-0", 0],
  ["08", 8],
  ["+5", 5],
  ["0x1f", 31],
  ["-0X1F", -31],
  ["0x", "0x"],
  ["0b11", 3],
  ["-0B11", -3],
  ["1_000", 1000],
  ["_1", "_1"],
  ["1_0.5", 10.5],
  ["09.5", 9.5],
  [".5", 0.5],
  ["-.5", -0.5],
  ["1.", 1],
  ["1e3", 1000],
  ["1E-7", 1e-7],
  ["1e", "1e"],
  ["12:30", "12:30"],
  ["190:20:30", "190:20:30"],
  ["2026-01-01", "2026-01-01"],
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"],
  ["1.2.3", "1.2.3"],
  ["yes", true],
  ["Y", true],
  ["on", true],
  ["True", true],
  ["tRUE", "tRUE"],
  ["No", false],
  ["n", false],
  ["Off", false],
  ["FALSE", false],
  ["~", null],
  ["NULL", null],
  ["nULL", "nULL"],
  ['"yes"', "yes"],
  ["'0644'", "0644"],
  ["!!str 5", "5"],
  ['!!int "7"', 7],
  ["=", "="],
];

/** A manifest that holds them in `spec.words`, and merged fields in `spec.merged`. */
export const MANIFEST = `apiVersion: example.com/v1
kind: Words
metadata: { name: all }
spec:
  words:
${WORDS.map(([word]) => `  - ${word}\n`).join("")}  base: &base { a: 1, b: 2 }
  merged: { <<: *base, b: 3 }
  on: a key
  0644: another
`;
export const SPEC = {
  words: WORDS.map(([, value]) => value),
  base: { a: 1, b: 2 },
  merged: { a: 1, b: 3 },
  true: "a key",
  "420": "another",
};
