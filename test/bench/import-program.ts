// Prints how many milliseconds it takes to import the modules named on the command line.
import { pathToFileURL } from "node:url";

const startedMs = performance.now();
for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
process.stdout.write(JSON.stringify(performance.now() - startedMs));
