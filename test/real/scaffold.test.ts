import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DevProcess, freePorts } from "./dev-process.ts";
import { kubeBinaries } from "./kube-binaries.ts";
import { pack } from "./pack.ts";

// docs/getting-started.md as it stands, with the packed package, in folders of its own whose names
// a shell would stumble over. Installing needs npm's registry.

const PAGE = join(import.meta.dirname, "../../docs/getting-started.md");
const LIMIT_MS = 10 * 60_000;

let place = "";
let project = "";
let dev: DevProcess | undefined;
let env: NodeJS.ProcessEnv = {};

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "tidegate's é & start-"));
  project = join(place, "guestbook");
  await mkdir(join(place, "tidegate"));
  await pack(join(place, "tidegate"));
  const { kubectl } = await kubeBinaries({ env: process.env, progress });
  // Without what npm adds for scripts of this repository: the page begins with any Node from 20 on.
  const paths = (process.env.PATH ?? "").split(delimiter);
  const own = paths.filter((path) => !path.endsWith(join("node_modules", ".bin")));
  const PATH = [dirname(kubectl ?? "kubectl"), ...own].join(delimiter);
  env = { ...outside(process.env), PATH, CDK_DISABLE_CLI_TELEMETRY: "true" };
}, LIMIT_MS);

afterAll(async () => {
  await dev?.stop("SIGKILL");
  await rm(place, { recursive: true, force: true });
}, LIMIT_MS);

test(
  "every step of the page works as it stands",
  async () => {
    const steps = stepsOf(await readFile(PAGE, "utf8"));
    expect(steps[0]).toEqual({ kind: "sh", text: "npm ci && npm pack\n" }); // Done by `pack`.
    let cwd = join(place, "tidegate");
    for (const { kind, text } of steps.slice(1)) {
      if (kind === "diff") await edit(text);
      else if (text === "npx tidegate dev\n") await startDev();
      else await shell(cwd, text);
      cwd = project;
    }
    expect(steps).toHaveLength(14);
    expect((await dev?.stop())?.code).toBe(0);
  },
  LIMIT_MS,
);

test(
  "a test of it can fail",
  async () => {
    const file = join(project, "functions/guestbook/reconciler.ts");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("guestbook.spec.message", '"other"'));
    await expect(shell(project, "npm test")).rejects.toThrow(/1 failed|2 failed/);
    await writeFile(file, text);
  },
  LIMIT_MS,
);

test(
  "its types pass without skipLibCheck, in TypeScript 7 and in 5.9",
  async () => {
    await shell(
      project,
      "npm install --no-save --prefer-offline typescript-5@npm:typescript@5.9.3",
    );
    for (const compiler of ["typescript", "typescript-5"]) {
      const tsc = `node node_modules/${compiler}/bin/tsc`;
      expect(await shell(project, `${tsc} --version`)).toMatch(/Version [57]\./);
      expect(await shell(project, `${tsc} -p . --skipLibCheck false`)).toBe("");
    }
  },
  LIMIT_MS,
);

test(
  "its stack is synthesized",
  async () => {
    const said = await shell(project, "npm run synth");
    expect(said).toMatch(/^ +QueueName: tidegate-my-cluster-guestbook\.fifo$/m);
    expect(said).toMatch(/^ +Type: AWS::Lambda::EventSourceMapping$/m);
    const template = await readFile(join(project, "cdk.out/Guestbook.template.json"), "utf8");
    expect(Object.keys(JSON.parse(template).Parameters)).toContain("myclusterEndpoint");
  },
  LIMIT_MS,
);

interface Step {
  readonly kind: string;
  readonly text: string;
}

function stepsOf(markdown: string): readonly Step[] {
  return [...markdown.matchAll(/^```(sh|diff)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: kind = "", 2: text = "" }) => ({ kind, text }),
  );
}

/** Resolves to what was printed; rejects with all of it. */
async function shell(cwd: string, script: string): Promise<string> {
  const KUBECONFIG = join(project, ".tidegate/kubeconfig");
  const options = { cwd, env: { ...env, KUBECONFIG }, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await promisify(execFile)("sh", ["-ec", script], options)).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`cannot run ${script}: ${stdout}${stderr}`, { cause: error });
  }
}

/** As somebody edits by a page: whatever indents the lines. */
async function edit(diff: string): Promise<void> {
  const file = join(project, /^--- (.*)$/m.exec(diff)?.[1] ?? "");
  const linesOf = (sign: string) =>
    diff.split("\n").flatMap((line) => (line.startsWith(`${sign} `) ? [line.slice(1).trim()] : []));
  const before = await readFile(file, "utf8");
  const [old = "", ...more] = linesOf("-").filter((line) => !line.startsWith("--"));
  if (more.length > 0 || !before.includes(old)) throw new Error(`cannot find ${old} in ${file}`);
  await writeFile(
    file,
    before.replace(old, () => linesOf("+").join("\n")),
  );
}

async function startDev(): Promise<void> {
  dev = new DevProcess({
    command: [join(project, "node_modules/tidegate/dist/cli/tidegate.js")],
    cwd: project,
    args: [],
    port: await freePorts(),
  });
  await dev.line(/ready: watching the cluster/);
}

/** What npm and jest tell programs that they start would steer those of the project. */
function outside(all: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours = /^(npm_|NODE_OPTIONS$|INIT_CWD$|JEST_|TEST_REAL$|KUBEBUILDER_ASSETS$|TIDEGATE_)/;
  return Object.fromEntries(Object.entries(all).filter(([name]) => !ours.test(name)));
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
