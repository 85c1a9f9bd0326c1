// Monte Carlo scenarios of one grid: our sweep beside loops over HiGHS, Clarabel and PyPSA, which solve a random subset
// of the same scenarios, and on a Dask cluster of this machine beside threads.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { agrees, exchange } from "./solver.mjs";
import { cells, chosen, environment, footer, markdown, percentile, times } from "./table.mjs";

const CASE = "illinois";
const SEED = 20_260_101;
/** Share of the scenarios by kind of costs: as given, and without their quadratic part. */
const COSTS = { quadratic: 1, linear: 0.2 };
/** Maximum scenarios of each peer; it starts none after its time limit. */
const PEERS = { highs: 400, clarabel: 200, pypsa: 20 };
const NAMES = { highs: "HiGHS", clarabel: "Clarabel", pypsa: "PyPSA" };
/** Goals: speed-up over a peer with the costs of the grid, and the allowed loss of Dask relative to threads. */
const GOALS = { highs: 20, pypsa: 100 };
const DASK = 0.2;
/** Maximum scenarios of each turn of threads and Dask, and number of turns. */
const [DASK_SCENARIOS, TURNS] = [20_000, 5];

export async function sweep(context) {
  const python = at(".venv", "bin", "python");
  if (!existsSync(python)) throw new SetupError("The Python package is not installed: run `npm run setup` first.");
  const folder = exchange("sweep");
  const ours = async (...args) => (await context.run(python, at("tests", "bench", "sweep", "ours.py"), ...args))[0];
  const { scenarios } = context;
  const load = loadavg()[0];
  const size = await ours("prepare", folder, CASE, scenarios, SEED);
  const rows = [];
  for (const [costs, part] of Object.entries(COSTS)) {
    const count = Math.ceil(part * scenarios);
    const own = await ours("solve", folder, costs, count, "one");
    rows.push(row(costs, "Wattbook", own, { count, failed: count - own.solved }));
    context.save(rows);
    const objectives = numbers(join(folder, `${costs}.objective.bin`));
    for (const [peer, most] of Object.entries(PEERS)) {
      const [found] = await context.peer("sweep.py", peer, folder, costs, count, most, SEED, context.limit);
      rows.push(row(costs, NAMES[peer], found, { ...compared(found, objectives), ours: rows.find(of(costs)) }));
      context.save(rows);
      console.error(`${costs}, ${NAMES[peer]}: ${rows.at(-1).count} scenarios, ${times(rows.at(-1).ratio)}`);
    }
  }
  const turns = [];
  for (let k = 0; k < TURNS; k += 1) {
    for (const executor of ["threads", "dask"]) {
      const took = await ours("solve", folder, "quadratic", Math.min(scenarios, DASK_SCENARIOS), executor);
      turns.push({ executor, ...took });
    }
  }
  rmSync(join(folder, "scenarios.npy"));
  return {
    rows,
    markdown: page(context, { size, rows, turns, load }),
    tables: { sweep: cells(COLUMNS, rows) },
    failures: failures(rows, turns),
  };
}

const of = (costs) => (one) => one.costs === costs && one.who === "Wattbook";
const numbers = (path) => new Float64Array(readFileSync(path).buffer.slice(0));

function row(costs, who, { seconds, processor_s }, { count, ours, ...more }) {
  const each = { ms: (1000 * seconds) / count, cpu_ms: (1000 * processor_s) / count };
  return {
    costs,
    who,
    count,
    ...each,
    ratio: ours && each.cpu_ms / ours.cpu_ms,
    apart: undefined,
    differs: 0,
    ...more,
  };
}

/** A peer's objectives beside ours: the largest relative difference, and the number of different answers. */
function compared({ places, objective }, ours) {
  const pairs = places.map((place, k) => ({ ours: ours[place], theirs: objective[k] }));
  const both = pairs.filter((one) => one.theirs !== null && Number.isFinite(one.ours));
  const apart = both.map((one) => Math.abs(one.theirs - one.ours) / (1 + Math.abs(one.ours)));
  const differs = pairs.filter(
    (one) =>
      (one.theirs !== null) !== Number.isFinite(one.ours) || (one.theirs !== null && !agrees(one.ours, one.theirs)),
  );
  return {
    count: places.length,
    failed: pairs.filter((one) => one.theirs === null).length,
    apart: Math.max(...apart),
    differs: differs.length,
  };
}

