import { UsageError } from "./usage-error.ts";

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names */
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names */
const MAX_GROUP_CHARACTERS = 253;

/** "GuestbookList" must be no longer than 63 characters either. */
const MAX_KIND_CHARACTERS = 59;

/** Names that the generated files import, or that mean something to the compiler. */
const KINDS_TAKEN = ["ConfigMap", "Environment", "Promise", "Reconciler", "Resource", "Result"];

/** The domain that ends the group of each API of a project. */
export function checkDomain(domain: string): void {
  if (!subdomain(domain)) {
    refuse("--domain", 'lower case letters, digits, "-" and "." such as example.com', domain);
  }
  refuseKept("--domain", domain);
}

/** The group as it is given: the project's domain comes behind it. */
export function checkGroup(group: string, domain: string): void {
  const example = `lower case letters, digits, "-" and "." such as webapp, for webapp.${domain}`;
  if (group === domain || group.endsWith(`.${domain}`)) {
    const first = group === domain ? "webapp" : group.slice(0, -domain.length - 1);
    refuse("--group", `a group without the project's domain, such as ${first}`, group);
  }
  if (!subdomain(group) || group.length + 1 + domain.length > MAX_GROUP_CHARACTERS) {
    refuse("--group", example, group);
  }
  refuseKept("--group", `${group}.${domain}`);
}

/** https://kubernetes.io/docs/reference/using-api/#api-versioning */
export function checkVersion(version: string): void {
  if (!/^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/.test(version) || version.length > 63) {
    refuse("--version", "a version such as v1, v1alpha1 or v2beta3", version);
  }
}

export function checkKind(kind: string): void {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind) || kind.length > MAX_KIND_CHARACTERS) {
    const rule = `PascalCase of letters and digits, at most ${MAX_KIND_CHARACTERS}, such as Guestbook`;
    refuse("--kind", rule, kind);
  }
  if (KINDS_TAKEN.includes(kind)) {
    refuse("--kind", `a name that the code does not use otherwise, such as My${kind}`, kind);
  }
}

export function checkPlural(plural: string): void {
  if (!/^[a-z]/.test(plural) || !LABEL.test(plural)) {
    const rule =
      'lower case letters, digits and "-", a letter first, at most 63, such as guestbooks';
    refuse("--plural", rule, plural);
  }
}

/** The name of a controller, its folder and its function. */
export function checkControllerName(name: string): void {
  if (!/^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/.test(name) || name.includes("--")) {
    const rule =
      'lower case letters, digits and single "-", a letter first, at most 40 characters, such as guestbook';
    refuse("--name", rule, name);
  }
}

/** The name of a project: that of an npm package without a scope. */
export function checkProjectName(name: string): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 100) {
    const rule =
      'lower case letters, digits and single "-", a letter first, at most 100 characters, such as guestbook-operator';
    refuse("--name", rule, name);
  }
}

function refuse(option: string, expected: string, got: string): never {
  throw new UsageError(`cannot use ${option}: expected ${expected}, got "${got}"`);
}

function subdomain(name: string): boolean {
  return name.length <= MAX_GROUP_CHARACTERS && name.split(".").every((each) => LABEL.test(each));
}

/** An API server takes definitions of such groups only with a note that Kubernetes approved them. https://kubernetes.io/docs/reference/labels-annotations-taints/#api-approved-kubernetes-io */
function refuseKept(option: string, group: string): void {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return;
  refuse(
    option,
    "a domain of your own, for k8s.io and kubernetes.io are kept for Kubernetes",
    group,
  );
}
