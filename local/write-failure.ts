/** Whether the system's code says that a disk, or what one may use of it, is full. */
export function diskFull(code: string): boolean {
  return code === "ENOSPC" || code === "EDQUOT";
}

/** The error of a data folder that the system refused to write: why, by its code, and what to do. */
export function folderFailure(what: string, code: string, cause: unknown): Error {
  const advice = diskFull(code) ? "make space" : "make it one";
  return new Error(
    `${what}: expected a folder that can be written, got ${code}; ${advice}, or choose another with --data`,
    { cause },
  );
}
