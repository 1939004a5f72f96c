/** Where the Runtime API of this process is. Fails where the process was not started by a runner. */
export function requireRuntimeApi(env: NodeJS.ProcessEnv): string {
  const address = env.AWS_LAMBDA_RUNTIME_API;
  if (address) return address;
  throw new Error(
    "cannot run a function: AWS_LAMBDA_RUNTIME_API is not set; start it with a function runner",
  );
}
