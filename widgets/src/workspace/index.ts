export type * from "./history/activityEvent.ts";
export type { ActivityLog } from "./history/activityLog.ts";
export type { FormulationResult } from "./history/formulationComparison.ts";
export { activityText } from "./history/activityText.ts";
export { RelaxationSearch, type SearchState } from "./cases/relaxationSearch.ts";
export {
  answerMark,
  answerNotices,
  assumedRatings,
  isAssumed,
  leftOutNotices,
  ratingsNotice,
} from "./cases/answerNotices.ts";
export {
  offersOfNetwork,
  offersOfSession,
  optionNames,
  ratingsOffer,
  type SolveOffer,
  securityOffer,
  storageOffer,
} from "./solving/solveOffers.ts";
export { type CostsAsked, costsMark, costsNotice, hasAssumedCosts, isFree, lacksCosts } from "./cases/assumedCosts.ts";
export { cancelledError, isCancelled, unlessCancelled } from "./concurrency/cancelling.ts";
export { AutomaticLayout, type LayoutState } from "./geography/automaticLayout.ts";
export { CaseSession, type SessionInit } from "./session/caseSession.ts";
export { type Drawing, drawingOfDisplay, drawingOfLayer } from "./geography/drawing.ts";
export { referredNames, rootScripts } from "./intake/dssFiles.ts";
export * from "./edits/added.ts";
export * from "./edits/edits.ts";
export * from "./edits/status.ts";
export * from "./edits/generatorEdits.ts";
export * from "./edits/generatorValues.ts";
export { type ElementResponse, MOST_RESPONSES } from "./preview/elementResponses.ts";
export { ElementPath, isLimit, type PathRequest, sameCourse } from "./preview/elementPath.ts";
export { type CollapseAhead, VoltageCurve } from "./preview/voltageCurve.ts";
export * from "./edits/editRange.ts";
export * from "./edits/selectionColumns.ts";
export * from "./edits/fuelCosts.ts";
export { EditsSlider } from "./edits/editsSlider.ts";
export { FuelSlider } from "./edits/fuelSlider.ts";
export * from "./edits/interfaces.ts";
export { nextTask, type NextFrame } from "./concurrency/frames.ts";
export { ElementEdit, ElementSlider, type EntryMode } from "./edits/elementSlider.ts";
export { explanationIn } from "./cases/explanations.ts";
export * from "./cases/exports.ts";
export {
  type FeederChange,
  type FeederEngine,
  type FeederState,
  FeederStudy,
  optionsThatHelp,
  type Refused,
} from "./feeder/feederStudy.ts";
export { openedFeeder, type OpenedFeeder } from "./feeder/openedFeeder.ts";
export { BUS_VOLTAGES, type BusVoltage, FeederRows } from "./feeder/feederRows.ts";
export { FeederProfile, type ProfilePoint } from "./feeder/feederProfile.ts";
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
export type { RatingEffect, RatingEffects } from "./screening/ratingEffects.ts";
export { OutageScreen, type ScreenState } from "./screening/outageScreen.ts";
export * from "./journal/journal.ts";
export type * from "./cases/caseCatalogue.ts";
export type { DenseColumn } from "./solving/exactSolver.ts";
export * from "./proposals/approval.ts";
export * from "./proposals/proposal.ts";
export * from "./proposals/proposalDesk.ts";
export type { CheckedChange } from "./mutations/committer.ts";
export { isEdit, planRelaxation, type RelaxationPlan } from "./cases/relaxation.ts";
export { editKey, elementKey, inStableOrder, isSelected, sameList, type SelectedList } from "./edits/selectedList.ts";
export { layoutPositions, type Point, type Positions } from "./geography/positions.ts";
export { passedLimit, type PassedLimit } from "./edits/feasibleLimit.ts";
export * from "./preview/reconciliation.ts";
export { SolutionStore } from "./quantities/solutionStore.ts";
export * from "./quantities/prices.ts";
export * from "./quantities/priceParts.ts";
export * from "./quantities/quantityTable.ts";
export type * from "./session/sessionState.ts";
export type { CommittedState, ExactResult, ReferenceState } from "./history/committedState.ts";
export type { PriceChanges, SettingUnits } from "./history/priceChanges.ts";
export * from "./history/stateLanes.ts";
export { StateHistory, type Visit } from "./history/stateHistory.ts";
export { Inspection, InspectingError } from "./session/inspection.ts";
export * from "./planning/plans.ts";
export * from "./planning/planMoves.ts";
export type { CircuitChoice } from "./planning/circuitPlans.ts";
export { trialText } from "./planning/trialText.ts";
export type * from "./study/record.ts";
export * from "./study/studyRecords.ts";
export { inputOf, takeBundle } from "./study/openedBundle.ts";
export { aboutOf, openedAs, type StudyAbout } from "./study/studyAbout.ts";
export { StudyWriter } from "./study/studyBundle.ts";
export { editsText } from "./history/stepText.ts";
export type * from "./history/stepEvent.ts";
export * from "./quantities/branchPower.ts";
export * from "./quantities/linkPower.ts";
export * from "./quantities/generatorCosts.ts";
export * from "./quantities/coneGap.ts";
export * from "./quantities/figures.ts";
export * from "./quantities/priceStatistics.ts";
export * from "./quantities/voltages.ts";
export * from "./quantities/reactiveLimits.ts";
export type { Profile } from "./series/profile.ts";
export { Profiles, SYNTHETIC_HOURS, syntheticName } from "./series/profiles.ts";
export * from "./series/seriesFigures.ts";
export { SeriesRun, type SeriesState } from "./series/seriesRun.ts";
export { SeriesView, SPEEDS } from "./series/seriesView.ts";
export { type ShownStep, SolvedSeries } from "./series/solvedSeries.ts";
export * from "./series/stepLabel.ts";
export * from "./session/sessionStatus.ts";
export * from "./cases/viewedNetwork.ts";
export { Workspace } from "./workspace.ts";
export * from "./quantities/branchLoading.ts";
export { isSynthetic } from "./cases/syntheticCase.ts";
export * from "./cases/selection.ts";
export type * from "./workspaceInterface.ts";
export type * from "./cases/shownCase.ts";
export { AVAILABLE_FORMULATIONS, type Capability, does } from "./session/capabilities.ts";
export { type MapView, ViewMemory } from "./session/viewMemory.ts";
export type * from "./cases/relaxedChange.ts";
export { codeOf } from "./solving/errorCode.ts";
export type * from "./intake/intakeWorkspace.ts";
export type { AcceptOpening, LocalOpening } from "./session/localOpening.ts";
export * from "./planning/planDraft.ts";
export * from "./planning/boxPick.ts";
