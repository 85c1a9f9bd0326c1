// What both entries (page and Node) export.
export * from "./contract.ts";
export { EngineError } from "./errors.ts";
export { type Engine } from "./facade.ts";
export { formatOf, isDisplayFile } from "./formats.ts";
export type { StudyColumns } from "./protocol.ts";
export type { StudyHandle } from "./study.ts";
