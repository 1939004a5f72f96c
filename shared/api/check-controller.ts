import type { Controller } from "./controller.ts";

/** Lambda's limit. https://docs.aws.amazon.com/lambda/latest/dg/configuration-timeout.html */
const MAX_TIMEOUT_SECONDS = 900;

/** The API server's limit of a field manager. https://kubernetes.io/docs/reference/using-api/server-side-apply/#managers */
const MAX_FIELD_MANAGER_CHARACTERS = 128;

const DAY_SECONDS = 86_400;

/** Fails with the option, what it expects, and what it got. */
export function checkController(controller: Controller): void {
  const fail = (option: string, expected: string, got: unknown): never => {
    throw new Error(
      `cannot define controller ${controller.name}: expected ${option} to be ${expected}, got ${JSON.stringify(got)}`,
    );
  };
  const range = (option: NumberOption, [least, most]: readonly [number, number], why = "") => {
    const value = controller[option];
    if (value === undefined) return;
    const whole = Number.isInteger(value) && value >= least && value <= most;
    if (!whole) fail(option, `a whole number from ${least} to ${most}${why}`, value);
  };
  if (!/^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/.test(controller.name)) {
    fail("name", 'lower case letters, digits and "-", at most 40 characters', controller.name);
  }
  range("maxConcurrentReconciles", [2, 10_000], " (an event source mapping takes no less than 2)");
  range("timeoutSeconds", [5, MAX_TIMEOUT_SECONDS]);
  range("resyncSeconds", [60, 30 * DAY_SECONDS]);
  range("maxAttempts", [1, 1_000]);
  if (!withinLength(controller.fieldManager)) {
    fail(
      "fieldManager",
      `1 to ${MAX_FIELD_MANAGER_CHARACTERS} characters`,
      controller.fieldManager,
    );
  }
  for (const finalizer of [controller.finalizer, ...controller.formerFinalizers]) {
    if (finalizer !== undefined && !qualified(finalizer)) {
      fail("finalizer", 'a qualified name such as "example.com/dns"', finalizer);
    }
  }
  if (controller.namespaces?.length === 0) fail("namespaces", "absent or not empty", []);
  if (controller.namespaces && controller.for.scope === "Cluster") {
    fail(
      "namespaces",
      `absent, for ${controller.for.kind} is cluster-scoped`,
      controller.namespaces,
    );
  }
}

type NumberOption = "maxConcurrentReconciles" | "timeoutSeconds" | "resyncSeconds" | "maxAttempts";

function withinLength({ length }: string): boolean {
  return length >= 1 && length <= MAX_FIELD_MANAGER_CHARACTERS;
}

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
function qualified(name: string): boolean {
  const [domain = "", part = "", ...rest] = name.split("/");
  return (
    rest.length === 0 &&
    domain.length <= 253 &&
    /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(domain) &&
    part.length <= 63 &&
    /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(part)
  );
}
