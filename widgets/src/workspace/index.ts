export type { Activity, ActivityKind, ActivityLog } from "./activityLog.ts";
export { AutomaticLayout, type LayoutState } from "./automaticLayout.ts";
export { CaseSession } from "./caseSession.ts";
export { type Drawing, drawingOfDisplay, drawingOfLayer } from "./drawing.ts";
export { referredNames, rootScripts } from "./dssFiles.ts";
export * from "./edits.ts";
export { ElementEdit } from "./elementEdit.ts";
export { changeTo, type ElementMove, type MoveMode, withMoves } from "./elementMoves.ts";
export { type ElementResponse, MOST_RESPONSES } from "./elementResponses.ts";
export { ElementPath, isLimit, type PathRequest, sameCourse } from "./elementPath.ts";
export * from "./editRange.ts";
export { ElementSlider, type EntryMode, type NextFrame } from "./elementSlider.ts";
export { explanationIn } from "./explaining.ts";
export * from "./exports.ts";
export type { FileIntake, OpeningHost } from "./fileIntake.ts";
export { Geography, type GeographyChange, type GeographyEngine } from "./geography.ts";
export * from "./intake.ts";
export * from "./intakeLimits.ts";
export { LatestOnly } from "./latestOnly.ts";
export { MutationQueue, StaleRevisionError } from "./mutationQueue.ts";
export type { NetworkGraph } from "./networkGraph.ts";
export * from "./openedCase.ts";
export * from "./orderer.ts";
export * from "./outages.ts";
export * from "./outcomes.ts";
export { OutageScreen, type ScreenState } from "./outageScreen.ts";
export { isEdit, planRelaxation, type RelaxableLimit, type RelaxationPlan, type RelaxedChange } from "./relaxation.ts";
export { elementKey, inStableOrder, isSelected, sameList, type SelectedList } from "./selected.ts";
export { layoutPositions, type Point, type Positions } from "./positions.ts";
export { reachable } from "./reachable.ts";
export * from "./reconciliation.ts";
export { largestMiss, type Miss, SolutionStore } from "./solutionStore.ts";
export type * from "./state.ts";
export { type CommittedState, type ReferenceState, StateHistory, stateName, type Visit } from "./stateHistory.ts";
export { movedElements, stepLabel } from "./stepLabel.ts";
export * from "./statistics.ts";
export * from "./status.ts";
export * from "./viewedNetwork.ts";
export {
  type LocalOpening,
  type SessionRequest,
  Workspace,
  type WorkspaceChange,
  type WorkspaceEngine,
} from "./workspace.ts";
