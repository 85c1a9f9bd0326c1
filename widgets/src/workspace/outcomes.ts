import type { Diagnostic, GeoReport, IngestedCase, IngestedDistribution } from "@service/engine";
import { asSentence, counted, formatCount } from "../words/index.ts";
import type { Drawing } from "./drawing.ts";
import { codeOf } from "./status.ts";

/** What a file turned out to be, or that it was refused. */
export type OutcomeKind = "case" | "distribution" | "geography" | "display" | "refused";

/** What became of one file of a batch. */
export interface FileOutcome {
  name: string;
  outcome: OutcomeKind;
  /** What a person reads first. */
  sentence: string;
  /** Stable code of a refusal. */
  code?: string;
  /** Further sentences: warnings about records and elements. */
  notes: string[];
}

/** The outcome of a file that could not be used. */
export function refused(name: string, error: unknown, before = ""): FileOutcome {
  const message = error instanceof Error ? error.message : String(error);
  return { name, outcome: "refused", sentence: asSentence(before + message), code: codeOf(error), notes: [] };
}

/** The outcome of a file that was not looked at any more. */
export function cancelledOutcome(name: string): FileOutcome {
  return { name, outcome: "refused", sentence: "Cancelled before it was opened.", code: "ABORTED", notes: [] };
}

/** What a balanced case holds. */
export function caseSentence(read: IngestedCase): string {
  const parts = [
    counted(read.n_bus, "bus", "buses"),
    counted(read.n_branch, "line", "lines"),
    counted(read.n_gen, "generator", "generators"),
  ];
  return `Case with ${parts.join(", ")}.`;
}

/** What a multiconductor case holds. */
export function distributionSentence(read: IngestedDistribution): string {
  const { buses, edges } = read.graph;
  const lines = counted(edges.length, "line, switch or transformer", "lines, switches and transformers");
  return `Distribution network with ${counted(buses.length, "bus", "buses")} and ${lines}; it has no prices.`;
}

/** Warnings of the reader, one sentence each. */
export function diagnosticNotes(warnings: readonly Diagnostic[]): string[] {
  return warnings.map(({ message }) => asSentence(message));
}

/** What a geographic layer did to a case. */
export function geographySentence(report: GeoReport, caseName: string, buses: number): string {
  const { matched_buses, matched_branches, unmatched_records, unplaced_buses, space } = report;
  const placed = [
    ...(matched_buses > 0 ? [`${formatCount(matched_buses)} of ${counted(buses, "bus", "buses")}`] : []),
    ...(matched_branches > 0 ? [`the routes of ${counted(matched_branches, "line", "lines")}`] : []),
  ];
  const where = space === "geographic" ? "on the map" : `in the diagram (its coordinates are ${SPACES[space]})`;
  const sentences = [
    `Places ${placed.join(" and ")} of ${caseName} ${where}.`,
    ...(unmatched_records > 0
      ? [`${counted(unmatched_records, "record matches", "records match")} nothing in the case.`]
      : []),
    ...(space === "geographic" && unplaced_buses > 0
      ? [
          `${counted(unplaced_buses, "bus has", "buses have")} no position and ${unplaced_buses === 1 ? "is" : "are"} left out of the map.`,
        ]
      : []),
  ];
  return sentences.join(" ");
}

const SPACES: Record<GeoReport["space"], string> = {
  geographic: "longitude and latitude",
  projected: "projected",
  drawing: "those of a drawing",
  unknown: "not marked as longitude and latitude",
};

/** The warnings of a layer, one sentence each. */
export function geographyNotes(report: GeoReport): string[] {
  const notes = report.warnings.map(({ record, message }) => (record > 0 ? `Record ${record}: ${message}` : message));
  return report.warnings_left_out > 0
    ? [...notes, `${formatCount(report.warnings_left_out)} further warnings are not listed.`]
    : notes;
}

/** What a drawing did to a case. */
export function displaySentence(drawing: Drawing, caseName: string, buses: number): string {
  const lines = drawing.branches > 0 ? ` and ${counted(drawing.branches, "line", "lines")}` : "";
  return `Draws ${formatCount(drawing.buses)} of ${counted(buses, "bus", "buses")}${lines} of ${caseName} in the diagram.`;
}
