// Random work on one Study at a time in one worker, through the page's transport:
//
//   node worker.mjs SECONDS SAMPLES SEED WASM MODULE_FILE...
//
// One JSON line a sample: `{s, calls, mb}`, memory in MB when the Study is closed and garbage collected, and one of calls by kind and of
// refusals by code at the end. A refusal must be one that the call may have, an undone state must have the hash that it had before.
import { readFileSync } from "node:fs";
import { withWorkers } from "../nodeWorker.mjs";

const [seconds, samples, seed, wasm, ...files] = process.argv.slice(2);
const MB = 2 ** 20;
/**
 * Allowed errors: states without a solution or without derivatives, outages that split the grid, and changes without a
 * preview.
 */
const ALLOWED = /^(SOLVE|SENS|OUTAGE|TRACK|GENERATOR|DELTA|RATE)\./;
/** DC is the most used formulation. */
const FORMULATIONS = ["dcopf", "dcopf", "dcopf", "acpf", "socwr"];
/** Maximum number of states that can be undone. */
const MOST_STATES = 40;
/** Number of edited elements beyond which an edit starts from the base case. */
const MOST_EDITS = 12;

/** Uniform numbers below 1 (mulberry32), the same in every run. */
function generator(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const chance = generator(Number(seed));
const one = (list) => list[Math.floor(chance() * list.length)];
const between = (low, high) => low + (high - low) * chance();
const NO_EDITS = { deltas: {}, rates: {}, generators: {} };

/** A Study with the states that can be undone, and the operations on it. */
class Session {
  #engine;
  #modules;
  /** `{module, buses, branches, generators, formulation, study, states}` */
  #open;

  constructor(engine, modules) {
    [this.#engine, this.#modules] = [engine, modules];
  }

  get formulation() {
    return this.#open.formulation;
  }

  async close() {
    await this.#open?.study.free();
    this.#open = undefined;
  }

  async open() {
    await this.close();
    const module = one(this.#modules);
    const { topology } = await this.#engine.inspectModule(module);
    const [buses, branches] = [topology.buses, topology.branches].map((rows) =>
      rows.filter(({ editable }) => editable),
    );
    this.#open = {
      module,
      buses: buses.filter(({ demand_mw }) => demand_mw > 0),
      branches: branches.filter(({ status }) => status === 1),
      generators: topology.generators.filter(({ p_max_mw }) => p_max_mw > 0),
      states: [],
    };
    await this.#solveIn("dcopf", NO_EDITS);
  }

  /** The same edits in another formulation. */
  async switch() {
    const { edits } = this.#open.states.at(-1);
    await this.#open.study.free();
    const wanted = one(FORMULATIONS);
    try {
      await this.#solveIn(wanted, edits);
    } catch (error) {
      // Returns, like a page, to the formulation that certainly has a solution.
      await this.#solveIn("dcopf", NO_EDITS);
      throw error;
    }
  }

  async #solveIn(formulation, edits) {
    this.#open.formulation = formulation;
    this.#open.study = await this.#engine.createStudy(this.#open.module, formulation);
    this.#open.states = [];
    try {
      await this.#commit(edits);
    } catch (error) {
      await this.#open.study.free();
      throw error;
    }
  }

  async #commit(edits, target = null) {
    const { study, states } = this.#open;
    const { deltas, rates, generators } = edits;
    const { solution } = await study.commit("soak", deltas, rates, target, undefined, {}, generators);
    states.push({ edits, sha256: solution.result_sha256 });
    if (states.length > MOST_STATES) states.shift();
    return solution.result_sha256;
  }

  /** A change of some element from its present value; after many edits from the base case. */
  #changed() {
    const { buses, branches, generators, states } = this.#open;
    const now = states.at(-1).edits;
    const many = Object.values(now).reduce((sum, part) => sum + Object.keys(part).length, 0);
    const { deltas, rates, generators: units } = many < MOST_EDITS ? now : NO_EDITS;
    const kind = chance();
    if (kind < 0.7) {
      const { id, demand_mw } = one(buses);
      return { deltas: { ...deltas, [id]: between(-0.5, 0.5) * demand_mw }, rates, generators: units };
    }
    if (kind < 0.9) {
      const { id, rate_mw } = one(branches);
      return { deltas, rates: { ...rates, [id]: between(-0.3, 0.5) * rate_mw }, generators: units };
    }
    const { id, p_max_mw } = one(generators);
    const unit = one([{ status: false }, { cost: between(0, 80) }, { p_max: between(0.5, 1) * p_max_mw }]);
    return { deltas, rates, generators: { ...units, [id]: unit } };
  }

  edit = () => this.#commit(this.#changed());
  editWithColumn = () => this.#commit(this.#changed(), { bus: one(this.#open.buses).id });

  /** Undoes to the previous state, which must be the same one. */
  async undo() {
    const { states } = this.#open;
    if (states.length < 2) return;
    states.pop();
    const { edits, sha256 } = states.pop();
    const again = await this.#commit(edits);
    if (again !== sha256) throw new Error(`${this.formulation}: undone, ${again} in place of ${sha256}`);
  }

  /** Sets demand beyond all generation: refused, and the state is unchanged. */
  async refuse() {
    const { study, states, buses } = this.#open;
    const { edits, sha256 } = states.at(-1);
    const deltas = { ...edits.deltas, [one(buses).id]: 1e6 };
    const refused = await study
      .commit("soak", deltas, edits.rates, null, undefined, {}, edits.generators)
      .catch((e) => e);
    if (!ALLOWED.test(refused.code ?? "")) throw refused;
    const { result_sha256 } = await study.currentSolution();
    if (result_sha256 !== sha256) throw new Error(`${this.formulation}: a refused commit changed the state`);
    throw refused;
  }

  preview() {
    const { deltas, rates, generators } = this.#changed();
    return this.#open.study.preview(deltas, rates, undefined, generators);
  }

  sensitivity() {
    const { study, states, buses } = this.#open;
    const { deltas, rates, generators } = states.at(-1).edits;
    return study.sensitivity("soak", deltas, rates, { bus: one(buses).id }, undefined, generators);
  }

  async track() {
    const { study, buses, states } = this.#open;
    const { id, demand_mw } = one(buses);
    const from = states.at(-1).edits.deltas[id] ?? 0;
    const to = from + between(0.1, 0.5) * demand_mw;
    await study.track({ bus: id }, from, to);
    await study.trackState(from);
  }

  components = () => this.#open.study.lmpComponents(one(this.#open.buses).id);
  outage = () => this.#open.study.outageFlows(one(this.#open.branches).id);
  save = () => this.#open.study.saveSolutionModule();
  saveModule = () => this.#open.study.saveModule();
}

