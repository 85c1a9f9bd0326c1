// Engines whose wasm instances can be brought down by a real trap.
import type { Instance } from "@service/engine/node";
import { createInstance } from "@service/engine/wasm/instance.js";

/** The instances made by {@link trapping}, and numbers of created and freed layout runs. */
export interface Trapping {
  made: Instance[];
  traps: unknown[];
  runs: { started: number; freed: number; finished: number };
  /** While set, each step of a layout traps. */
  trapSteps: boolean;
  instantiate: (module: WebAssembly.Module) => Promise<Instance>;
}

/** Instances whose `capabilities` can be made to read far outside the memory: a real trap in a real instance. */
export function trapping(): Trapping {
  const instantiate = async (module: WebAssembly.Module): Promise<Instance> => {
    const glue = createInstance();
    const exports = (await glue.default({ module_or_path: module })) as {
      inspect_module: (start: number, length: number) => unknown;
    };
    const trap = () => {
      try {
        exports.inspect_module(0xffff0000, 0x7fff0000);
      } catch (error) {
        made.traps.push(error);
        throw error;
      }
      return "no trap";
    };
    const { layout } = glue.Job;
    const { step, finish, free } = glue.Job.prototype;
    glue.Job.layout = (text) => {
      made.runs.started += 1;
      return layout(text);
    };
    Object.assign(glue.Job.prototype, {
      step(this: Instance["Job"]["prototype"], budget: number) {
        return made.trapSteps ? trap() : step.call(this, budget);
      },
      finish(this: Instance["Job"]["prototype"]) {
        made.runs.finished += 1;
        return finish.call(this);
      },
      free(this: Instance["Job"]["prototype"]) {
        made.runs.freed += 1;
        free.call(this);
      },
    });
    const instance = { ...glue, default: glue.default, capabilities: trap } as Instance;
    made.made.push(instance);
    return instance;
  };
  const made: Trapping = {
    made: [],
    traps: [],
    runs: { started: 0, freed: 0, finished: 0 },
    trapSteps: false,
    instantiate,
  };
  return made;
}
