export * from "./conditions.ts";
