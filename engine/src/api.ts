// Exports of both entries, for pages and for Node.
export * from "./contract/contract.ts";
export { englishMessage, tellMessage } from "./contract/messages.ts";
export type { MessageStyle, ValuesOf } from "./contract/telling.ts";
export { MESSAGES, SERVICE_MESSAGES } from "./messages.generated.ts";
export { clientError, EngineError, type ClientKey } from "./contract/errors.ts";
export type { ExportedFile } from "./contract/answers.ts";
export type { ContingencyOptions } from "./jobs/contingencies.ts";
export type { Engine, LayoutPlace } from "./facade/engine.ts";
export type { ExplainOptions, ExplainProgress } from "./jobs/explaining.ts";
export type { McReplayed, McSolution, McStudyHandle, McVoltages } from "./facade/feeder.ts";
export { formatOf, isDisplayFile } from "./contract/formats.ts";
export type { LoadabilityOptions, LoadabilityProgress } from "./jobs/loadability.ts";
export type { PlanOptions, PlanOutcomeOf, PlanTrialOf } from "./jobs/planning.ts";
export type { LayoutOptions, LayoutResult } from "./jobs/layout.ts";
export type { Committed, DenseSensitivity, StudyPreview, StudySensitivity, StudyTrackState } from "./facade/rows.ts";
export type { SolveProgress, SolvingOptions } from "./jobs/solving.ts";
export type { CommitOptions, StudyHandle, TrackOptions, TrackProgress } from "./facade/studyHandle.ts";
