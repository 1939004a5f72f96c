import {
  boolYaml11Tag,
  defineScalarTag,
  FAILSAFE_SCHEMA,
  mergeTag,
  NOT_RESOLVED,
  nullCoreTag,
  Schema,
} from "js-yaml";

const FIRST_CHARS = "-+0123456789".split("");
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|([0-9]+))$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

/** Nothing is written with these. */
const identify = () => false;

const intTag = defineScalarTag<number | typeof NOT_RESOLVED>("tag:yaml.org,2002:int", {
  implicit: true,
  implicitFirstChars: FIRST_CHARS,
  identify,
  resolve: (source) => {
    const found = INTEGER.exec(source.replaceAll("_", ""));
    if (!found) return NOT_RESOLVED;
    const [, sign, hex, binary, octal, decimal] = found;
    const bases = [
      [hex, 16],
      [binary, 2],
      [octal, 8],
      [decimal, 10],
    ] as const;
    const [digits = "", base] = bases.find(([each]) => each !== undefined) ?? ["", 10];
    const value = Number.parseInt(digits, base);
    return sign === "-" && value !== 0 ? -value : value;
  },
});

const floatTag = defineScalarTag<number | typeof NOT_RESOLVED>("tag:yaml.org,2002:float", {
  implicit: true,
  implicitFirstChars: [...FIRST_CHARS, "."],
  identify,
  resolve: (source) => {
    const text = source.replaceAll("_", "");
    return FLOAT.test(text) ? Number(text) : NOT_RESOLVED;
  },
});

/**
 * What plain words of YAML mean to kubectl and to the API server. Both read YAML 1.1: `yes`, `on` and
 * `y` are true, 0644 is 420, `<<` merges. But times, and what looks like minutes, stay text.
 * https://github.com/kubernetes-sigs/yaml/blob/master/goyaml.v2/resolve.go
 */
export const KUBE_YAML = new Schema([
  ...FAILSAFE_SCHEMA.tags,
  nullCoreTag,
  boolYaml11Tag,
  intTag,
  floatTag,
  mergeTag,
]);
