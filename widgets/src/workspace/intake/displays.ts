import type { Display } from "@service/engine";
import { formatCount, trans } from "../../text/index.ts";
import { drawingOfDisplay } from "../geography/drawing.ts";
import { coded } from "./batchFiles.ts";
import { diagnosticNotes, displaySentence, type FileOutcome, refused } from "./fileOutcomes.ts";
import type { IntakeTarget } from "./intakeWorkspace.ts";

/** Applies a drawing to every case that has a bus in it. `noCase` is the reason why there is no case. */
export function applyDisplay(
  file: string,
  display: Display,
  targets: readonly IntakeTarget[],
  noCase: string,
): FileOutcome {
  const sentences = targets.flatMap(({ name, geography }) => {
    const drawing = drawingOfDisplay(display, geography.graph, file);
    if (drawing === null) {
      return [];
    }
    geography.setDrawing(drawing);
    return [displaySentence(drawing, name, geography.graph.moduleBuses)];
  });
  if (sentences.length > 0) {
    const notes = diagnosticNotes(display.unmatched);
    return { name: file, outcome: "display", sentence: sentences.join(" "), notes };
  }
  if (targets.length === 0) {
    const symbols = display.substations.length + display.buses.length;
    const what = trans._n("A drawing with %2 symbol.", "A drawing with %2 symbols.", symbols, formatCount(symbols));
    return refused(file, coded("INPUT.NO_CASE", `${what} ${noCase}`));
  }
  const names = targets.map(({ name }) => name).reduce((list, name) => trans.__("%1 or %2", list, name));
  return refused(file, coded("INPUT.DISPLAY_NO_MATCH", trans.__("The drawing places no bus of %1.", names)));
}
