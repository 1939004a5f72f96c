/** Replaces what differs from run to run; one for each scenario, since it numbers what it meets. */
export interface Mask {
  readonly value: (value: unknown) => unknown;
  readonly text: (text: string) => string;
}

const TIME = /\b20(?:2[4-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?(?:\.\d+)?Z/g;
const UID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const VERSION_IN_TEXT = /(resource ?version[^0-9&]{0,40})([1-9]\d*)/gi;
/** Some refusals quote the whole object, as Go's %q does. */
const OBJECT_IN_TEXT = /"\{\\".*\}(\\n)?"(?=: )/g;
/** The server's own view of a template, and of what changed in a spec, as Go prints them. */
const TEMPLATE_IN_TEXT = /\{"labels":.*"Spec":\{.*\}(?=: field is immutable)/g;
const DIFF_IN_TEXT = /@@ -\d+,.*$/s;
/** The server's own view of the versions of a CustomResourceDefinition. */
const VERSIONS_IN_TEXT =
  /(?:\[\{"Name":.*\}\]|null|\[\])(?=: must (?:have exactly|contain unique))/g;
const CURRENT_IN_TEXT = /(Too large resource version: .*, current: )\d+/g;
const SCHEME_IN_TEXT = /in scheme "[^"]+"/g;
const CONTINUE_IN_PATH = /([?&]continue=)[^&]+/g;
/** Of letters and digits that cannot form words: k8s.io/apimachinery/pkg/util/rand. */
const SUFFIX = "[bcdfghjklmnpqrstvwxz2456789]{5}";

/**
 * Masks the scenario's namespace, times from 2024 on (scenarios send older ones), uids and
 * resourceVersions (numbered by first sight, so that the same one can be told from another), random
 * suffixes of names, addresses and ports that the server picked, tokens; managedFields are sorted. The version of a list or a
 * bookmark has no number: it depends on what else happens on the server.
 */
export function createMask(namespace: string): Mask {
  const uids = new Map<string, string>();
  const versions = new Map<string, string>();
  const generated = new Map<string, string>();

  const version = (found: string) => numbered(versions, found, "version");
  const text = (raw: string): string => {
    let masked = raw.replace(OBJECT_IN_TEXT, '"<object>"').replaceAll(namespace, "{ns}");
    for (const [name, mask] of generated) masked = masked.replaceAll(name, mask);
    return masked
      .replace(TIME, (_, micro) => (micro === undefined ? "<time>" : "<microtime>"))
      .replace(TEMPLATE_IN_TEXT, "<template>")
      .replace(DIFF_IN_TEXT, "<diff>")
      .replace(VERSIONS_IN_TEXT, "<versions>")
      .replace(CURRENT_IN_TEXT, "$1<version>")
      .replace(SCHEME_IN_TEXT, 'in scheme "<scheme>"')
      .replace(UID, (uid) => numbered(uids, uid, "uid"))
      .replace(VERSION_IN_TEXT, (_, before, found) => `${before}${version(found)}`)
      .replace(CONTINUE_IN_PATH, "$1<continue>");
  };

  const value = (raw: unknown, key = ""): unknown => {
    if (Array.isArray(raw) && key === "managedFields") {
      return [...raw].sort(byManager).map((item) => value(item));
    }
    if (Array.isArray(raw)) return raw.map((item) => value(item, key));
    if (typeof raw === "object" && raw !== null) return record(raw as Record<string, unknown>);
    if (key === "nodePort" || key === "healthCheckNodePort") return "<port>";
    if (typeof raw !== "string") return raw;
    if (key === "resourceVersion" && /^[1-9]\d*$/.test(raw)) return version(raw);
    return MASKED_KEYS[key]?.(raw) ?? text(raw);
  };

  const record = (found: Record<string, unknown>): unknown => {
    const raw = withCausesSorted(found);
    learnName(raw);
    const floating = Array.isArray(raw.items) || raw.type === "BOOKMARK";
    const entries = Object.entries(floating ? withoutVersion(raw) : raw);
    // Numbers are given in this order; the entries stay in theirs.
    const masked = new Map<string, unknown>();
    for (const [key, each] of entries.toSorted(byKey)) masked.set(key, value(each, key));
    return Object.fromEntries(entries.map(([key]) => [text(key), masked.get(key)]));
  };

  const learnName = ({ name, generateName }: Record<string, unknown>) => {
    if (typeof name !== "string" || typeof generateName !== "string" || generateName === "") return;
    if (!name.startsWith(generateName.slice(0, 58))) return;
    const suffix = new RegExp(`${SUFFIX}$`).exec(name)?.[0];
    if (suffix) generated.set(name, `${name.slice(0, -suffix.length)}<suffix>`);
  };

  return { value: (raw) => value(raw), text };
}

/** Any order that all servers share will do; managedFields come last since uids are keys in them. */
function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  const [a, b] = [one, other].map((key) => (key === "managedFields" ? "~" : key)) as [
    string,
    string,
  ];
  return a < b ? -1 : Number(a > b);
}

