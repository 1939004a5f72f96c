#!/usr/bin/env node
const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(`tidegate: cannot run on Node ${process.versions.node}: expected Node 24 or newer`);
  process.exit(1);
}
// Only now: the rest is written in a syntax that an older Node refuses before it can say why.
await import(`./main${import.meta.filename.slice(-3)}`);
