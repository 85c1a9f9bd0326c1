import { modelText, trans } from "../../text/index.ts";
import {
  answerNotices,
  type CaseSession,
  NO_EDITS,
  sameEdits,
  editsText,
  stepSentence,
  withDelta,
} from "../../workspace/index.ts";
import type { LegendContent, LegendScale } from "../colour/legend.ts";

/** Number of changes named; the others are counted. */
const NAMED = 6;

/**
 * The lines above a saved picture: the case; what the reader dropped from it, and whether its costs are assumed or
 * missing; formulation, convention and the state with its changes; and the meaning of the colours, with unit and scale.
 * They make the picture self-contained.
 */
export function pictureCaption(session: CaseSession, legend: LegendContent | null): string[] {
  const notices = answerNotices(
    session.opened.ingested,
    session.state.solution.prices !== undefined,
    session.state.edits,
  );
  const lines = [stateLine(session), ...(legend === null ? [] : [coloursLine(legend)])];
  return [session.caseName, ...notices, ...lines];
}

function stateLine(session: CaseSession): string {
  const { state, opened, status, selection, shownMw, series } = session;
  const model = modelText(state.solution);
  if (series.shown !== null) {
    const { series: solved, step } = series.shown;
    return trans.__("%1; %2: %3", model, solved.profile.name, stepSentence(solved, step));
  }
  const moved =
    selection === null || shownMw === null ? state.edits : withDelta(state.edits, selection, shownMw, opened);
  const changes = sameEdits(moved, NO_EDITS)
    ? trans.__("base case")
    : trans.__("changes from the base case: %1", editsText(NO_EDITS, moved, opened, session.formulation, NAMED));
  if (shownMw === null) {
    return trans.__("%1; state %2, %3", model, state.revision, changes);
  }
  const exact = status.kind !== "previewing" || status.exact;
  return exact
    ? trans.__("%1; exact preview, %2", model, changes)
    : trans.__("%1; linear estimate, %2", model, changes);
}

function coloursLine({ buses, lines, keepsRatings }: LegendContent): string {
  const coloured = [
    trans.__("Buses: %1", scaleText(buses)),
    lines === null
      ? keepsRatings
        ? trans.__("Lines: which bind, and which are loaded above 80 %")
        : trans.__("Lines: which are above their rating, and which are loaded above 80 %")
      : scaleText(lines),
  ];
  return coloured.join(". ");
}

/** `Price, 6.00 to 32.00 $/MWh`. */
function scaleText({ title, unit, scale, uniform, format }: LegendScale): string {
  if (uniform !== null || scale === null) {
    return trans.__("%1, %2", title, unit);
  }
  const signed = { signed: scale.kind === "change" };
  const { low, high } = scale.range;
  return trans.__("%1, %2 to %3 %4", title, format(low, signed), format(high, signed), unit);
}
