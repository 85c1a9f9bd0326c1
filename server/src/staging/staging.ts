// `wattbook-server stage-data`: makes a folder that the server can serve, with every case solved.
import { rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { englishMessage } from "@service/engine/node";
import { BaseStore, type Base, type BaseKey } from "../cases/baseStore.ts";
import { makeBase, reasonOf } from "../cases/cases.ts";
import { CATALOGUE_FILE, type CatalogueCase, type CatalogueEntry, type CatalogueFile } from "../cases/catalogue.ts";
import { createSolver } from "../solver/create.ts";
import { engineFile } from "../solver/engineFile.ts";
import type { SolverPool } from "../solver/pool.ts";
import { readOperatorCases } from "./operatorCases.ts";
import { gridsFolder, readGrids } from "./ownGrids.ts";
import { makeRoom, publish, type Room } from "./publish.ts";
import { fileReason, StagingError } from "./stagingError.ts";

export { StagingError };

/** Options of a staging. */
export interface StageOptions {
  /** The operator's cases, `CASE[,COORDS[,ROUTES]]` each; by default the grids of this installation. */
  from?: readonly string[];
  /** Folder of the grids, in place of the installation's own. */
  grids?: string;
  /** Called for each case after it was solved or failed. */
  report?: (staged: StagedCase) => void;
  /** Cancels the staging; nothing is written then. */
  signal?: AbortSignal;
}

/** The result for one case. */
export interface StagedCase {
  entry: CatalogueEntry;
  /** $/h of the base case; null without a solution, with the reason in `entry.unavailable_reason`. */
  objective: number | null;
  /** Sentences for the operator. */
  notes: readonly string[];
}

/** Time limit of the pool; base cases have a longer one of their own. */
const SOLVER_SECS = 600;

/**
 * Stages cases into `dir`: catalogue, modules and base solutions, written to a temporary folder and then renamed. Input
 * that cannot be read is a `StagingError` that names the file, and nothing is written. A case without a solution stays
 * in the catalogue with the reason.
 */
export async function stageData(dir: string, options: StageOptions = {}): Promise<StagedCase[]> {
  const target = resolve(dir);
  const { cases, shipped } = await sourcesOf(options);
  const room = await written(target, makeRoom(target));
  const solver = createSolver(
    { solverConcurrency: Math.min(cases.length, availableParallelism()), solverTimeoutSecs: SOLVER_SECS },
    cases,
  );
  const abort = () => void solver.close();
  options.signal?.addEventListener("abort", abort, { once: true });
  try {
    const made = { room, shipped, solver, bases: new BaseStore(room.temporary, (await engineFile()).sha256) };
    const staged = await all(
      cases.map(async (source) => {
        const one = await written(target, stageCase(source, made));
        if (!options.signal?.aborted) options.report?.(one);
        return one;
      }),
    );
    options.signal?.throwIfAborted();
    const entries = staged.map(({ entry }) => entry).sort((a, b) => (a.id < b.id ? -1 : 1));
    const catalogue: CatalogueFile = { schema: "wattbook-catalogue", version: 1, cases: entries };
    const path = join(room.temporary, CATALOGUE_FILE);
    await written(target, writeFile(path, `${JSON.stringify(catalogue, null, 2)}\n`));
    await written(target, publish(room, target, entries));
    return staged;
  } finally {
    options.signal?.removeEventListener("abort", abort);
    await solver.close();
    await rm(room.temporary, { recursive: true, force: true });
  }
}

/** The cases to stage, and their shipped base solutions. */
async function sourcesOf({ from = [], grids }: StageOptions): Promise<{
  cases: (CatalogueCase & { notes?: string[] })[];
  shipped: BaseStore | undefined;
}> {
  if (from.length > 0) return { cases: await readOperatorCases(from), shipped: undefined };
  const folder = grids ?? gridsFolder();
  return { cases: await readGrids(folder), shipped: new BaseStore(folder, (await engineFile()).sha256) };
}

interface Making {
  room: Room;
  shipped: BaseStore | undefined;
  solver: SolverPool;
  bases: BaseStore;
}

/** Solves one case and writes its files into the temporary folder. */
async function stageCase(source: CatalogueCase & { notes?: string[] }, making: Making): Promise<StagedCase> {
  const { entry, module, notes = [] } = source;
  await writeFile(join(making.room.temporary, entry.module), module);
  let base: Base;
  try {
    base = await verified(source, making);
  } catch (error) {
    const reason = reasonOf(error as Error);
    const unavailable = { unavailable_reason: englishMessage(reason), unavailable_sentence: reason };
    return { entry: { ...entry, ...unavailable }, objective: null, notes };
  }
  await making.bases.write(keyOf(entry), base);
  const { objective } = JSON.parse((await base.solution.plain()).toString("utf8")) as { objective: number };
  return { entry, objective, notes };
}

/** The base of a case: solved when the installation was built, if by this very engine, or solved now. */
async function verified(source: CatalogueCase, { shipped, solver }: Making): Promise<Base> {
  const known = await shipped?.read(keyOf(source.entry), source.module);
  return typeof known === "object" ? known : makeBase(source, solver);
}

const keyOf = ({ id, name, sha256 }: CatalogueEntry): BaseKey => ({ id, name, module: sha256 });

/** All results, or the first failure once nothing is running any more. */
async function all<T>(works: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

/** Adds to a failed write the folder that could not be written. */
async function written<T>(target: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new StagingError("OUTPUT.UNWRITABLE", `${target} cannot be written: it ${fileReason(error)}.`, {
      cause: error,
    });
  }
}
