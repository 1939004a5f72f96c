export * from "./virtual-clock.ts";
