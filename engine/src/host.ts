import type { createInstance } from "../wasm/instance.js";
import { CONTRACT_SOURCE_SHA256 } from "./contract.generated.ts";
import type { ErrorBody } from "./contract.generated.ts";
import { EngineError, internalError, STUDY_LOST } from "./errors.ts";
import type { Answer, Call, StudyColumns } from "./protocol.ts";

/** One initialised wasm instance: the wasm-bindgen surface. */
export type Instance = ReturnType<typeof createInstance>;
type BoundStudy = InstanceType<Instance["Study"]>;

/**
 * Holds the wasm instance and its Studies on the thread it was made on, and answers calls one after the other.
 *
 * A trap leaves an instance in an unknown state: the host drops it with all its Studies, answers `INTERNAL` and makes a
 * new instance for the next call. Calls for a dropped Study are answered `STUDY.LOST`; whoever holds the module and the edits
 * builds it again.
 */
export class EngineHost {
  readonly #instantiate: () => Promise<Instance>;
  #instance: Promise<Instance> | undefined;
  readonly #studies = new Map<number, BoundStudy>();

  /** `instantiate` makes a fresh, initialised instance each time it is called. */
  constructor(instantiate: () => Promise<Instance>) {
    this.#instantiate = instantiate;
  }

  /** Makes the instance if there is none. A failure is reported to this caller and tried again by the next. */
  load(): Promise<Instance> {
    this.#instance ??= this.#instantiate().then(sameContract, (cause: unknown) => {
      this.#instance = undefined;
      const message = `The engine could not be loaded: ${String(cause)}`;
      throw new EngineError({ code: "INTERNAL", message }, { cause });
    });
    return this.#instance;
  }

  /** Answers one call or throws an {@link EngineError}. */
  async run(call: Call): Promise<Answer> {
    const instance = await this.load();
    const started = performance.now();
    try {
      const result = this.#call(instance, call);
      return { ...result, ms: performance.now() - started };
    } catch (thrown) {
      if (thrown instanceof EngineError) throw thrown;
      if (typeof thrown === "string") throw new EngineError(JSON.parse(thrown) as ErrorBody);
      this.#drop();
      throw internalError(thrown);
    }
  }

  #call(instance: Instance, call: Call): Omit<Answer, "ms"> {
    switch (call.op) {
      case "ingestCase":
        return { json: instance.ingest_case(call.bytes, call.format) };
      case "inspectModule":
        return { json: instance.inspect_module(call.module) };
      case "solveModule":
        return { json: instance.solve_module(call.module, call.request) };
      case "capabilities":
        return { json: instance.capabilities() };
      case "createStudy":
        this.#release(call.study);
        this.#studies.set(call.study, new instance.Study(call.module, call.formulation, call.options));
        return {};
      case "currentSolution":
        return { json: this.#study(call.study).current_solution() };
      case "commit":
        return { json: this.#study(call.study).commit(call.caseId, call.deltas, call.rates, call.target) };
      case "preview":
        return { json: this.#study(call.study).preview(call.deltas, call.rates) };
      case "sensitivity":
        return { json: this.#study(call.study).sensitivity(call.caseId, call.deltas, call.rates, call.target) };
      case "reset":
        return { json: this.#study(call.study).reset(call.caseId) };
      case "columns":
        return { columns: this.#study(call.study).columns() as StudyColumns };
      case "free":
        this.#release(call.study);
        return {};
    }
  }

  #study(id: number): BoundStudy {
    const study = this.#studies.get(id);
    if (!study) throw new EngineError({ code: STUDY_LOST, message: "The engine no longer holds this study." });
    return study;
  }

  #release(id: number): void {
    this.#studies.get(id)?.free();
    this.#studies.delete(id);
  }

  /** Forgets the instance. Its Studies must not be freed through it, neither here nor by the garbage collector. */
  #drop(): void {
    for (const study of this.#studies.values()) detach(study);
    this.#studies.clear();
    this.#instance = undefined;
  }
}

/** Takes the Rust object away from its JavaScript wrapper without running any code of the instance. */
function detach(study: BoundStudy): void {
  (study as unknown as { __destroy_into_raw(): number }).__destroy_into_raw();
}

/** Refuses a wasm file that was built from another contract than these sources, as a stale cache may hold. */
function sameContract(instance: Instance): Instance {
  if (instance.contract_source_sha256() === CONTRACT_SOURCE_SHA256) return instance;
  throw new EngineError({
    code: "INTERNAL",
    message: "The engine's files come from two different builds: reload the page, or build the engine again.",
  });
}
