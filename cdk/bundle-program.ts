// Bundles the function that its argument describes. A process of its own, because constructs cannot
// wait for what is not done at once.
import { type BundleOptions, bundleFunction } from "./bundle-function.ts";

await bundleFunction(JSON.parse(process.argv[2] ?? "{}") as BundleOptions);
