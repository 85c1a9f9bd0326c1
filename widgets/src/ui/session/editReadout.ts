import type { Explanation, SensitivityHead, WarrantEnd } from "@service/engine";
import {
  aheadSentence,
  breakpointEnd,
  collapseSentence,
  comparisonSentence,
  costCurveSentence,
  type EditUnit,
  endSentence,
  exactSentence,
  floorSentence,
  formatPower,
  formatPrice,
  isEstimate,
  isOneSided,
  noSolutionHead,
  oneSidedSentence,
  passedLimitSentence,
  pathEndReason,
  pathProblemSentence,
  priceIntervalSentence,
  refusalSentence,
  stopReason,
  susceptanceText,
  trans,
  unitOfChange,
  voltageEstimateSentence,
  zeroColumnSentence,
} from "../../text/index.ts";
import {
  type CaseSession,
  costCurveOf,
  deltaOf,
  editedValue,
  isBranchValue,
  solvesHere,
  isLimit,
  isNoSolution,
  type OpenedCase,
  passedLimit,
  relativeError,
  type Selection,
  unitOf,
} from "../../workspace/index.ts";

/** One sentence on the selected element, and whether it reports a failure. */
export interface Readout {
  text: string;
  failed: boolean;
  /** The feasible change nearest to a failed one, where it is known, rounded into the feasible range. */
  limit?: EditLimit;
  /** Further details of a failure, folded; absent where the text is complete. */
  details?: string;
}

/** How far the selected element can go: a change from the base case, and its text. */
export interface EditLimit {
  mw: number;
  /** `+158.9 MW`. */
  text: string;
}

/** A column below this, $/MWh per MW, is zero up to rounding. */
const ZERO_COLUMN = 1e-9;
/** An end this close, MW, counts as the present position. */
const HERE_MW = 1e-6;

/** Whether no price responds to the selected element. */
export function columnIsZero(session: CaseSession): boolean {
  const { dense } = session.store;
  const sides = dense === null ? [] : [dense.values, dense.left, dense.right].filter((values) => values !== null);
  return sides.length > 0 && sides.every((values) => values.every((value) => !(Math.abs(value) > ZERO_COLUMN)));
}

/** The text of the edit bar about the selected element. */
export function readout(session: CaseSession): Readout {
  const { status, column, columnProblem, selection } = session;
  if (status.kind === "failed") {
    return refusedReadout(session, status);
  }
  const isEditable = selection !== null && session.opened.isEditable(selection);
  if (
    selection !== null &&
    solvesHere(selection, session.capabilities.has("paths"), session.state.edits, session.opened)
  ) {
    const own =
      selection.kind === "link"
        ? linkSentence(session, selection.id)
        : selection.kind === "storage"
          ? storageSentence(session, selection.id)
          : "";
    return { text: `${own} ${solvedSentence(session)}`.trim(), failed: false };
  }
  if (!session.capabilities.has("sensitivities")) {
    return { text: withoutPrices(session), failed: columnProblem !== null && isEditable };
  }
  if (columnProblem !== null) {
    return { text: columnProblem, failed: isEditable };
  }
  if (column === null && selection?.kind === "generator" && session.responseOf(selection) !== null) {
    return { text: solvedSentence(session), failed: false };
  }
  if (column === null) {
    return { text: trans.__("Computing how prices respond\u2026"), failed: false };
  }
  const { previewMw, passedLimit: passed, opened } = session;
  if (passed !== null && selection !== null && previewMw !== null) {
    const unit = unitOfChange(column);
    const whole = passedLimitSentence(passed, editedValue(selection), opened, unit);
    const up = previewMw >= session.committedMw;
    const limit = limitAt(passed.mw, up, unit);
    return passed.reason === "edit_limit"
      ? { text: whole, failed: true, limit }
      : { text: trans.__("Not feasible. %1", limitSentence(limit, up)), failed: true, limit, details: whole };
  }
  const text = previewMw === null ? restSentence(session, column) : previewSentence(session, column, previewMw);
  return { text: `${withoutEffect(session)} ${text}`.trim(), failed: false };
}

