export type { Activity, ActivityEvent, ActivityLog } from "./history/activityLog.ts";
export { type ActivityKind, activityText, type ToldActivity } from "./history/activityText.ts";
export { RelaxationSearch, type SearchState } from "./cases/relaxationSearch.ts";
export { isCancelled, unlessCancelled } from "./concurrency/cancelling.ts";
export { AutomaticLayout, type LayoutState } from "./geography/automaticLayout.ts";
export { CaseSession } from "./session/caseSession.ts";
export { type Drawing, drawingOfDisplay, drawingOfLayer } from "./geography/drawing.ts";
export { referredNames, rootScripts } from "./intake/dssFiles.ts";
export * from "./edits/edits.ts";
export { ElementEdit } from "./edits/elementEdit.ts";
export { changeTo, type ElementMove, type MoveMode, withMoves } from "./edits/elementMoves.ts";
export { type ElementResponse, MOST_RESPONSES } from "./preview/elementResponses.ts";
export { ElementPath, isLimit, type PathRequest, sameCourse } from "./preview/elementPath.ts";
export * from "./edits/editRange.ts";
export { ElementSlider, type EntryMode, type NextFrame } from "./edits/elementSlider.ts";
export { explanationIn } from "./cases/explanations.ts";
export * from "./cases/exports.ts";
export type { FileIntake, RunningBatch } from "./intake/fileIntake.ts";
export { Geography, type GeographyChange, type GeographyEngine } from "./geography/geography.ts";
export * from "./intake/intake.ts";
export * from "./intake/intakeLimits.ts";
export { LatestOnly } from "./concurrency/latestOnly.ts";
export { MutationQueue, StaleRevisionError } from "./mutations/mutationQueue.ts";
export type { NetworkGraph } from "./cases/networkGraph.ts";
export * from "./cases/openedCase.ts";
export * from "./mutations/revisionOrderer.ts";
export * from "./screening/outages.ts";
export * from "./intake/fileOutcomes.ts";
export { LoadabilityRun, type LoadabilityState } from "./screening/loadabilityRun.ts";
export { OutageScreen, type ScreenState } from "./screening/outageScreen.ts";
export { isEdit, planRelaxation, type RelaxationPlan } from "./cases/relaxation.ts";
export { elementKey, inStableOrder, isSelected, sameList, type SelectedList } from "./edits/selectedList.ts";
export { layoutPositions, type Point, type Positions } from "./geography/positions.ts";
export { reachable } from "./edits/reachable.ts";
export * from "./preview/reconciliation.ts";
export { SolutionStore } from "./quantities/solutionStore.ts";
export * from "./quantities/prices.ts";
export * from "./quantities/quantityTable.ts";
export type * from "./session/sessionState.ts";
export {
  type CommittedState,
  type ExactResult,
  type ReferenceState,
  StateHistory,
  type Visit,
} from "./history/stateHistory.ts";
export { editsText, movedElements } from "./history/stepText.ts";
export type * from "./history/stepEvent.ts";
export * from "./quantities/branchPower.ts";
export * from "./quantities/coneGap.ts";
export * from "./quantities/figures.ts";
export * from "./quantities/priceStatistics.ts";
export * from "./quantities/voltages.ts";
export * from "./quantities/reactiveLimits.ts";
export * from "./session/sessionStatus.ts";
export * from "./cases/viewedNetwork.ts";
export { Workspace } from "./workspace.ts";
export * from "./quantities/branchLoading.ts";
export { isSynthetic } from "./cases/syntheticCase.ts";
export * from "./cases/selection.ts";
export type * from "./workspaceInterface.ts";
export type * from "./cases/shownCase.ts";
export { AVAILABLE_FORMULATIONS, type Capability } from "./session/capabilities.ts";
export type { PreviewMode } from "./preview/previewMode.ts";
export type * from "./cases/relaxedChange.ts";
export { codeOf } from "./session/errorCode.ts";
export type * from "./intake/intakeHost.ts";
export type { LocalOpening, OpeningHost } from "./session/localOpening.ts";