/** Turns of each executor, in order. */
const turnsOf = (turns, executor) => turns.filter((turn) => turn.executor === executor);

/** Median extra share of `key` of Dask over the turn of threads just before. */
function daskLoss(turns, key) {
  const threads = turnsOf(turns, "threads");
  const ratios = turnsOf(turns, "dask").map((turn, k) => turn[key] / threads[k][key]);
  return percentile(ratios, 50) - 1;
}

function failures(rows, turns) {
  const found = rows.flatMap(({ costs, who, ratio, differs }) => {
    const goal = Object.entries(GOALS).find(([peer]) => NAMES[peer] === who)?.[1];
    return [
      ...(costs === "quadratic" && goal !== undefined && ratio < goal
        ? [`${costs}, ${who}: ${times(ratio)}, the goal is ${goal} x`]
        : []),
      ...(differs > 0 ? [`${costs}, ${who}: ${differs} answers differ`] : []),
    ];
  });
  if (new Set(turns.map(({ bits }) => bits)).size > 1) found.push("Dask: other bits than in threads");
  const loss = daskLoss(turns, "seconds");
  if (loss > DASK) found.push(`Dask loses ${percent(loss)} against threads, the goal is ${percent(DASK)}`);
  return found;
}

const percent = (share) => `${(100 * share).toFixed(0)} %`;
const fine = (value) => (value === undefined ? "-" : value < 10 ? value.toFixed(2) : value.toFixed(0));

/** All measured values of a side, as text; the page shows a part of them. */
const COLUMNS = {
  costs: (one) => one.costs,
  who: (one) => one.who,
  scenarios: (one) => one.count,
  "without a solution": (one) => one.failed,
  "ms each": (one) => fine(one.ms),
  "processor ms each": (one) => fine(one.cpu_ms),
  "objectives apart": (one) => one.apart?.toExponential(1) ?? "-",
  "other answers": (one) => (one.who === "Wattbook" ? "-" : one.differs),
  "processor time / ours": (one) => times(one.ratio),
};
const SHOWN = ["costs", "who", "scenarios", "processor ms each", "other answers", "processor time / ours"];

function page(context, { size, rows, turns, load }) {
  const peers = Object.entries(GOALS).map(([peer, goal]) => {
    const ratios = rows.filter((one) => one.who === NAMES[peer]);
    return `- ${NAMES[peer]} / ours: ${ratios.map((one) => `${times(one.ratio)} with ${one.costs} costs`).join(", ")} (goal ${goal} x with quadratic).`;
  });
  const idle = percentile(
    turnsOf(turns, "dask").map((turn) => turn.idle),
    50,
  );
  return `# Benchmark: sweeps

${context.scenarios} Monte Carlo scenarios of \`${CASE}\`: the demand of all ${size.n_load} buses with load varies, individually and together. Ours is \`wb.sweep(study, frame, tables=())\` on one thread: exact optima with certificate, hash, extremes and mean of prices, congestion rent and binding lines. The peers solve random scenarios of the same set on one thread: *HiGHS* and *Clarabel* change the demands of one model (HiGHS starts from its last basis where costs are linear), *PyPSA* the loads of one network before \`optimize\` with HiGHS. Reading the case and the first model are not timed. ${size.straight} of ${size.n_gen} units have piecewise linear costs, which PyPSA lacks: they have their mean slope here. Goals hold for these *quadratic* costs; *linear* omits the quadratic part, for the first ${Math.ceil(COSTS.linear * context.scenarios)} scenarios, which favours HiGHS. Ratios are of processor time.

${peers.join("\n")}
- Dask (\`LocalCluster\`, a process for each processor, the first ${Math.min(context.scenarios, DASK_SCENARIOS)} scenarios, ${TURNS} turns after turns of threads) takes ${percent(daskLoss(turns, "seconds"))} more than threads by the clock in the median (goal: at most ${percent(DASK)}), ${percent(daskLoss(turns, "processor_s"))} in processor time; an idle cluster takes ${percent(idle)} of the processors here.

${markdown(chosen(COLUMNS, SHOWN), rows)}

[data/sweep.csv](data/sweep.csv) has all columns, with the scenarios without a solution and the difference of objectives.

Load before the run: ${load.toFixed(1)}. ${footer({ ...context, repeats: 1 }, ["wattbook", "python", "highspy", "clarabel", "pypsa"])}
${environment()}
`;
}