/** The value of an HVDC link at its present power; empty in formulations without prices. */
function linkSentence({ store, opened }: CaseSession, id: number): string {
  const row = opened.rowOf({ kind: "link", id });
  const [difference, rent] = [store.columns.at("link_price_difference", row), store.columns.at("link_rent", row)];
  return Number.isFinite(difference + rent)
    ? trans.__("Price difference %1 $/MWh, congestion rent %2 $/h.", formatPrice(difference), formatPrice(rent))
    : "";
}

/** Whether a storage unit is held, or the prices at which it gains. */
function storageSentence({ store, opened, options }: CaseSession, id: number): string {
  const row = opened.rowOf({ kind: "storage", id });
  if (options.storage !== "valued") {
    return trans.__("Storage is held at its power; the value of its energy counts where storage is dispatched by it.");
  }
  const [low, high] = [
    store.columns.at("storage_charges_below", row),
    store.columns.at("storage_discharges_above", row),
  ];
  return Number.isFinite(low + high)
    ? trans.__("Charges below %1 and discharges above %2 $/MWh.", formatPrice(low), formatPrice(high))
    : trans.__("Held: its energy has no value.");
}

type Failed = CaseSession["status"] & { kind: "failed" };

/** A refused change: the limit first, the contradiction folded. */
function refusedReadout(session: CaseSession, status: Failed): Readout {
  const { opened, selection, state } = session;
  const details = trans.__("%1 The previous state is shown.", refusalSentence(status, opened));
  const tried = selection === null || status.tried === null ? null : deltaOf(status.tried.edits, selection, opened);
  const moved = tried !== null && tried !== session.committedMw;
  if (selection === null || tried === null || !moved || !isNoSolution(status.code)) {
    const text = trans.__("%1 The previous state is shown.", noSolutionHead(status, opened));
    return text === details ? { text, failed: true } : { text, failed: true, details };
  }
  const up = tried >= session.committedMw;
  const unit = unitOf(selection, state.solution.formulation);
  const at = limitOfRefusal(session, status, selection, tried);
  const head = trans.__("No solution at %1.", formatPower(tried, unit, { signed: true }));
  if (at === null) {
    return { text: trans.__("%1 The previous state is shown.", head), failed: true, details };
  }
  const limit = limitAt(at, up, unit);
  return { text: `${head} ${limitSentence(limit, up)}`, failed: true, limit, details };
}

/**
 * How far a refused element could have gone: by its path or column, or for a demand by the explanation. MW from the
 * base case.
 */
function limitOfRefusal(session: CaseSession, status: Failed, selection: Selection, tried: number): number | null {
  const known = passedLimit(tried, session.committedMw, session.path, session.column);
  const limit = ((status.details ?? {}) as { explanation?: Explanation }).explanation?.demand_limit;
  const { kind, id } = selection;
  const own = limit !== undefined && kind === "bus" && limit.element.kind === kind && limit.element.id === id;
  return known?.mw ?? (own ? limit.edit_mw : null);
}

/** The limit at a change, rounded into the feasible range. */
function limitAt(mw: number, up: boolean, unit: EditUnit): EditLimit {
  const tenths = up ? Math.floor(10 * mw + HERE_MW) : Math.ceil(10 * mw - HERE_MW);
  const rounded = tenths / 10 + 0; // avoids negative zero
  return { mw: rounded, text: formatPower(rounded, unit, { signed: true }) };
}

function limitSentence({ text }: EditLimit, up: boolean): string {
  return up ? trans.__("At most %1.", text) : trans.__("At least %1.", text);
}

