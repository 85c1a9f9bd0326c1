import type { FormulationId, Solution } from "@service/engine";
import { visibleText } from "../../text/index.ts";
import type { CaseEdits } from "../edits/edits.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";
import type { NamedState } from "./stepEvent.ts";

/** A saved state of a Study: published in this session, or the unpublished best candidate of a plan. */
export interface CommittedState extends NamedState {
  /** Increases from 0, the first state, in the order in which states were added. */
  readonly id: number;
  /** The state it was reached from; null for the first one. */
  readonly parent: number | null;
  /** The note of its author; null without one. */
  readonly note: string | null;
  readonly edits: CaseEdits;
  readonly formulation: FormulationId;
  /** Whether it was committed elsewhere, in a cell for instance. */
  readonly remote: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** $/h; null where the formulation has no cost. */
  readonly objective: number | null;
  /** Hash of its result; empty where it has not been solved here yet. */
  readonly resultSha256: string;
  /** Wall time of the solve, ms; null where it was not measured. */
  readonly solveMs: number | null;
}

/** The exact result of a state. */
export interface ExactResult {
  readonly solution: Solution;
  readonly columns: QuantityTable;
}

/** A state with its numbers. */
export interface ReferenceState {
  readonly state: CommittedState;
  readonly columns: QuantityTable;
}

/** A state before it is added to a history. */
export type DescribedState = Pick<CommittedState, "revision" | "event" | "edits" | "remote">;

/** Maximum lengths of names and notes, characters. */
const LONGEST_NAME = 120;
const LONGEST_NOTE = 2000;

/** A state with its result, ready to be added to a history. */
export function solvedState(
  described: DescribedState & Pick<CommittedState, "id" | "parent">,
  { formulation, objective, result_sha256, solve_ms }: Solution,
): CommittedState {
  const result = { formulation, objective: objective ?? null, resultSha256: result_sha256, solveMs: solve_ms ?? null };
  return { ...described, name: null, note: null, at: Date.now(), ...result };
}

/** A name as it is stored: one line of bounded length without invisible characters; null when nothing remains. */
export function plainName(name: string): string | null {
  return bounded(visibleText(name), LONGEST_NAME);
}

/** A note as it is stored: its lines without invisible characters; null when nothing remains. */
export function plainNote(note: string): string | null {
  return bounded(
    note
      .split(/\r\n|[\r\n]/)
      .map(visibleText)
      .join("\n"),
    LONGEST_NOTE,
  );
}

function bounded(text: string, longest: number): string | null {
  const short = [...text.trim()].slice(0, longest).join("").trimEnd();
  return short === "" ? null : short;
}