/** The server sorts by time before it sorts by name, so its order depends on the turn of a second. */
function byManager(one: unknown, other: unknown): number {
  const [a, b] = [one, other].map((entry) => {
    const { operation, manager, apiVersion, subresource } = (entry ?? {}) as Record<
      string,
      unknown
    >;
    return JSON.stringify([operation, manager, apiVersion, subresource ?? ""]);
  }) as [string, string];
  return a < b ? -1 : Number(a > b);
}

/** Faults of custom resources and of the keys of a map, and managers in conflict, come in the order of a Go map, so in any. */
function withCausesSorted(raw: Record<string, unknown>): Record<string, unknown> {
  const { message, details } = raw as { message: string; details?: StatusDetails };
  if (raw.kind !== "Status" || !details?.causes || !inAnyOrder(details)) return raw;
  const list = (causes: readonly StatusCause[]) =>
    `[${causes.map((cause) => `${cause.field}: ${cause.message}`).join(", ")}]`;
  const causes = [...details.causes].sort((one, other) => (list([one]) < list([other]) ? -1 : 1));
  const sorted = message.replace(list(details.causes), () => list(causes));
  return { ...raw, message: sorted, details: { ...details, causes } };
}

function inAnyOrder({ group, causes }: StatusDetails): boolean {
  return (
    group?.endsWith(".example.com") === true ||
    causes?.every(({ reason }) => reason === "FieldManagerConflict") === true ||
    causes?.every(({ field = "" }) => MAP_KEY.test(field)) === true
  );
}

const MAP_KEY = /^((data|binaryData|stringData)\[|metadata\.(labels|annotations)$)/;

interface StatusCause {
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

interface StatusDetails {
  readonly group?: string;
  readonly causes?: readonly StatusCause[];
}

/** Undefined where the value is to be seen. */
const MASKED_KEYS: Record<string, (raw: string) => string | undefined> = {
  clusterIP: address,
  clusterIPs: address,
  continue: (raw) => (raw === "" ? undefined : "<continue>"),
  token: (raw) => (raw.length > 40 ? "<token>" : undefined),
};

function address(raw: string): string | undefined {
  return /^\d+\.\d+\.\d+\.\d+$/.test(raw) ? "<address>" : undefined;
}

function numbered(known: Map<string, string>, found: string, what: string): string {
  const before = known.get(found);
  if (before !== undefined) return before;
  const mask = `<${what} ${known.size + 1}>`;
  known.set(found, mask);
  return mask;
}

/** A list, or a bookmark, whose version is that of the whole server. */
function withoutVersion(raw: Record<string, unknown>): Record<string, unknown> {
  const inner = raw.type === "BOOKMARK" ? "object" : "metadata";
  const held = raw[inner] as Record<string, unknown> | undefined;
  if (inner === "object") return { ...raw, object: { ...held, ...anyVersion(held?.metadata) } };
  return { ...raw, ...anyVersion(held) };
}

function anyVersion(metadata: unknown): { metadata?: unknown } {
  const { resourceVersion } = (metadata ?? {}) as { resourceVersion?: string };
  if (!resourceVersion) return {};
  return { metadata: { ...(metadata as object), resourceVersion: "<version>" } };
}