/** The sentence for a value without a derivative: it is solved during the drag or on release. */
function solvedSentence(session: CaseSession): string {
  const { status, state, selection, capabilities, previewMode } = session;
  const curve = selection === null ? null : costCurveOf(session, selection);
  const sentence =
    status.kind === "previewing" && status.exact
      ? trans.__("Exact.")
      : capabilities.has("paths") && previewMode === "exact"
        ? trans.__("No linear estimate: every position is solved exactly.")
        : trans.__("No preview; results follow on release.");
  const effect = withoutEffect(session);
  return [state.remark ?? "", effect, sentence, curve === null ? "" : costCurveSentence(...curve)]
    .filter((text) => text !== "")
    .join(" ");
}

/** The note that the DC model of the state lacks the edited value of a branch; empty where it has it. */
function withoutEffect({ selection, state }: CaseSession): string {
  const { dc_convention: convention } = state.solution;
  if (selection === null || !isBranchValue(selection) || convention === undefined) {
    return "";
  }
  if (selection.value === "tap" && convention !== "matpower") {
    return trans.__("Tap ratios have no effect in this DC model (susceptance %1).", susceptanceText(convention));
  }
  return selection.value === "shift" && convention === "powermodels"
    ? trans.__("Phase shifts have no effect in this DC model.")
    : "";
}

/** The sentence for formulations without prices: the accuracy of the voltage estimate, and where voltages collapse. */
function withoutPrices(session: CaseSession): string {
  const { state, store, committedMw, opened, columnProblem, selection } = session;
  if (store.estimate === null && !store.previewsFlows) {
    const reason = columnProblem ?? trans.__("No preview; results follow on release.");
    return [state.remark ?? "", reason].filter((text) => text !== "").join(" ");
  }
  const shown = store.previewsFlows
    ? trans.__("Voltages, flows and loading at this position; they are checked on release.")
    : store.estimate === null
      ? ""
      : voltageEstimateSentence(store.estimate.head, committedMw);
  const collapse = selection === null ? "" : collapseSentence(session.collapseOf(selection), opened);
  return [state.remark ?? "", shown, collapse].filter((text) => text !== "").join(" ");
}

function restSentence(session: CaseSession, column: SensitivityHead): string {
  const { committedMw, opened, pathProblem, range } = session;
  const curve = session.selection === null ? null : costCurveOf(session, session.selection);
  const interval =
    curve !== null
      ? costCurveSentence(...curve)
      : isOneSided(column)
        ? oneSidedText(session, column)
        : columnIsZero(session)
          ? zeroColumnSentence(column, committedMw, opened, range)
          : exactSentence(column, committedMw, opened, range);
  const path = pathProblem === null ? "" : pathProblemSentence(pathProblem);
  return [session.state.remark ?? "", comparedText(session), interval, priceIntervalSentence(column), path]
    .filter((text) => text !== "")
    .join(" ");
}

/** The last preview beside the exact result; the Compare section of the panel has the details. */
function comparedText({ state, selection, opened }: CaseSession): string {
  const difference = state.reconciled;
  if (difference === null) {
    return "";
  }
  const own =
    selection !== null && selection.kind !== "branch" && opened.busRow(opened.busOf(selection)) === difference.row;
  return comparisonSentence(
    difference,
    relativeError(difference),
    own ? "" : opened.nameOf("bus", opened.busId(difference.row)),
  );
}

/** Both derivatives at a breakpoint, at the selected bus, or at the bus that a rating affects most. */
function oneSidedText(session: CaseSession, column: SensitivityHead): string {
  const { selection, opened, store, path } = session;
  const { left = null, right = null } = store.dense ?? {};
  const [low, high] = column.warrant.ends;
  const watched = low?.watched_bus ?? high?.watched_bus ?? path?.watchedBus ?? -1;
  const own = selection !== null && selection.kind !== "branch";
  const row = opened.busRow(own ? opened.busOf(selection) : watched);
  const at = own ? "" : busName(session, row);
  const jump = (end: typeof low): number | null =>
    end !== null && Math.abs(end.mw) <= HERE_MW ? end.price_jump : null;
  const sides = {
    left: left?.[row],
    right: right?.[row],
    units: column.units,
    jumpUp: jump(high),
    jumpDown: jump(low),
    floor: floorSentence(column),
  };
  return oneSidedSentence(sides, at);
}

