// From the bytes of a case file to its module text: natively by steps, in WebAssembly as `ingest_case`, beside
// matpowercaseframes (the reader that pandapower and PyPSA's converters use) for MATPOWER files.
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { SetupError } from "../../binder/lib/fail.mjs";
import { least } from "./sides.mjs";
import { cells, chosen, footer, geometricMean, markdown, ms, times } from "./table.mjs";

const CASE_FILE = /\.(m|raw|aux|pwb|epc)$/i;
/** Smaller files are listed in the CSV only. */
const SHOWN_BYTES = 8_000_000;

/** The columns of the page; the CSV has all. */
const SHOWN = ["file", "buses", "MB", "native total", "wasm", "peer", "native / peer", "wasm / peer"];

export async function parse(context) {
  const files = caseFiles(context);
  if (files.length === 0) throw new SetupError("No case files: set WATTBOOK_DATA, or ask for others with --only.");
  const rows = new Map();
  for (const row of await context.native("parse", context.repeats, ...files)) {
    if (row.refused === undefined) rows.set(row.file, { case: basename(row.file), ...row });
  }
  for (const row of rows.values()) Object.assign(row, await inWasm(context, row));
  const matpower = [...rows.keys()].filter((file) => /\.m$/i.test(file));
  for (const { file, peer_ms } of await context.peer("parse.py", Math.min(context.repeats, 3), ...matpower)) {
    rows.get(file).peer_ms = peer_ms;
  }
  const all = [...rows.values()].sort((a, b) => a.n_bus - b.n_bus || a.bytes - b.bytes).map(finished);
  return {
    rows: all.map(({ file: _, ...row }) => row),
    markdown: page(context, all, files.length - all.length),
    tables: { parse: cells(COLUMNS, all) },
  };
}

function caseFiles({ data, pglib, wanted }) {
  const below = (folder, options) =>
    readdirSync(folder, options)
      .map((name) => join(folder, name))
      .sort();
  const all = [...(data ? below(data, { recursive: true, encoding: "utf8" }) : []), ...below(pglib)];
  const requested = all.filter((file) => CASE_FILE.test(file) && wanted(basename(file)));
  // Both folders have PGLib cases.
  return [...new Map(requested.map((file) => [basename(file), file])).values()];
}

async function inWasm(context, row) {
  const engine = await context.instance();
  const bytes = readFileSync(row.file);
  const format = engine.format_of(row.file);
  const {
    ms: wasm_ms,
    first: wasm_first_ms,
    result,
  } = least(context.repeats, () => JSON.parse(engine.ingest_case(bytes, format).json));
  // Both must have the same bits, otherwise the times compare different work.
  if (result.sha256 !== row.sha256) throw new Error(`${row.file}: another module in WebAssembly`);
  const { ms: wasm_read_ms } = least(context.repeats, () => engine.inspect_module(result.module_json));
  return { wasm_ms, wasm_first_ms, wasm_read_ms };
}

const finished = (row) => ({
  case: row.case,
  file: row.file,
  n_bus: row.n_bus,
  bytes: row.bytes,
  module_bytes: row.module_bytes,
  parse_ms: row.parse_ms,
  analysis_ms: row.analysis_ms,
  write_ms: row.write_ms,
  total_ms: row.total_ms,
  read_ms: row.read_ms,
  wasm_ms: row.wasm_ms,
  wasm_first_ms: row.wasm_first_ms,
  wasm_read_ms: row.wasm_read_ms,
  peer_ms: row.peer_ms,
});

const ratio = (row) => (row.peer_ms === undefined ? undefined : row.peer_ms / row.total_ms);
const wasmRatio = (row) => (row.peer_ms === undefined ? undefined : row.peer_ms / row.wasm_ms);

/** Titles of the table, and what its cells are. */
const COLUMNS = {
  file: (row) => row.case,
  buses: (row) => row.n_bus,
  MB: (row) => (row.bytes / 1e6).toFixed(1),
  "module MB": (row) => (row.module_bytes / 1e6).toFixed(1),
  parse: (row) => ms(row.parse_ms),
  analysis: (row) => ms(row.analysis_ms),
  write: (row) => ms(row.write_ms),
  "native total": (row) => ms(row.total_ms),
  "read back": (row) => ms(row.read_ms),
  wasm: (row) => ms(row.wasm_ms),
  "wasm, first": (row) => ms(row.wasm_first_ms),
  "wasm, read back": (row) => ms(row.wasm_read_ms),
  peer: (row) => ms(row.peer_ms),
  "native / peer": (row) => times(ratio(row)),
  "wasm / peer": (row) => times(wasmRatio(row)),
};

function page(context, rows, refused) {
  const shown = rows.filter((row) => row.bytes >= SHOWN_BYTES);
  const table = markdown(chosen(COLUMNS, SHOWN), shown);
  return `# Benchmark: reading case files

From bytes to the module text with its hash, in ms. WebAssembly runs under Node and includes the result as a JavaScript object. The peer is the Python package matpowercaseframes, which gives DataFrames of a MATPOWER file without checks; \`/ peer\` is the ratio of its time to ours. The table has the files of at least ${SHOWN_BYTES / 1e6} MB. [data/parse.csv](data/parse.csv) has all, with the steps: \`parse\` (the parser with our limits), \`analysis\` (the rules of the service), \`write\` (the module text), \`read back\` (a module text to the analysis network) and \`first\` (the first call of a new instance).

${table}

All ${rows.length} files (${refused} more are refused): ${times(geometricMean(rows.map(ratio)))} natively and ${times(
    geometricMean(rows.map(wasmRatio)),
  )} in WebAssembly against the peer, geometric means over the MATPOWER files.

${footer(context, ["wattbook", "node", "python", "matpowercaseframes", "pandas"])}
`;
}
