// Prints how long it takes to import the modules named on the command line, as JSON.
import { pathToFileURL } from "node:url";

const cpuBefore = process.cpuUsage();
const startedMs = performance.now();
for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
const wallMs = performance.now() - startedMs;
const { user, system } = process.cpuUsage(cpuBefore);
process.stdout.write(JSON.stringify({ wallMs, cpuMs: (user + system) / 1_000 }));