function previewSentence(session: CaseSession, column: SensitivityHead, previewMw: number): string {
  const { committedMw, opened, status } = session;
  const up = previewMw >= committedMw;
  if (status.kind === "previewing" && status.exact) {
    const unit = unitOfChange(column);
    return [exactPreviewSentence(session, previewMw, up, unit), passedSentence(session, up, unit)]
      .filter(Boolean)
      .join(" ");
  }
  const [low, high] = column.warrant.ends;
  const step = previewMw - committedMw;
  const end = step >= 0 ? high : low;
  const ahead = isBeyondSlider(session, end) ? null : end;
  if (session.curved || isEstimate(column)) {
    return estimateSentence(ahead, step, committedMw, opened, unitOfChange(column));
  }
  if (ahead === null) {
    return trans.__("Linear estimate, exact.");
  }
  return Math.abs(step) > Math.abs(ahead.mw)
    ? trans.__(
        "Linear estimate, approximate beyond %1.",
        endSentence(ahead, committedMw, opened, "where", unitOfChange(column)),
      )
    : trans.__(
        "Linear estimate, exact until %1.",
        endSentence(ahead, committedMw, opened, "then", unitOfChange(column)),
      );
}

/** Whether an end of the interval lies beyond the slider and is not mentioned. */
function isBeyondSlider({ range, committedMw }: CaseSession, end: WarrantEnd | null): boolean {
  const at = committedMw + (end?.mw ?? 0);
  return range !== null && end !== null && (at > range.max + HERE_MW || at < range.min - HERE_MW);
}

/** How far the present region of the exact path extends from a position. */
function exactPreviewSentence({ path, opened }: CaseSession, previewMw: number, up: boolean, unit: EditUnit): string {
  const ahead = path?.ahead(previewMw, up) ?? null;
  if (ahead !== null) {
    return trans.__("Exact. %1.", aheadSentence(ahead, up, opened, unit));
  }
  const stop = (up ? path?.above : path?.below) ?? null;
  if (stop !== null && isLimit(stop)) {
    // The remedy is shown at the end of the slider; here it would hide the event just passed.
    const until = formatPower(stop.mw, unit, { signed: true });
    return trans.__("Exact until %1. %2", until, stopReason(stop, opened));
  }
  const beyond = stop !== null && (up ? previewMw > stop.mw : previewMw < stop.mw);
  return beyond ? trans.__("Exact, %1.", pathEndReason(stop)) : trans.__("Exact.");
}

/** The event that the move has passed last; empty without one. */
function passedSentence({ passedBreakpoints, opened }: CaseSession, up: boolean, unit: EditUnit): string {
  const last = passedBreakpoints.at(-1);
  return last === undefined
    ? ""
    : trans.__("Passed %1.", endSentence(breakpointEnd(last, up), 0, opened, "where", unit));
}

/** The sentence for a tangent, which is exact nowhere else and less accurate where other limits bind. */
function estimateSentence(
  ahead: WarrantEnd | null,
  step: number,
  committedMw: number,
  opened: OpenedCase,
  unit: EditUnit,
): string {
  if (ahead === null) {
    return trans.__("Linear estimate.");
  }
  return Math.abs(step) > Math.abs(ahead.mw)
    ? trans.__("Linear estimate, rough beyond %1.", endSentence(ahead, committedMw, opened, "where", unit))
    : trans.__("Linear estimate up to %1.", endSentence(ahead, committedMw, opened, "then", unit));
}

function busName(session: CaseSession, row: number): string {
  const bus = session.opened.buses[row];
  return bus === undefined ? trans.__("no bus") : session.opened.nameOf("bus", bus.id);
}
