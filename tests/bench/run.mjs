// Benchmarks beside their peers in one run:
//
//   npm run bench -- parse|layout|dcopf|acpf|socwr|mc|drag|sens|explain|network|secure|outages|felt|server|map|series|sweep|corpus|soak [--repeats N] [--only TEXT] [--limit S] [--profile NAME] [--minutes N] [--scenarios N] [--write]
//
// Every time is the least of N repeats. All rows go to `.bench/results/<what>.csv`; `--write` also writes the page
// `docs/benchmarks/<what>.md` and its long tables beside it (`data/*.csv`), which belong to a quiet machine and to `--profile ship`,
// the profile of what is shipped.
// `--limit` is what a peer may take for one row, in seconds, `--minutes` how long `soak` goes on, `--scenarios` how
// many `sweep` solves. Each benchmark is a module beside this file; one that finds a gate
// broken says so and the run fails, after everything is written.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SetupError, main } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { acpf } from "./acpf.mjs";
import { corpus } from "./corpus.mjs";
import { dcopf } from "./dcopf.mjs";
import { drag } from "./drag.mjs";
import { explain } from "./explain.mjs";
import { felt } from "./felt.mjs";
import { layout } from "./layout.mjs";
import { map } from "./map.mjs";
import { mc } from "./mc.mjs";
import { network } from "./network.mjs";
import { outages } from "./outages.mjs";
import { parse } from "./parse.mjs";
import { secure } from "./secure.mjs";
import { sens } from "./sens.mjs";
import { series } from "./series.mjs";
import { withSection } from "./sections.mjs";
import { server } from "./server.mjs";
import { PROFILES, prepare, prepareBuilt } from "./sides.mjs";
import { soak } from "./soak.mjs";
import { socwr } from "./socwr.mjs";
import { sweep } from "./sweep.mjs";
import { csv } from "./table.mjs";

/** The benchmarks: `(context) => { rows, markdown, tables?, failures? }`; `tables` are CSV texts by name. */
const BENCHMARKS = {
  parse,
  layout,
  dcopf,
  acpf,
  socwr,
  mc,
  drag,
  sens,
  explain,
  network,
  secure,
  outages,
  felt,
  server,
  map,
  series,
  sweep,
  corpus,
  soak,
};

/** Benchmarks of built artefacts without peers. */
const BUILT = new Set(["server", "map", "soak"]);

/** Benchmarks whose table is a section of a shared page. */
const SECTIONS = { soak: "robustness" };

/** Default repeats: fewer for long benchmarks, so that a run ends within five minutes. */
const REPEATS = { parse: 3, layout: 2, felt: 3, series: 1 };

const USAGE = `usage: npm run bench -- ${Object.keys(BENCHMARKS).join("|")} [--repeats N] [--only TEXT] [--limit SECONDS] [--profile ${PROFILES.join("|")}] [--minutes N] [--scenarios N] [--write]`;

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        repeats: { type: "string" },
        only: { type: "string" },
        limit: { type: "string", default: "60" },
        profile: { type: "string", default: "release" },
        minutes: { type: "string", default: "10" },
        scenarios: { type: "string", default: "100000" },
        write: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new SetupError(`${error.message}\n${USAGE}`);
  }
}

await main(async () => {
  const { positionals, values } = readArguments();
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const [what, ...more] = positionals;
  const [repeats, limit] = [Number(values.repeats ?? REPEATS[what] ?? 5), Number(values.limit)];
  const [minutes, scenarios] = [Number(values.minutes), Number(values.scenarios)];
  if (
    !(what in BENCHMARKS) ||
    more.length > 0 ||
    !(repeats >= 1) ||
    !(limit > 0) ||
    !(minutes > 0) ||
    !(scenarios >= 1) ||
    !PROFILES.includes(values.profile)
  ) {
    throw new SetupError(USAGE);
  }
  const results = at(".bench", "results");
  mkdirSync(results, { recursive: true });
  const page = (text) => {
    mkdirSync(at("docs", "benchmarks"), { recursive: true });
    const path = at("docs", "benchmarks", `${SECTIONS[what] ?? what}.md`);
    const before = existsSync(path) ? readFileSync(path, "utf8") : "";
    writeFileSync(path, what in SECTIONS ? withSection(before, what, text) : text);
  };
  // The rows so far, and the page that an interrupted run leaves behind.
  const save = (rows, text) => {
    writeFileSync(join(results, `${what}.csv`), csv(rows));
    if (values.write && text !== undefined) page(text);
  };
  const ready = BUILT.has(what) ? prepareBuilt : prepare;
  const context = await ready({ repeats, only: values.only, limit, minutes, scenarios, profile: values.profile, save });
  const { rows, markdown, tables = {}, failures = [] } = await BENCHMARKS[what](context);
  save(rows);
  console.log(markdown);
  if (values.write) {
    page(markdown);
    const folder = at("docs", "benchmarks", "data");
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(tables)) writeFileSync(join(folder, `${name}.csv`), text);
  }
  for (const failure of failures) console.error(`FAIL ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
});
