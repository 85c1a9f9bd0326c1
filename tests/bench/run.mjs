// Benchmarks beside their peers in one run:
//
//   npm run bench -- parse|layout|dcopf|acpf|socwr|mc|drag|sens|explain|felt|server|map [--repeats N] [--only TEXT] [--limit S] [--profile NAME] [--write]
//
// Every time is the least of N repeats. All rows go to `.bench/results/<what>.csv`; `--write` also writes the table of
// `docs/benchmarks/<what>.md`, which belongs to a quiet machine and to `--profile ship`, the profile of what is shipped.
// `--limit` is what a peer may take for one row, in seconds. Each benchmark is a module beside this file; one that finds a gate
// broken says so and the run fails, after everything is written.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SetupError, main } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { acpf } from "./acpf.mjs";
import { dcopf } from "./dcopf.mjs";
import { drag } from "./drag.mjs";
import { explain } from "./explain.mjs";
import { felt } from "./felt.mjs";
import { layout } from "./layout.mjs";
import { map } from "./map.mjs";
import { mc } from "./mc.mjs";
import { parse } from "./parse.mjs";
import { sens } from "./sens.mjs";
import { server } from "./server.mjs";
import { PROFILES, prepare, prepareBuilt } from "./sides.mjs";
import { socwr } from "./socwr.mjs";
import { csv } from "./table.mjs";

/** What can be measured: `(context) => { rows, markdown, failures? }`. */
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
  felt,
  server,
  map,
};

/** Those that measure what is built already and have no peers. */
const BUILT = new Set(["server", "map"]);

/** Repeats where nobody says: fewer of what takes long, so that a run ends within five minutes. */
const REPEATS = { parse: 3, layout: 2, felt: 3 };

await main(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      repeats: { type: "string" },
      only: { type: "string" },
      limit: { type: "string", default: "60" },
      profile: { type: "string", default: "release" },
      write: { type: "boolean" },
    },
  });
  const [what, ...more] = positionals;
  const [repeats, limit] = [Number(values.repeats ?? REPEATS[what] ?? 5), Number(values.limit)];
  if (
    !(what in BENCHMARKS) ||
    more.length > 0 ||
    !(repeats >= 1) ||
    !(limit > 0) ||
    !PROFILES.includes(values.profile)
  ) {
    const names = Object.keys(BENCHMARKS).join("|");
    const options = `[--repeats N] [--only TEXT] [--limit SECONDS] [--profile ${PROFILES.join("|")}] [--write]`;
    throw new SetupError(`usage: npm run bench -- ${names} ${options}`);
  }
  const results = at(".bench", "results");
  mkdirSync(results, { recursive: true });
  const page = (text) => {
    mkdirSync(at("docs", "benchmarks"), { recursive: true });
    writeFileSync(at("docs", "benchmarks", `${what}.md`), text);
  };
  // Rows so far, and the page that an interrupted run leaves.
  const save = (rows, text) => {
    writeFileSync(join(results, `${what}.csv`), csv(rows));
    if (values.write && text !== undefined) page(text);
  };
  const ready = BUILT.has(what) ? prepareBuilt : prepare;
  const context = await ready({ repeats, only: values.only, limit, profile: values.profile, save });
  const { rows, markdown, failures = [] } = await BENCHMARKS[what](context);
  save(rows);
  console.log(markdown);
  if (values.write) page(markdown);
  for (const failure of failures) console.error(`FAIL ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
});
