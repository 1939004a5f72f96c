// A thread of a function process: ends its process group once the runner is gone, also while a
// handler that never yields keeps the main thread from hearing of it.
import { workerData } from "node:worker_threads";

const LOOK_MS = 500;

setInterval(() => {
  // An orphan is given to another parent.
  if (process.ppid !== workerData) process.kill(-process.pid, "SIGKILL");
}, LOOK_MS);
