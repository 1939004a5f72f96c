/** Prints one last line, "N passed, N failed", for people and for machines that read the output. */
export default class OneLineReporter {
  onRunComplete(_contexts, results) {
    // A suite that could not be loaded has no tests, so it would vanish from the counts.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const line = `${results.numPassedTests} passed, ${failed} failed`;
    // Jest's own summary comes after onRunComplete; this line has to come last.
    process.once("exit", () => console.log(line));
  }
}
