import { KubeError } from "../kube/kube-error.ts";

/** The object of the run went away during the run: not a failure. */
export class ObjectGoneError extends Error {
  override readonly name = "ObjectGoneError";
}

/** Whether an error is a 404 that names the object; a 404 of the kind or of a subresource does not. */
export function absent(error: unknown): error is KubeError {
  return (
    error instanceof KubeError &&
    error.status === 404 &&
    error.reason === "NotFound" &&
    Boolean(error.details.name)
  );
}
