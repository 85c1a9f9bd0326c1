import { ABILITIES, type FormulationId, type JobStep } from "../contract.generated.ts";
import { runJob, type JobControl } from "./job.ts";
import type { Answer, JobSpec } from "../contract/protocol.ts";
import { atMost, PROGRESS_MS } from "./steps.ts";
import type { Transport } from "../transport/transport.ts";

/** Where a solve by iterations is. */
export interface SolveProgress {
  /** Part of the work, rising from 0 to 1: an estimate. */
  fraction: number;
  iteration: number;
  /** $/h. */
  objective: number;
  /** Largest violation left, MW. */
  residual: number;
  /** Relative to the objective. */
  gap: number;
}

/** How a solve is followed and cancelled. */
export interface SolvingOptions {
  /** Called at most every 50 ms; of formulations that iterate only. */
  onProgress?: ((progress: SolveProgress) => void) | undefined;
  /** Gives it up, which rejects with `ABORTED`; the state stays the one before. */
  signal?: AbortSignal | undefined;
}

/** Whether solves of a formulation are jobs. */
export function solvesInSteps(formulation: string): boolean {
  const abilities = Object.hasOwn(ABILITIES, formulation) ? ABILITIES[formulation as FormulationId] : [];
  return abilities.includes("progress");
}

/** Runs a solve in steps between which other calls get their turn. */
export function runSolve(
  transport: Transport,
  what: JobSpec,
  onProgress: SolvingOptions["onProgress"],
  control: JobControl,
): Promise<Answer> {
  const tell = atMost(PROGRESS_MS, onProgress);
  const onStep = ({ fraction, iteration, gap, done }: JobStep): void => {
    if (iteration !== undefined && gap !== undefined) tell({ fraction, ...iteration, gap }, done);
  };
  return runJob(transport, what, { ...control, onStep });
}
