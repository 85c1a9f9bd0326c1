// A solver thread without an engine: a solve takes as many milliseconds as its demand change at bus 1.
import { setTimeout as sleep } from "node:timers/promises";
import workerpool from "workerpool";

workerpool.worker({
  solve: async ({ edits }) => {
    await sleep(edits.deltas[1]);
    return { ok: true, result: { solution: "{}", sensitivity: null } };
  },
});
