// What needs no page. The view with its grid is loaded on first need.
export * from "./caseTables.ts";
export * from "./columnWidths.ts";
export * from "./csv.ts";
export * from "./listing.ts";
export * from "./compareTables.ts";
