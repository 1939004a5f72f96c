/**
 * The module node:http. An import of it reads every one of its exports, and so loads the whole of
 * undici behind `http.WebSocket` (Node 24: 25 ms of CPU, a third of a function's start).
 */
export const http = process.getBuiltinModule("node:http");
