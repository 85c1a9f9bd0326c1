// Exports of both entries, for pages and for Node.
export * from "./contract.ts";
export { MESSAGES } from "./messages.generated.ts";
export { EngineError } from "./errors.ts";
export type { ExportedFile } from "./answers.ts";
export type { ContingencyOptions } from "./contingencies.ts";
export type { Engine, LayoutPlace } from "./engine.ts";
export type { ExplainOptions, ExplainProgress } from "./explaining.ts";
export { formatOf, isDisplayFile } from "./formats.ts";
export type { LayoutOptions, LayoutResult } from "./layout.ts";
export type { Committed, DenseSensitivity, StudyPreview, StudySensitivity } from "./rows.ts";
export type { StudyHandle, TrackOptions } from "./study.ts";
