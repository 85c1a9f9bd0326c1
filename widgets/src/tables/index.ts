// Exports that need no DOM. The view with its grid is loaded on first use.
export * from "./elements/caseTable.ts";
export * from "./elements/caseTables.ts";
export { roomFor, type TableColumn } from "./elements/columns.ts";
export * from "./elements/filterWords.ts";
export * from "./columnWidths.ts";
export * from "./csv.ts";
export * from "./listing.ts";
export * from "./compareTables.ts";
