// What needs no page. The drawing is loaded on first need.
export * from "./series.ts";
