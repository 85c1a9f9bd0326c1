// Waiting times of users: calls of the Python package, round trips to the engine's worker, and frames in Chromium, each
// beside the time of the solver alone in the same run.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { inLab, onPage } from "./felt/browser.mjs";
import { roundTrips } from "./felt/roundTrips.mjs";
import { exchange } from "./solver.mjs";
import { cells as csvOf, chosen, footer, markdown, percentile } from "./table.mjs";

const GRIDS = ["carolina", "illinois", "texas", "california"];
/** Cases of the Python calls besides the bundled grids. */
const FILES = {
  CaliforniaTestSystem: ({ data }) => data && join(data, "cats", "CaliforniaTestSystem.m"),
  pglib_opf_case2869_pegase: ({ pglib }) => join(pglib, "pglib_opf_case2869_pegase.m"),
  pglib_opf_case10000_goc: ({ pglib }) => join(pglib, "pglib_opf_case10000_goc.m"),
};
/** Steps at each of 25 load buses. */
const STEPS = 2;
const RELEASES = 12;
/** Goals: a factor of the solver's own time plus an allowance, or ms. */
const GOALS = {
  commit: { times: 1.5, plus: 1 },
  study: { times: 1.5, plus: 0 },
  worker: 3,
  exact: 20,
  page: 1000,
  first: 1200,
  further: 500,
};

export async function felt(context) {
  const python = at(".venv", "bin", "python");
  if (!existsSync(python)) throw new SetupError("The Python package is not installed: run `npm run setup` first.");
  const { repeats, wanted, profile } = context;
  if (profile === "ship" && engineProfile(context.wasm) !== "ship") {
    throw new SetupError("The page is built for development: run `npm run build -- --ship` first.");
  }
  const [load] = loadavg();
  const rows = [...(await calls(context, python))];
  context.save(rows);
  rows.push(...(await trips(context)));
  context.save(rows);
  rows.push(...(await pages(await onPage({ repeats, releases: RELEASES, wanted, cases: ["texas", "california"] }))));
  context.save(rows);
  rows.push(...cells(await inLab({ repeats, wanted, cases: ["texas"] })));
  return {
    rows,
    markdown: sheet(context, rows, load),
    tables: { felt: csvOf(COLUMNS, rows) },
    failures: failures(rows),
  };
}

/**
 * One waiting time. `ms` is the median of the samples (each the least of its repeats), `solver` the solver's own time.
 */
function row(where, what, name, ms, more = {}) {
  return {
    where,
    what,
    case: name,
    ms,
    cpu_ms: "",
    solver_ms: "",
    solver_cpu_ms: "",
    most_ms: "",
    goal_ms: "",
    ...more,
  };
}

async function calls(context, python) {
  const files = Object.entries(FILES).map(([name, place]) => ({ name, place: place(context) }));
  const there = files.filter(({ name, place }) => context.wanted(name) && place && existsSync(place));
  const sources = [...there.map(({ place }) => place), ...GRIDS.filter(context.wanted)];
  if (sources.length === 0) return [];
  const library = await context.library();
  const found = await context.run(
    python,
    at("tests", "bench", "felt", "calls.py"),
    library,
    context.repeats,
    STEPS,
    ...sources,
  );
  return found.flatMap((one) => {
    // Processor time, which excludes other work of the machine.
    const goal = ({ times, plus }, solver) => times * solver + plus;
    return [
      row("Python", "study.commit()", one.case, one.commit_wall_ms, {
        ...{ cpu_ms: one.commit_cpu_ms, solver_ms: one.step_solver_wall_ms, solver_cpu_ms: one.step_solver_cpu_ms },
        goal_ms: goal(GOALS.commit, one.step_solver_cpu_ms),
      }),
      row("Python", "case.study()", one.case, one.study_wall_ms, {
        ...{ cpu_ms: one.study_cpu_ms, solver_ms: one.base_solver_wall_ms, solver_cpu_ms: one.base_solver_cpu_ms },
        goal_ms: goal(GOALS.study, one.base_solver_cpu_ms),
      }),
    ];
  });
}

async function trips(context) {
  const folder = exchange("felt");
  const cases = GRIDS.filter(context.wanted).map((name) => {
    const text = gunzipSync(readFileSync(at("server", "grids", `${name}.json.gz`))).toString();
    const path = join(folder, `${name}.module.json`);
    writeFileSync(path, text);
    return { name, text, path };
  });
  if (cases.length === 0) return [];
  const module = await context.solver();
  const found = await roundTrips({ cases, module, wasm: context.wasm, repeats: context.repeats, steps: STEPS });
  return found.flatMap((one) => [
    row("worker in Node", "commit, in the worker", one.case, one.worker_ms, {
      solver_ms: one.step_ms,
      goal_ms: GOALS.worker,
    }),
    row("worker in Node", "commit, there and back", one.case, one.trip_ms, { solver_ms: one.step_ms }),
  ]);
}

