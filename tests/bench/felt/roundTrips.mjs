// Round trips to the engine's worker in Node: the page's own transport and worker bundle, with a Node thread in place
// of the browser's worker, beside the solver alone in WebAssembly.
import { withWorkers } from "../nodeWorker.mjs";
import { least } from "../sides.mjs";
import { WasmSession } from "../solver.mjs";
import { percentile } from "../table.mjs";

const BUSES = 25;

/** Commits of the solver's steps, ms: `cases` are names with the texts of their modules. */
export async function roundTrips({ cases, module, wasm, repeats, steps }) {
  return withWorkers(wasm, async (engine) => {
    const found = [];
    for (const { name, text, path } of cases) {
      const solver = new WasmSession(module);
      solver.open(path, "service");
      const base = least(repeats, () => solver.build() && solver.solve()).ms;
      solver.prepare(BUSES, steps, 0);
      const study = await engine.createStudy(text, "dcopf");
      const trips = [];
      const alone = [];
      for (const { k, bus, mw } of solver.moves()) {
        alone.push(least(repeats, () => solver.step(k)).ms);
        let [trip, inside] = [Infinity, Infinity];
        for (let again = 0; again < repeats; again += 1) {
          await study.reset("felt");
          const began = performance.now();
          const { solution } = await study.commit("felt", { [bus]: mw });
          trip = Math.min(trip, performance.now() - began);
          inside = Math.min(inside, solution.solve_ms);
        }
        trips.push({ trip, inside });
      }
      await study.free();
      const middle = (list) => percentile(list, 50);
      found.push({
        case: name,
        steps: trips.length,
        base_ms: base,
        step_ms: middle(alone),
        worker_ms: middle(trips.map(({ inside }) => inside)),
        trip_ms: middle(trips.map(({ trip }) => trip)),
      });
    }
    return found;
  });
}
