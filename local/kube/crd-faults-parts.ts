import type { FieldError } from "./api-error.ts";
import { type Part, textOf } from "./built-in-visit.ts";
import type { Schema } from "./schema.ts";
import { duplicate, invalid, required } from "./schema-errors.ts";

/** The faults of the scale subresource of a version. */
export function scaleFaults(scale: Part | undefined, path: string): FieldError[] {
  if (!scale) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const under = (key: string, value: unknown, roots: readonly string[], where: string) => {
    const field = `${path}.${key}`;
    const faults = pathFaults(value, field);
    if (faults.length > 0 || roots.some((root) => String(value).startsWith(root))) return faults;
    return [invalid(field, value, `should be a json path under ${where}`)];
  };
  return [
    ...under("specReplicasPath", specReplicasPath, [".spec."], ".spec"),
    ...under("statusReplicasPath", statusReplicasPath, [".status."], ".status"),
    ...(labelSelectorPath
      ? under(
          "labelSelectorPath",
          labelSelectorPath,
          [".spec.", ".status."],
          "either .spec or .status",
        )
      : []),
  ];
}

const TYPES = ["boolean", "date", "integer", "number", "string"];
const FORMATS = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/** The faults of one printer column. */
export function columnFaults({ name, type, format, jsonPath }: Part, path: string): FieldError[] {
  const oneOf = (known: readonly string[]) => `must be one of ${known.join(",")}`;
  const faults = name ? [] : [required(`${path}.name`)];
  if (!type) faults.push(required(`${path}.type`, oneOf(TYPES)));
  else if (!TYPES.includes(textOf(type))) {
    faults.push(invalid(`${path}.type`, type, oneOf(TYPES)));
  }
  if (format && !FORMATS.includes(textOf(format))) {
    faults.push(invalid(`${path}.format`, format, oneOf(FORMATS)));
  }
  // In the API server's own spelling.
  return [...faults, ...pathFaults(jsonPath, `${path}.JSONPath`)];
}

const MOST_SELECTABLE = 8;

/** The faults of the fields by which objects of a version can be selected. */
export function selectableFaults(
  fields: readonly { readonly jsonPath?: string }[],
  schema: Schema | undefined,
  path: string,
): FieldError[] {
  const seen = new Set<string>();
  const faults = fields.flatMap(({ jsonPath = "" }, index) => {
    const field = `${path}[${index}].jsonPath`;
    if (jsonPath === "") return [required(field)];
    const found = fieldAt(schema, jsonPath);
    if (!found) {
      return [invalid(field, jsonPath, "is an invalid path: does not refer to a valid field")];
    }
    const twice = seen.has(jsonPath) ? [duplicate(field, jsonPath)] : [];
    seen.add(jsonPath);
    return [...(SELECTABLE.has(String(found.type)) ? [] : [wrongType(field, jsonPath)]), ...twice];
  });
  if (seen.size <= MOST_SELECTABLE) return faults;
  const message = `Too many: ${seen.size}: must have at most ${MOST_SELECTABLE} items`;
  return [...faults, { field: path, reason: "FieldValueTooMany", message }];
}

const SELECTABLE = new Set(["string", "boolean", "integer"]);

function wrongType(field: string, jsonPath: string): FieldError {
  const why =
    "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
  return invalid(field, jsonPath, why);
}

function fieldAt(schema: Schema | undefined, jsonPath: string): Schema | undefined {
  if (!jsonPath.startsWith(".")) return undefined;
  return jsonPath
    .slice(1)
    .split(".")
    .reduce<Schema | undefined>((part, key) => part?.properties?.[key], schema);
}

function pathFaults(value: unknown, field: string): FieldError[] {
  if (!value) return [required(field)];
  if (textOf(value).startsWith(".")) return [];
  return [invalid(field, value, "must be a simple json path starting with .")];
}
