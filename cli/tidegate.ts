#!/usr/bin/env node
// In the syntax of 2020, and without a static import: a Node that is too old must be able to read
// this file to say so. The rest it could not even parse.
const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(
    `tidegate: cannot run: expected Node 24 or newer, got ${process.versions.node}; install Node 24`,
  );
  process.exit(1);
}
void import("./main.ts");