function pages(found) {
  return found.flatMap(({ case: name, opened, released }) => {
    const least = (key) => Math.min(...opened.map((one) => one[key]));
    const most = (key) => Math.max(...opened.map((one) => one[key]));
    const later = released.slice(1); // the first one compiles
    const middle = (key) =>
      percentile(
        later.map((one) => one[key]),
        50,
      );
    const worst = (key) => Math.max(...later.map((one) => one[key]));
    return [
      row("page", "open to first prices", name, least("stored"), { most_ms: most("stored"), goal_ms: GOALS.page }),
      row("page", "open to the live map", name, least("live"), { cpu_ms: least("thread_ms"), most_ms: most("live") }),
      row("page", "release to the worker's call", name, middle("posted"), { most_ms: worst("posted") }),
      row("page", "commit, in the worker", name, middle("worker_ms"), {
        most_ms: worst("worker_ms"),
        // The goal applies to california.
        goal_ms: name === "california" ? GOALS.worker : "",
      }),
      row("page", "release to exact colours", name, middle("exact"), {
        ...{ cpu_ms: middle("thread_ms"), most_ms: worst("exact"), goal_ms: GOALS.exact },
      }),
    ];
  });
}

function cells(found) {
  return found.flatMap(({ case: name, first, further }) => [
    row("Lab", "cell with the first map", name, Math.min(...first), {
      most_ms: Math.max(...first),
      goal_ms: GOALS.first,
    }),
    row("Lab", "cell with a further map", name, Math.min(...further), {
      ...{ most_ms: Math.max(...further), goal_ms: GOALS.further },
    }),
  ]);
}

/** The profile of a built engine: only the development profile has the names of functions. */
function engineProfile(wasm) {
  const names = WebAssembly.Module.customSections(new WebAssembly.Module(readFileSync(wasm)), "name");
  return names.length > 0 ? "release" : "ship";
}

/** Goals of calls are in processor time, those of frames in wall time. */
function failures(rows) {
  return rows
    .filter(({ where, ms, cpu_ms, goal_ms }) => goal_ms !== "" && (where === "Python" ? cpu_ms : ms) > goal_ms)
    .map(({ where, what, case: name, ms, cpu_ms, goal_ms }) => {
      const taken = where === "Python" ? `${fine(cpu_ms)} ms of processor time` : `${fine(ms)} ms`;
      return `${where}, ${what}, ${name}: ${taken}, the goal is ${fine(goal_ms)} ms`;
    });
}

/** Number of runnable processes before the run beyond which its times are unreliable. */
const QUIET = 0.3;

function loadWords(load) {
  const processors = availableParallelism();
  const words = `Load before the run: ${load.toFixed(1)} on ${processors} processors.`;
  return load <= QUIET * processors ? words : `${words} **Not a quiet machine**: wall-clock times are uncertain.`;
}

/** All measured values, as text. */
const COLUMNS = {
  where: (one) => one.where,
  what: (one) => one.what,
  case: (one) => one.case.replace("pglib_opf_case", ""),
  ms: (one) => fine(one.ms),
  "most ms": (one) => fine(one.most_ms),
  "processor ms": (one) => fine(one.cpu_ms),
  "solver alone, ms": (one) => fine(one.solver_ms),
  "goal, ms": (one) => fine(one.goal_ms),
};

/** Whether a row is the last one with a goal of its measure, which is that of the largest grid. */
const isShown = (one, rows) =>
  one.goal_ms !== "" &&
  rows.findLast(({ where, what, goal_ms }) => where === one.where && what === one.what && goal_ms !== "") === one;

function sheet(context, rows, load) {
  const table = markdown(
    chosen(COLUMNS, ["where", "what", "case", "ms", "most ms", "solver alone, ms", "goal, ms"]),
    rows.filter((one) => isShown(one, rows)),
  );
  return `# Benchmark: what users wait for

- *Python*: calls of the package, beside the solver alone (engine/crates/bench) in the same process: model and optimum for \`case.study()\`, the step from the base optimum for \`study.commit()\`; the median over 50 steps at 25 load buses of the least times. Goals hold for processor time: ${GOALS.commit.times} times the solver plus ${GOALS.commit.plus} ms for a commit, ${GOALS.study.times} times for a Study.
- *Worker in Node*: the same steps through the page's transport and worker bundle.
- *Page*: the stand-alone page in Chromium, opened by the address of a case in a new browser. *First prices* end with the first frame of correct prices, from the server's stored base solution. Then ${RELEASES - 1} releases of a bus's slider, until after the frame with the exact colours.
- *Lab*: a cell that opens the case and shows its map, in a kernel that has imported the package and read the case before.

Without a graphics card drawing is part of every frame. The engine of page, worker and Lab has the profile \`${engineProfile(context.wasm)}\`; users get \`ship\`.

The largest grid with a goal; [data/felt.csv](data/felt.csv) has all.

${table}

${loadWords(load)} ${footer(context, ["wattbook", "node"])}
`;
}

const fine = (value) => (value === "" || value === undefined ? "-" : value < 10 ? value.toFixed(2) : value.toFixed(0));
