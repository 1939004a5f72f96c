/** The value of an environment variable. Fails, naming it, where it is missing or empty. */
export function requireEnv(
  name: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const value = env[name];
  if (value) return value;
  throw new Error(
    `cannot read environment variable ${name}: expected a value, got ${value === undefined ? "none" : '""'}; set it in the function's environment`,
  );
}
