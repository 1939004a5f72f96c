import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../..");

export interface AppTemplate {
  readonly Resources: Readonly<
    Record<
      string,
      { readonly Type: string; readonly Properties: Readonly<Record<string, unknown>> }
    >
  >;
}

/**
 * Runs the app of cdk.json into a folder, as the command `cdk` does, and resolves to the template of
 * its stack. https://docs.aws.amazon.com/cdk/v2/guide/apps.html
 */
export async function runApp(outdir: string, clusters?: readonly object[]): Promise<AppTemplate> {
  const { app, context } = JSON.parse(await readFile(join(ROOT, "cdk.json"), "utf8"));
  const given = clusters ? { ...context, "tidegate:clusters": clusters } : context;
  const [program, ...args] = (app as string).split(" ");
  if (program !== "node") throw new Error(`expected node to run the app, got ${program}`);
  const env = {
    PATH: process.env.PATH,
    CDK_OUTDIR: outdir,
    CDK_CONTEXT_JSON: JSON.stringify(given),
  };
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return JSON.parse(await readFile(join(outdir, "Tidegate.template.json"), "utf8")) as AppTemplate;
}
