import { endSentence, formatMw, intervalSentence, previewErrorSentence, zeroColumnSentence } from "../words/index.ts";
import type { CaseSession } from "../workspace/index.ts";
import { statusText } from "./statusPill.ts";

/** One sentence on the selected element, and whether it tells of a failure. */
export interface Readout {
  text: string;
  failed: boolean;
}

/** Below this, $/MWh per MW, a column is zero up to rounding. */
const ZERO_COLUMN = 1e-9;

/** Whether no price responds to the selected element. */
export function columnIsZero(session: CaseSession): boolean {
  return session.store.column?.every((value) => !(Math.abs(value) > ZERO_COLUMN)) ?? false;
}

/** What the strip says about the selected element now. */
export function readout(session: CaseSession): Readout {
  const { status, column, columnProblem, state, opened } = session;
  if (status.kind === "failed") {
    return { text: `${statusText(session)} The state before is shown.`, failed: true };
  }
  if (columnProblem !== null) {
    return { text: columnProblem, failed: true };
  }
  if (column === null) {
    return { text: "Computing how prices respond\u2026", failed: false };
  }
  return { text: said(session, column, state.previewMiss, opened), failed: false };
}

function said(
  session: CaseSession,
  column: NonNullable<CaseSession["column"]>,
  miss: CaseSession["state"]["previewMiss"],
  opened: CaseSession["opened"],
): string {
  const { committedMw, previewMw } = session;
  if (previewMw !== null) {
    return previewSentence(session, column, previewMw);
  }
  const exact = miss === null ? "" : `Exact. ${previewErrorSentence(miss.usdPerMwh)}${atBus(session, miss.row)}. `;
  if (columnIsZero(session)) {
    return exact + zeroColumnSentence(column, committedMw, opened);
  }
  const kind =
    column.warrant.kind === "regular" ? "" : " At a breakpoint: the derivatives to its left and right differ.";
  return `${exact}First order is ${intervalSentence(column, committedMw)}.${kind}`;
}

function previewSentence(session: CaseSession, column: NonNullable<CaseSession["column"]>, previewMw: number): string {
  if (session.previewMode === "exact") {
    return "Exact at every step.";
  }
  const { committedMw, opened } = session;
  const [low, high] = column.warrant.ends;
  const step = previewMw - committedMw;
  const ahead = step >= 0 ? high : low;
  if (ahead === null) {
    return "First order, exact.";
  }
  return Math.abs(step) > Math.abs(ahead.mw)
    ? `First order, an estimate beyond ${endSentence(ahead, committedMw, opened, "where")}.`
    : `First order, exact until ${endSentence(ahead, committedMw, opened)}.`;
}

function atBus(session: CaseSession, row: number): string {
  const bus = session.opened.buses[row];
  return bus === undefined ? "" : `, at ${session.opened.nameOf("bus", bus.id)}`;
}

/** `61.2 → 81.2 MW`, or `61.2 MW` while nothing is changed. */
export function changeText(baseMw: number, deltaMw: number): string {
  const base = formatMw(baseMw);
  return deltaMw === 0 ? `${base} MW` : `${base} \u2192 ${formatMw(baseMw + deltaMw)} MW`;
}
