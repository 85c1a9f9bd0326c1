// Sensitivity columns at the optimum, and the size of the engine: time to load, bytes, and the share of our own crates.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { ask } from "../../binder/lib/run.mjs";
import { least } from "./sides.mjs";
import { WasmSession, caseFiles, caseName, exchange, hashOfBits } from "./solver.mjs";
import { cells, footer, markdown, ms, percentile } from "./table.mjs";
import { functionsOf } from "./wasmFile.mjs";

const CASES = [500, 2000, 10000].map((n) => `pglib_opf_case${n}_goc`);
/** In the order of `Target::ALL`. */
const KINDS = ["demand", "rating", "two_sided"];
const TITLES = { demand: "dLMP/dd", rating: "dLMP/dfmax", two_sided: "dLMP/dd, both sides" };
const COLUMNS = 100;
/** Goals: ms of a column at 10,000 buses, ms of loading, MB gzip of all and of our own crates. */
const GOALS = { column: 0.5, preload: 150, all: 4, own: 0.8 };
/** tellegen 0.1.1, ms of one dLMP/dd column: published figures, from another machine. */
const TELLEGEN = { pglib_opf_case500_goc: 8.4, pglib_opf_case2000_goc: 55, pglib_opf_case10000_goc: 394 };

export async function sens(context) {
  const files = caseFiles(context).filter((file) => CASES.includes(caseName(file)));
  if (files.length === 0) throw new SetupError(`No such case; there are ${CASES.join(", ")}.`);
  const folder = exchange("sens");
  const module = await context.solver();
  const rows = [];
  for (const file of files) {
    const [native] = await context.native("sens", context.repeats, COLUMNS, folder, file);
    const session = new WasmSession(module);
    session.open(join(folder, `${native.case}.module.json`), "service");
    session.build();
    session.prepare(0, 0, COLUMNS);
    for (const [what, kind] of KINDS.entries()) {
      const wasm = { ms: [], bits: [] };
      for (let k = 0; k < native[kind].ms.length; k += 1) {
        wasm.ms.push(least(context.repeats, () => session.column(what, k)).ms);
        wasm.bits.push(session.answer().bits);
      }
      rows.push(finished(native, kind, wasm));
      context.save(rows);
    }
  }
  rows.sort((a, b) => a.n_bus - b.n_bus);
  const weight = { ...weigh(context), preload_ms: await preload(context) };
  const failures = rows
    .filter((row) => !row.same_bits)
    .map((row) => `${row.case}: other bits of ${row.column} in WebAssembly than natively`);
  return { rows, markdown: page(context, rows, weight), tables: { sens: cells(TABLE, rows) }, failures };
}

const finished = (native, kind, wasm) => ({
  case: native.case,
  n_bus: native.n_bus,
  column: TITLES[kind],
  columns: wasm.ms.length,
  native_p50_ms: percentile(native[kind].ms, 50),
  native_max_ms: percentile(native[kind].ms, 100),
  wasm_p50_ms: percentile(wasm.ms, 50),
  wasm_max_ms: percentile(wasm.ms, 100),
  same_bits: hashOfBits(wasm.bits) === native[kind].bits,
  tellegen_published_ms: kind === "demand" ? TELLEGEN[native.case] : undefined,
});

/**
 * Bytes of the engine and of the code of our own crates, raw and compressed. The linked module, which carries names in
 * every profile, tells our code apart.
 */
function weigh({ wasm, linked, profile }) {
  if (!existsSync(linked)) {
    const option = profile === "ship" ? " -- --ship" : "";
    throw new SetupError(`The engine is not built with the profile ${profile}: run \`npm run build${option}\` first.`);
  }
  const bytes = readFileSync(wasm);
  const functions = functionsOf(readFileSync(linked));
  const own = functions.filter(({ name }) => name.includes("wattbook_")).map(({ body }) => body);
  const size = (list) => list.reduce((sum, { length }) => sum + length, 0);
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    code: size(functions.map(({ body }) => body)),
    own: size(own),
    own_gzip: gzipSync(Buffer.concat(own), { level: 9 }).length,
  };
}

/** Time from bytes to an engine that answers, ms: one process per measurement, because V8 caches compiled code. */
async function preload(context) {
  const times = [];
  for (let k = 0; k < context.repeats; k += 1) {
    const output = await ask(process.execPath, [at("tests", "bench", "preload.mjs"), context.glue, context.wasm]);
    if (output === null) throw new Error("preload.mjs failed");
    times.push(Number(output));
  }
  return Math.min(...times);
}

const fine = (value) => value.toFixed(value < 10 ? 3 : 0);

/** Titles of the table and the contents of its cells. */
const TABLE = {
  case: (row) => row.case.replace("pglib_opf_", ""),
  column: (row) => row.column,
  "native p50": (row) => fine(row.native_p50_ms),
  "native max": (row) => fine(row.native_max_ms),
  "wasm p50": (row) => fine(row.wasm_p50_ms),
  "wasm max": (row) => fine(row.wasm_max_ms),
  "tellegen, published": (row) => ms(row.tellegen_published_ms),
};

/** The page shows the case of the goal. */
const SHOWN = "pglib_opf_case10000_goc";

function page(context, rows, weight) {
  const mb = (bytes) => (bytes / 1e6).toFixed(2);
  const table = markdown(
    TABLE,
    rows.filter((row) => row.case === SHOWN),
  );
  return `# Benchmark: sensitivities, and the weight of the engine

One column of price derivatives at the optimum with the interval in which it is exact, in ms; ${COLUMNS} random load buses and branches (up to half of them binding), the least of the repeats of each. \`both sides\` also follows the optimum past both ends of the interval: the price jumps and, at a breakpoint, both one-sided columns. The goal is ${GOALS.column} ms for a column at 10,000 buses. tellegen 0.1.1 cannot be run here and has published its time for one dLMP/dd column. [data/sens.csv](data/sens.csv) has three cases.

${table}

| engine | measured | goal |
| --- | ---: | ---: |
| from bytes to a first response, ms | ${ms(weight.preload_ms)} | ${GOALS.preload} |
| size, MB | ${mb(weight.raw)} | |
| size gzip, MB | ${mb(weight.gzip)} | ${GOALS.all} |
| code of our own crates, MB of ${mb(weight.code)} | ${mb(weight.own)} | |
| code of our own crates gzip, MB | ${mb(weight.own_gzip)} | ${GOALS.own} |

Generic code of other packages for our types counts as theirs.

${footer(context, ["wattbook", "node"])}
`;
}
