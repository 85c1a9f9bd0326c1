export * from "./numbers.ts";
export * from "./sentences.ts";
export * from "./noSolution.ts";
export * from "./outages.ts";
export * from "./paths.ts";
export * from "./previewErrors.ts";
