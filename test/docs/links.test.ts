import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";

const ROOT = join(import.meta.dirname, "../..");

test("every link from a document to a file, or to a heading of one, arrives", () => {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true }).map(String);
  const paths = docs.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
  const links = ["README.md", ...paths].flatMap(linksIn);
  expect(links.filter((link) => !arrives(link)).map(({ from, to }) => `${from}: ${to}`)).toEqual(
    [],
  );
  expect(links.length).toBeGreaterThan(30);
});

interface Link {
  readonly from: string;
  readonly to: string;
}

function linksIn(from: string): Link[] {
  const text = readFileSync(join(ROOT, from), "utf8");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(({ 1: to = "" }) => ({ from, to }))
    .filter(({ to }) => !/^https?:/.test(to));
}

function arrives({ from, to }: Link): boolean {
  const [file = "", heading] = to.split("#");
  const path = file === "" ? join(ROOT, from) : join(ROOT, dirname(from), file);
  if (!existsSync(path)) return false;
  return heading === undefined || (statSync(path).isFile() && headingsOf(path).includes(heading));
}

/** As GitHub names them. */
function headingsOf(path: string): string[] {
  return [...readFileSync(path, "utf8").matchAll(/^#+ (.*)$/gm)].map(({ 1: text = "" }) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}
