// Benchmarks beside their peers in one run:
//
//   npm run bench -- parse|layout [--repeats N] [--only TEXT] [--write]
//
// Every time is the least of N repeats. All rows go to `.bench/results/<what>.csv`; `--write` also writes the table of
// `docs/benchmarks/<what>.md`, which belongs to a quiet machine. Each benchmark is a module beside this file.
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { SetupError, main } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { layout } from "./layout.mjs";
import { parse } from "./parse.mjs";
import { prepare } from "./sides.mjs";
import { csv } from "./table.mjs";

/** What can be measured: `(context) => { rows, markdown }`. */
const BENCHMARKS = { parse, layout };

await main(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { repeats: { type: "string", default: "5" }, only: { type: "string" }, write: { type: "boolean" } },
  });
  const [what, ...more] = positionals;
  const repeats = Number(values.repeats);
  if (!(what in BENCHMARKS) || more.length > 0 || !(repeats >= 1)) {
    const names = Object.keys(BENCHMARKS).join("|");
    throw new SetupError(`usage: npm run bench -- ${names} [--repeats N] [--only TEXT] [--write]`);
  }
  const context = await prepare({ repeats, only: values.only });
  const { rows, markdown } = await BENCHMARKS[what](context);
  mkdirSync(at(".bench", "results"), { recursive: true });
  writeFileSync(at(".bench", "results", `${what}.csv`), csv(rows));
  console.log(markdown);
  if (values.write) {
    mkdirSync(at("docs", "benchmarks"), { recursive: true });
    writeFileSync(at("docs", "benchmarks", `${what}.md`), markdown);
  }
});
