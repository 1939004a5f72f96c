/** Aborted by the first SIGINT or SIGTERM. A second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  const asked = () => {
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort();
  };
  process.on("SIGINT", asked).on("SIGTERM", asked);
  return stopping.signal;
}
