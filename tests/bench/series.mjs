// A year and a week of hours: every step of a series solved exactly on one thread, beside the solver alone on the same demands.
import { existsSync } from "node:fs";
import { loadavg } from "node:os";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { onPage } from "./series/page.mjs";
import { cells, chosen, environment, footer, markdown, times } from "./table.mjs";

/** Hours by grid, and goals in processor seconds. */
const SERIES = { illinois: 8760, texas: 168, california: 168 };
const GOALS = { illinois: 30, texas: 5 };
/** Grids of the page, one week each; goals in seconds, and in milliseconds per frame during playback. */
const ON_PAGE = ["texas"];
const PAGE_GOALS = { seconds: 5, frame: 17 };

export async function series(context) {
  const python = at(".venv", "bin", "python");
  if (!existsSync(python)) throw new SetupError("The Python package is not installed: run `npm run setup` first.");
  const library = await context.library();
  const [load] = loadavg();
  const rows = [];
  for (const [name, hours] of Object.entries(SERIES).filter(([name]) => context.wanted(name))) {
    const script = at("tests", "bench", "series", "ours.py");
    rows.push(...(await context.run(python, script, library, context.repeats, name, hours)));
    context.save(rows);
  }
  const failures = rows
    .filter((row) => row.processor_s > GOALS[row.case])
    .map((row) => `${row.case}: ${fine(row.processor_s)} s of one processor, the goal is ${GOALS[row.case]} s`);
  const pages = await onPage(ON_PAGE.filter((name) => context.wanted(name)));
  for (const { case: name, page_s: seconds, frame_ms: frame } of pages) {
    if (seconds > PAGE_GOALS.seconds)
      failures.push(`${name}: ${fine(seconds)} s in the page, the goal is ${PAGE_GOALS.seconds} s`);
    if (frame > PAGE_GOALS.frame)
      failures.push(`${name}: ${fine(frame)} ms a frame while it plays, the goal is ${PAGE_GOALS.frame} ms`);
  }
  return {
    rows: [...rows, ...pages],
    markdown: page(context, rows, pages, load),
    tables: { series: cells(COLUMNS, rows) },
    failures,
  };
}

const fine = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

const each = (row, seconds) => fine((1000 * seconds) / row.hours);

/** All measured values of a series, as text; the page shows a part of them. */
const COLUMNS = {
  case: (row) => row.case,
  buses: (row) => row.n_bus,
  steps: (row) => row.hours,
  "without a solution": (row) => row.failed,
  "all tables, s": (row) => fine(row.processor_s),
  "goal, s": (row) => GOALS[row.case] ?? "-",
  "by the clock, s": (row) => fine(row.seconds),
  "a step, ms": (row) => each(row, row.processor_s),
  "prices only, a step, ms": (row) => each(row, row.prices_processor_s),
  "solver alone, a step, ms": (row) => each(row, row.solver_processor_s),
  "all / solver": (row) => times(row.processor_s / row.solver_processor_s),
  "largest gap": (row) => row.gap.toExponential(1),
  "objectives apart, $/h": (row) => row.apart.toExponential(1),
};
const SHOWN = [
  ...["case", "steps", "all tables, s", "goal, s", "a step, ms", "solver alone, a step, ms", "all / solver"],
  "largest gap",
];

function page(context, rows, pages, load) {
  const table = markdown(chosen(COLUMNS, SHOWN), rows);
  const played = markdown(
    {
      case: (row) => row.case,
      "solved, s": (row) => fine(row.page_s),
      "goal, s": () => PAGE_GOALS.seconds,
      renderer: (row) => row.renderer,
      "a frame, ms": (row) => fine(row.frame_ms),
      "95th percentile, ms": (row) => fine(row.frame_p95_ms),
      "goal, ms": () => PAGE_GOALS.frame,
    },
    pages,
  );
  return `# Benchmark: series

\`study.series(case.synthetic_demand(hours), threads=1)\`: every hour an exact optimum with certificate and hash, and five tables (prices, flows, loading, shadow prices, dispatch). Each step starts from the optimum of the base case, so its bits do not depend on the order. *Solver alone* (engine/crates/bench) solves the same demands in the same process without tables. Times and goals are processor time. *Largest gap* is the relative duality gap.

${table}

[data/series.csv](data/series.csv) has all columns, with the time by the clock and the difference of objectives.

## In the page

A week of hours solved in the page's worker, by the clock, and played at 60 steps a second in Chromium: times between frames.

${played}

Load before the run: ${load.toFixed(1)}. ${footer(context, ["wattbook", "python"])}
${environment()}
`;
}