/** Relative frequencies of operations; the second list applies where the formulation is DC. */
const WORK = {
  edit: 30,
  editWithColumn: 10,
  undo: 15,
  preview: 20,
  sensitivity: 10,
  refuse: 3,
  switch: 2,
  open: 1,
  saveModule: 1,
};
const DC_WORK = { track: 5, components: 4, outage: 4, save: 1 };

function chosen(work) {
  let left = chance() * Object.values(work).reduce((a, b) => a + b, 0);
  return Object.keys(work).find((name) => (left -= work[name]) < 0);
}

const collect = () => (globalThis.gc?.(), process.memoryUsage());
const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

await withWorkers(wasm, async (engine, workers) => {
  const session = new Session(
    engine,
    files.map((file) => readFileSync(file, "utf8")),
  );
  await session.open();
  const [began, calls, refusals] = [performance.now(), {}, {}];
  const passed = () => (performance.now() - began) / 1000;
  for (let sample = 1; sample <= samples; sample += 1) {
    while (passed() < (sample * seconds) / samples) {
      const name = chosen(session.formulation === "dcopf" ? { ...WORK, ...DC_WORK } : WORK);
      calls[name] = (calls[name] ?? 0) + 1;
      try {
        await session[name]();
      } catch (error) {
        if (!ALLOWED.test(error.code ?? "")) throw error;
        refusals[error.code] = (refusals[error.code] ?? 0) + 1;
      }
    }
    await session.close();
    const memories = await Promise.all(workers.map((worker) => worker.memory()));
    const sum = (name) => memories.reduce((total, one) => total + one[name], 0) / MB;
    const { heapUsed, arrayBuffers, rss } = collect();
    const mb = { wasm: sum("wasm"), worker: sum("heap"), page: (heapUsed + arrayBuffers) / MB, process: rss / MB };
    tell({ s: passed(), calls: Object.values(calls).reduce((a, b) => a + b, 0), workers: workers.length, mb });
    await session.open();
  }
  tell({ kinds: calls, refusals });
});
