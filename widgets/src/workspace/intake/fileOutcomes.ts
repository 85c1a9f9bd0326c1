import type { Diagnostic, GeoReport, IngestedCase, IngestedDistribution } from "@service/engine";
import { errorText, formatCount, messageText, numbered, partOf, trans } from "../../text/index.ts";
import { leftOutNotices } from "../cases/answerNotices.ts";
import { isFree } from "../cases/assumedCosts.ts";
import type { Drawing } from "../geography/drawing.ts";
import { codeOf } from "../solving/errorCode.ts";

/** The kind of an outcome: what the file is, that it waits for other files of its feeder, or that it was refused. */
export type OutcomeKind =
  "case" | "distribution" | "costs" | "geography" | "display" | "profile" | "security" | "waiting" | "refused";

/** An action offered for what was opened. */
export interface FileOffer {
  /** Label of its button. */
  label: string;
  /** Carries it out. Rejects with EngineError. */
  take(): Promise<unknown>;
}

/** The outcome of one file of a batch. */
export interface FileOutcome {
  name: string;
  outcome: OutcomeKind;
  /** The main sentence. */
  sentence: string;
  /** Stable code of a refusal, or of the missing files it waits for. */
  code?: string;
  /** Further sentences: warnings about records and elements. */
  notes: string[];
  offer?: FileOffer;
}

/** The outcome of a file that could not be used. */
export function refused(name: string, error: unknown, worded = (message: string): string => message): FileOutcome {
  return { name, outcome: "refused", sentence: worded(errorText(error, numbered)), code: codeOf(error), notes: [] };
}

/** The outcome of a file that the batch did not reach. */
export function cancelledOutcome(name: string): FileOutcome {
  return {
    name,
    outcome: "refused",
    sentence: trans.__("Cancelled before it was opened."),
    code: "ABORTED",
    notes: [],
  };
}

/** `3 buses, 2 lines, 2 generators, 1 HVDC link`: links and storage units where there are any. */
export function caseSize({ n_bus, n_branch, n_gen, topology }: IngestedCase): string {
  const { links = [], storage = [] } = topology;
  const counts = [
    busCount(n_bus),
    lineCount(n_branch),
    trans._n("%2 generator", "%2 generators", n_gen, formatCount(n_gen)),
    ...(links.length === 0 ? [] : [trans._n("%2 HVDC link", "%2 HVDC links", links.length, formatCount(links.length))]),
    ...(storage.length === 0
      ? []
      : [trans._n("%2 storage unit", "%2 storage units", storage.length, formatCount(storage.length))]),
  ];
  return counts.join(", ");
}

/** The sentence for a balanced case: what was opened, whether it has costs, and what the reader left out. */
export function caseSentence(read: IngestedCase, file: string): string {
  const size = caseSize(read);
  const sentence = isFree(read)
    ? trans.__("Opened %1: %2; it has no costs: all generation costs are zero until you add costs.", file, size)
    : trans.__("Opened %1: %2.", file, size);
  return [sentence, ...leftOutNotices(read)].join(" ");
}

/** The sentence for a multiconductor case. */
export function distributionSentence(read: IngestedDistribution): string {
  const { buses, edges } = read.graph;
  const lines = trans._n(
    "%2 line, switch or transformer",
    "%2 lines, switches and transformers",
    edges.length,
    formatCount(edges.length),
  );
  return trans.__("Distribution network with %1 and %2; it has no prices.", busCount(buses.length), lines);
}

/** Warnings of the reader, one sentence each, without the codes of libraries. */
export function diagnosticNotes(warnings: readonly Diagnostic[]): string[] {
  return warnings.map(({ sentence }) => messageText(partOf(sentence, "remark") ?? sentence, numbered));
}

/** The sentence for an applied geographic layer. */
export function geographySentence(report: GeoReport, caseName: string, buses: number): string {
  const { matched_buses, matched_branches, unmatched_records, unplaced_buses, space } = report;
  const some = trans.__("%1 of %2", formatCount(matched_buses), busCount(buses));
  const routes = trans.__("the routes of %1", lineCount(matched_branches));
  const placed = matched_branches === 0 ? some : matched_buses === 0 ? routes : trans.__("%1 and %2", some, routes);
  const sentences = [
    space === "geographic"
      ? trans.__("Places %1 of %2 on the map.", placed, caseName)
      : trans.__("Places %1 of %2 in the diagram (its coordinates are %3).", placed, caseName, spaceWords(space)),
    ...(unmatched_records > 0
      ? [
          trans._n(
            "%2 record matches nothing in the case.",
            "%2 records match nothing in the case.",
            unmatched_records,
            formatCount(unmatched_records),
          ),
        ]
      : []),
    ...(space === "geographic" && unplaced_buses > 0
      ? [
          trans._n(
            "%2 bus has no position and is omitted from the map.",
            "%2 buses have no position and are omitted from the map.",
            unplaced_buses,
            formatCount(unplaced_buses),
          ),
        ]
      : []),
  ];
  return sentences.join(" ");
}

/** A number of buses: `12 buses`. */
function busCount(count: number): string {
  return trans._n("%2 bus", "%2 buses", count, formatCount(count));
}

/** A number of lines: `12 lines`. */
function lineCount(count: number): string {
  return trans._n("%2 line", "%2 lines", count, formatCount(count));
}

function spaceWords(space: GeoReport["space"]): string {
  switch (space) {
    case "geographic":
      return trans.__("longitude and latitude");
    case "projected":
      return trans.__("projected");
    case "drawing":
      return trans.__("those of a drawing");
    case "unknown":
      return trans.__("not marked as longitude and latitude");
  }
}

/** The warnings of a layer, one sentence each. */
export function geographyNotes(report: GeoReport): string[] {
  const notes = report.warnings.map(({ record, sentence }) => {
    const message = messageText(sentence, numbered);
    return record > 0 ? trans.__("Record %1: %2", record, message) : message;
  });
  return report.warnings_left_out > 0
    ? [
        ...notes,
        trans._n(
          "%2 further warning is not listed.",
          "%2 further warnings are not listed.",
          report.warnings_left_out,
          formatCount(report.warnings_left_out),
        ),
      ]
    : notes;
}

/** The sentence for an applied drawing. */
export function displaySentence(drawing: Drawing, caseName: string, buses: number): string {
  const some = trans.__("%1 of %2", formatCount(drawing.buses), busCount(buses));
  const drawn = drawing.branches > 0 ? trans.__("%1 and %2", some, lineCount(drawing.branches)) : some;
  return trans.__("Draws %1 of %2 in the diagram.", drawn, caseName);
}
