export * from "./numbers.ts";
export * from "./sentences.ts";
