// Exports that need no DOM. Drawing is loaded on first use.
export * from "./series.ts";
