import { runCall, type Instance } from "./calls.ts";
import { CONTRACT_SOURCE_SHA256, type ErrorBody } from "../contract.generated.ts";
import { clientError, EngineError, internalError, JOB_LOST, STUDY_LOST } from "../contract/errors.ts";
import { HandleTable } from "./handleTable.ts";
import { onlyFrees } from "../contract/owners.ts";
import type { Answer, Call } from "../contract/protocol.ts";

/**
 * Owns the wasm instance with its Studies and jobs on one thread, and answers calls one after the other.
 *
 * A trap leaves an instance in an unknown state: the host drops it with all its objects, answers `INTERNAL`, and makes
 * a new instance for the next call. Calls to dropped objects are answered `STUDY.LOST` or `JOB.LOST`; their callers
 * create the objects again.
 */
export class EngineHost {
  readonly #instantiate: () => Promise<Instance>;
  #instance: Promise<Instance> | undefined;
  readonly #handles = {
    studies: new HandleTable<InstanceType<Instance["Study"]>>(STUDY_LOST, "client.study_lost"),
    feeders: new HandleTable<Instance["McStudy"]["prototype"]>(STUDY_LOST, "client.study_lost"),
    jobs: new HandleTable<Instance["Job"]["prototype"]>(JOB_LOST, "client.job_lost"),
    series: new HandleTable<Instance["Series"]["prototype"]>(JOB_LOST, "client.job_lost"),
  };

  /** `instantiate` makes a new, initialised instance on each call. */
  constructor(instantiate: () => Promise<Instance>) {
    this.#instantiate = instantiate;
  }

  /** Makes the instance if necessary. A failure is reported to this caller; the next caller tries again. */
  load(): Promise<Instance> {
    this.#instance ??= this.#instantiate().then(sameContract, (cause: unknown) => {
      this.#instance = undefined;
      throw clientError("INTERNAL", "client.engine_not_loaded", { cause: { text: String(cause) } }, { cause });
    });
    return this.#instance;
  }

  /** Answers one call, or throws an {@link EngineError}. */
  async run(call: Call): Promise<Answer> {
    if (!this.#instance && onlyFrees(call)) return { ms: 0 };
    const instance = await this.load();
    const started = performance.now();
    try {
      const result = runCall(instance, this.#handles, call);
      return { ...result, ms: performance.now() - started };
    } catch (thrown) {
      if (thrown instanceof EngineError) throw thrown;
      if (typeof thrown === "string") throw new EngineError(JSON.parse(thrown) as ErrorBody);
      this.#drop();
      throw internalError(thrown);
    }
  }

  /** Forgets the instance and all its objects. */
  #drop(): void {
    for (const handles of Object.values(this.#handles)) handles.abandon();
    this.#instance = undefined;
  }
}

/** Refuses a wasm file that was built from a different contract, which a stale cache may hold. */
function sameContract(instance: Instance): Instance {
  if (instance.contract_source_sha256() === CONTRACT_SOURCE_SHA256) return instance;
  throw clientError("INTERNAL", "client.engine_builds", {});
}
