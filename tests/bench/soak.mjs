// Hours of random work in one worker and in one kernel-like process: memory must stay flat.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { lines } from "./sides.mjs";
import { FILLED, growth, TOLERANCE, WARM_UP } from "./soak/flat.mjs";
import { exchange } from "./solver.mjs";
import { environment, markdown } from "./table.mjs";

const GRIDS = ["carolina", "illinois"];
/** Samples of memory on each side per minute: many, because single samples vary. */
const SAMPLES_A_MINUTE = 6;
const SEED = 20_260_101;
/** The measured processes. */
const MEASURES = {
  "worker wasm": "memory of WebAssembly in the worker",
  "worker worker": "the worker's own heap",
  "worker page": "heap and buffers of the thread that calls it",
  "worker process": "resident memory of the Node process",
  "kernel process": "resident memory of the Python process",
};
/** The measure that never falls. */
const NEVER_GIVEN_BACK = "worker wasm";

export async function soak({ minutes, wanted, versions, save }) {
  const python = at(".venv", "bin", "python");
  const wasm = at("engine", "wasm", "wattbook_engine_bg.wasm");
  if (!existsSync(python) || !existsSync(wasm)) throw new SetupError("Nothing is built: run `npm run setup` first.");
  const grids = GRIDS.filter(wanted);
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: at(), encoding: "utf8" }).trim();
  const rows = [];
  const sampled = (side) => (line) => {
    if (!line.mb) return;
    rows.push(...Object.entries(line.mb).map(([of, mb]) => ({ side, of, s: line.s, calls: line.calls, mb })));
    save(rows);
  };
  const [seconds, count] = [60 * minutes, Math.ceil(SAMPLES_A_MINUTE * minutes)];
  const files = modules(grids);
  const script = (name) => at("tests", "bench", "soak", name);
  const sides = {
    worker: [process.execPath, "--expose-gc", script("worker.mjs"), seconds, count, SEED, wasm, ...files],
    kernel: [python, script("kernel.py"), seconds, count, SEED, ...files],
  };
  const ended = await Promise.all(
    Object.entries(sides).map(async ([side, [command, ...args]]) => {
      const found = await lines(command, args.map(String), sampled(side));
      return { side, samples: found.filter(({ mb }) => mb), ...found.at(-1) };
    }),
  );
  const judged = ended.flatMap(({ side, samples }) =>
    Object.keys(samples[0].mb)
      .filter((of) => `${side} ${of}` in MEASURES)
      .map((of) => ({
        side,
        of: MEASURES[`${side} ${of}`],
        ...growth(
          samples.map(({ calls, mb }) => [calls, mb[of]]),
          `${side} ${of}` === NEVER_GIVEN_BACK ? FILLED : WARM_UP,
        ),
      })),
  );
  const failures = judged
    .filter(({ isFlat }) => !isFlat)
    .map(
      ({ side, of, mb, uncertainty, most }) =>
        `${side}, ${of}: grows by ${mb.toFixed(1)} ± ${uncertainty.toFixed(1)} MB, at most ${most.toFixed(1)} MB`,
    );
  for (const { side, samples } of ended) {
    // The page's pool starts with a worker for files, which becomes the worker of the Studies.
    const { workers = 1 } = samples.at(-1);
    if (workers > 2) failures.push(`${side}: ${workers} workers for one Study at a time`);
  }
  return { rows, markdown: section({ minutes, commit, versions, grids }, ended, judged), failures };
}

/** Files with the modules of the grids. */
function modules(grids) {
  const folder = exchange("soak");
  return grids.map((name) => {
    const path = join(folder, `${name}.module.json`);
    writeFileSync(path, gunzipSync(readFileSync(at("server", "grids", `${name}.json.gz`))));
    return path;
  });
}

function section({ minutes, commit, versions, grids }, ended, judged) {
  const mb = (value) => value.toFixed(1);
  const table = markdown(
    {
      side: (row) => row.side,
      what: (row) => row.of,
      "middle sample, MB": (row) => mb(row.middle),
      "growth after the warm-up, MB": (row) => mb(row.mb),
      "two standard errors, MB": (row) => mb(row.uncertainty),
      "at most, MB": (row) => mb(row.most),
      flat: (row) => (row.isFlat ? "yes" : "**no**"),
    },
    judged,
  );
  const list = (counts) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, n]) => `${name} ${n}`)
      .join(", ");
  const calls = ended.map(
    ({ side, samples, kinds, refusals }) =>
      `- *${side}*: ${samples.at(-1).calls} calls of ${Object.keys(kinds).length} kinds; refused ${list(refusals)}.`,
  );
  return `## Soak

Random edits, undo, formulation switches, sensitivities, previews, paths and refused edits on ${grids.join(" and ")}, one Study at a time, for ${minutes} minutes: in one worker through the page's transport (under Node), and in one Python process. An undone state must have the hash of its first solve, and a refused edit must not change the state. Memory is sampled ${SAMPLES_A_MINUTE} times a minute, with the Study closed and garbage collected, and judged after the first ${100 * WARM_UP} % of the calls (WebAssembly memory, which never shrinks, after the first ${100 * FILLED} %): it is flat where the straight line through the samples rises by at most ${100 * TOLERANCE.share} % of the median or ${TOLERANCE.mb} MB beyond two standard errors. A test checks to the byte that calls leave nothing behind (\`engine/fuzz/tests/held.rs\`). \`npm run bench -- soak --minutes 120 --write\` repeats it.

${calls.join("\n")}

${table}

Run of ${new Date().toISOString().slice(0, 10)}, commit ${commit}, wattbook ${versions.wattbook}, node ${versions.node}. ${environment()}
`;
}
