import { ABILITIES, type FormulationId, type JobStep } from "../contract.generated.ts";
import { runJob, type JobControl } from "./job.ts";
import type { Answer, JobSpec } from "../contract/protocol.ts";
import { atMost, PROGRESS_MS } from "./steps.ts";
import type { Transport } from "../transport/transport.ts";

/** Progress of an iterative solve. */
export interface SolveProgress {
  /** Estimated fraction of the work that is done, from 0 to 1. */
  fraction: number;
  iteration: number;
  /** $/h. */
  objective: number;
  /** Largest remaining violation, MW. */
  residual: number;
  /** Relative to the objective. */
  gap: number;
}

/** Options of a solve. */
export interface SolvingOptions {
  /** Called at most every 50 ms, by iterative formulations only. */
  onProgress?: ((progress: SolveProgress) => void) | undefined;
  /** Cancels the solve, which rejects with `ABORTED`; the previous state stays. */
  signal?: AbortSignal | undefined;
}

/** Whether solves of a formulation are jobs. */
export function solvesInSteps(formulation: string): boolean {
  const abilities = Object.hasOwn(ABILITIES, formulation) ? ABILITIES[formulation as FormulationId] : [];
  return abilities.includes("progress");
}

/** Runs a solve in steps between which other calls run. */
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
