// Stands for a function whose package.json lacks something.
// @ts-expect-error there is no such package
export { handler } from "not-installed";
