import type {
  ClusterPlace,
  DeployStep,
  ManifestsProperties,
  RevisionsProperties,
} from "../../shared/platform/custom-resources.ts";

type Properties = Readonly<Record<string, unknown>>;

/** Fails naming every property that is wrong. */
export function readManifestsProperties(properties: Properties): ManifestsProperties {
  const read = reader(properties);
  const step = read.text("step");
  if (step !== "before-functions" && step !== "after-functions") {
    read.fault(`step to be before-functions or after-functions, got "${step}"`);
  }
  const value = {
    ...placeOf(read),
    bucket: read.text("bucket"),
    key: read.text("key"),
    platform: read.text("platform"),
    step: step as DeployStep,
    values: read.texts("values"),
    ...revisionsOf(read),
  };
  read.end();
  return value;
}

/** Fails naming every property that is wrong. */
export function readRevisionsProperties(properties: Properties): RevisionsProperties {
  const read = reader(properties);
  const value = revisionsOf(read);
  read.end();
  return value;
}

function revisionsOf({ text, texts }: Reader): RevisionsProperties {
  return { cluster: text("cluster"), table: text("table"), revisions: texts("revisions") };
}

export interface Reader {
  readonly text: (name: string) => string;
  /** {} where there is none. */
  readonly texts: (name: string) => Readonly<Record<string, string>>;
  readonly fault: (expected: string) => void;
  /** Fails when there was a fault. */
  readonly end: () => void;
}

export function placeOf({ text }: Reader): ClusterPlace {
  return {
    cluster: text("cluster"),
    endpoint: text("endpoint"),
    certificateAuthorityData: text("certificateAuthorityData"),
  };
}

/** CloudFormation makes a text of every number and boolean. */
export function reader(properties: Properties): Reader {
  const faults: string[] = [];
  const text = (name: string): string => {
    const value = properties[name];
    if (typeof value === "string" && value !== "") return value;
    faults.push(`${name} to be a text`);
    return "";
  };
  const texts = (name: string) => {
    const value = properties[name] ?? {};
    const all = typeof value === "object" && Object.values(value).every(isText);
    if (!all) faults.push(`${name} to be texts by name`);
    return value as Readonly<Record<string, string>>;
  };
  const end = () => {
    if (faults.length === 0) return;
    throw new Error(`cannot read the properties: expected ${[...new Set(faults)].join(", and ")}`);
  };
  return { text, texts, fault: (expected) => faults.push(expected), end };
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
