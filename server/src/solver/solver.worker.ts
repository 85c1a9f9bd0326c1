// A solver thread: one engine and one Study per case, opened on the first request. A hanging solve is ended from
// outside.
import { workerData } from "node:worker_threads";
import {
  type AcFlow,
  createNodeEngine,
  EngineError,
  englishMessage,
  type FormulationId,
  type Network,
  type Solution,
  type SolveProgress,
  type StudyHandle,
} from "@service/engine/node";
import workerpool from "workerpool";
import type { Iterating, ServedFormulation, SolverThreadData, WorkAnswer, WorkName, Works } from "./work.ts";

const { wasm, modules } = workerData as SolverThreadData;
const engine = createNodeEngine({ wasm });
/** Studies by formulation and case. */
const studies = {
  dcopf: new Map<string, StudyHandle>(),
  acpf: new Map<string, StudyHandle<AcFlow>>(),
  socwr: new Map<string, StudyHandle<Solution>>(),
};

type Handlers = { [K in WorkName]: (request: Works[K]["request"]) => Promise<Works[K]["result"]> };

const handlers: Handlers = {
  async describe({ caseId, name }) {
    const { view, topology } = await engine.inspectModule(moduleText(caseId));
    if (!view) {
      const sentence = { key: "service.no_positions" };
      throw new EngineError({ code: "MODULE.NO_COORDINATES", message: englishMessage(sentence), sentence });
    }
    const study = await studyOf(caseId);
    const { solution } = await study.reset(caseId);
    const network: Network = { ...view, id: caseId, name };
    return {
      network: JSON.stringify(network),
      topology: JSON.stringify(topology),
      solution: JSON.stringify(solution),
    };
  },

  async solve({ caseId, edits, target, formulation = "dcopf" }) {
    const study = await studyIn(caseId, formulation);
    const { deltas, rates } = edits;
    const { solution, sensitivity } = await study.commit(caseId, deltas, rates, target, { onProgress: report });
    return { solution: JSON.stringify(solution), sensitivity: sensitivity && JSON.stringify(sensitivity) };
  },

  async sensitivity({ caseId, edits, target }) {
    const study = await studyOf(caseId);
    return { column: JSON.stringify(await study.sensitivity(caseId, edits.deltas, edits.rates, target)) };
  },
};

function moduleText(caseId: string): string {
  const bytes = modules.get(caseId);
  if (!bytes) throw new Error(`no module for ${caseId}`);
  return Buffer.from(bytes).toString("utf8");
}

function studyOf(caseId: string): Promise<StudyHandle> {
  return opened(studies.dcopf, caseId, () => engine.createStudy(moduleText(caseId), "dcopf"));
}

function studyIn(caseId: string, formulation: ServedFormulation): Promise<StudyHandle<Solution>> {
  const create = () => engine.createStudy<FormulationId>(moduleText(caseId), formulation, {}, undefined, report);
  return opened<StudyHandle<Solution>>(studies[formulation], caseId, create);
}

async function opened<S>(known: Map<string, S>, caseId: string, create: () => Promise<S>): Promise<S> {
  const study = known.get(caseId) ?? (await create());
  known.set(caseId, study);
  return study;
}

/** Sends the progress of a solve to the server. */
function report({ iteration, objective, residual }: SolveProgress): void {
  const iterating: Iterating = { iteration, objective, residual };
  workerpool.workerEmit(iterating);
}

async function answer<K extends WorkName>(work: () => Promise<Works[K]["result"]>): Promise<WorkAnswer<K>> {
  try {
    return { ok: true, result: await work() };
  } catch (error) {
    if (error instanceof EngineError) return { ok: false, error: error.toBody() };
    throw error;
  }
}

workerpool.worker({
  describe: (request: Works["describe"]["request"]) => answer<"describe">(() => handlers.describe(request)),
  solve: (request: Works["solve"]["request"]) => answer<"solve">(() => handlers.solve(request)),
  sensitivity: (request: Works["sensitivity"]["request"]) => answer<"sensitivity">(() => handlers.sensitivity(request)),
});
