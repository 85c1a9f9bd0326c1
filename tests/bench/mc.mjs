// Multiconductor power flow: IEEE feeders and generated ones, our engine natively and in WebAssembly beside OpenDSS,
// with held controls and source impedances on every side; then the page with the generated feeders.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { onPage } from "./mc/page.mjs";
import { syntheticFeeder } from "./mc/syntheticFeeder.mjs";
import { exchange } from "./solver.mjs";
import { cells, chosen, footer, markdown, ms, times } from "./table.mjs";

/** Feeders in the folder of public data, below `dss`. */
const PUBLIC = ["13Bus/IEEE13Nodeckt.dss", "34Bus/ieee34Mod1.dss", "37Bus/ieee37.dss", "123Bus/IEEE123Master.dss"];
/** File in the parent folder that all of these refer to. */
const SHARED = "IEEELineCodes.DSS";
/** Repeats of these, on both sides: they take less than a millisecond, and the first repeats load memory and code. */
const PUBLIC_REPEATS = 5000;
/**
 * Numbers of medium-voltage buses of the generated feeders; each has four low-voltage feeders behind its transformer.
 */
const GENERATED = [13, 50, 160];
/** Goals: speed-up over a cold OpenDSS; ms of a load edit in WebAssembly and of a cold solve, by terminals. */
const FASTER = 3;
const EDIT_MS = [
  [40_000, 8],
  [130_000, 30],
];
const COLD_MS = 150;
/** Longest task of the page's main thread, and a frame while a hand moves the picture, ms. */
const TASK_MS = 200;
const FRAME_MS = 17.5;

export async function mc(context) {
  const folder = exchange("mc");
  const scripts = [...publicOnes(context, folder), ...generated(folder)].filter((file) => context.wanted(file));
  const rows = [];
  for (const script of scripts) {
    const repeats = isGenerated(script) ? context.repeats : PUBLIC_REPEATS;
    const [native] = await context.native("mc", repeats, folder, script);
    const wasm = await inWasm(context, join(folder, `${native.case}.module.json`), native);
    const [opendss] = await context.peer("mc.py", context.limit, repeats, script, native.load, native.p_kw);
    const { load: _load, p_kw: _kw, ...ours } = native;
    const ratio = opendss.cold_ms / native.cold_ms;
    const apart =
      opendss.losses_w === undefined ? undefined : Math.abs(wasm.losses_w - opendss.losses_w) / opendss.losses_w;
    rows.push({
      ...ours,
      wasm_open_ms: wasm.open_ms,
      wasm_edit_ms: wasm.edit_ms,
      dss_cold_ms: opendss.cold_ms,
      dss_edit_ms: opendss.edit_ms,
      dss_iterations: opendss.iterations,
      ratio,
      apart,
    });
    context.save(rows);
    console.error(`${rows.length}/${scripts.length} ${native.case}: ${ms(native.cold_ms)} ms, OpenDSS ${times(ratio)}`);
  }
  const large = scripts.filter(isGenerated);
  for (const shown of await onPage(large)) {
    const row = rows.find((one) => one.case === shown.case);
    Object.assign(row, shown);
  }
  return { rows, markdown: page(context, rows), tables: { mc: cells(COLUMNS, rows) }, failures: failures(rows) };
}

const isGenerated = (script) => basename(script).startsWith("generated_");

/** Copies of scripts with all their files: peers write into the folder, and our reader accesses no parent folder. */
function publicOnes({ data }, folder) {
  const found = PUBLIC.filter((name) => data && existsSync(join(data, "dss", name)));
  return found.map((name) => {
    const [from, to] = [join(data, "dss"), join(folder, dirname(name))];
    cpSync(join(from, dirname(name)), to, { recursive: true });
    cpSync(join(from, SHARED), join(to, SHARED));
    const script = join(folder, name);
    writeFileSync(script, readFileSync(script, "latin1").replace(/\.\.[\\/](?=IEEELineCodes)/gi, ""), "latin1");
    return script;
  });
}

/** Scripts of generated feeders, each in a separate folder. */
function generated(folder) {
  return GENERATED.map((buses) => {
    const name = `generated_${buses}`;
    mkdirSync(join(folder, name), { recursive: true });
    const file = join(folder, name, `${name}.dss`);
    writeFileSync(file, syntheticFeeder(buses));
    return file;
  });
}

/** The shipped engine: opening with reading, ordering and solving, and a load under a slider. */
async function inWasm(context, file, { load, p_kw }) {
  const { McStudy } = await context.instance();
  const module = readFileSync(file, "utf8");
  const options = JSON.stringify({ source_impedance: "branch", controls: "held" });
  let [openMs, editMs, losses] = [Infinity, Infinity, NaN];
  for (let k = 0; k < Math.min(context.repeats, 3); k += 1) {
    const begun = performance.now();
    const study = new McStudy(module, options, "{}");
    openMs = Math.min(openMs, performance.now() - begun);
    losses = JSON.parse(study.result().json).totals.loss_w;
    for (const factor of [1, 0.95, 1.05, 0.9, 1.1]) {
      const loads = JSON.stringify({ [load]: { p_kw: p_kw * factor } });
      const moved = performance.now();
      study.preview(loads);
      editMs = Math.min(editMs, performance.now() - moved);
    }
    study.free();
  }
  return { open_ms: openMs, edit_ms: editMs, losses_w: losses };
}

function failures(rows) {
  return rows.flatMap((row) => {
    const edit = EDIT_MS.find(([most]) => row.terminals <= most);
    return [
      ...(row.ratio >= FASTER ? [] : [`${row.case}: ${times(row.ratio)} OpenDSS cold, goal ${FASTER}`]),
      ...over(row, "cold with currents", row.cold_ms + row.currents_ms, COLD_MS),
      ...over(row, "longest task of the page", Math.max(row.open_task_ms ?? 0, row.solve_task_ms ?? 0), TASK_MS),
      ...over(row, "frame of the page", Math.max(row.pan_ms ?? 0, row.zoom_ms ?? 0), FRAME_MS),
      ...(edit && row.wasm_edit_ms <= edit[1]
        ? []
        : [`${row.case}: edit ${ms(row.wasm_edit_ms)} ms, goal ${edit?.[1]}`]),
    ];
  });
}

const over = (row, what, value, goal) => (value <= goal ? [] : [`${row.case}: ${what} ${ms(value)} ms, goal ${goal}`]);

/** More digits for small feeders, which take microseconds. */
const fine = (value) => (value < 1 ? value.toFixed(3) : ms(value));

/** All measured values of a feeder, as text; the page shows a part of them. */
const COLUMNS = {
  feeder: (row) => row.case,
  terminals: (row) => row.terminals,
  loads: (row) => row.loads,
  read: (row) => ms(row.read_ms),
  cold: (row) => `${fine(row.cold_ms)} (${row.iterations})`,
  "OpenDSS cold": (row) => `${fine(row.dss_cold_ms)} (${row.dss_iterations})`,
  ratio: (row) => times(row.ratio),
  currents: (row) => fine(row.currents_ms),
  edit: (row) => `${fine(row.edit_ms)} (${row.edit_iterations})`,
  "OpenDSS edit": (row) => fine(row.dss_edit_ms),
  "wasm open": (row) => ms(row.wasm_open_ms),
  "wasm edit": (row) => fine(row.wasm_edit_ms),
  "page opened": (row) => ms(row.page_open_ms),
  "longest task": (row) => ms(row.open_task_ms),
  "page solved": (row) => ms(row.page_solve_ms),
  "longest task then": (row) => ms(row.solve_task_ms),
  "frame of a pan": (row) => ms(row.pan_ms),
  "frame of a zoom": (row) => ms(row.zoom_ms),
};

/** The smallest feeder and the columns of the page. */
const SHOWN_TERMINALS = 300;
const SHOWN = [
  ...["feeder", "terminals", "cold", "OpenDSS cold", "ratio", "edit", "OpenDSS edit", "wasm open", "wasm edit"],
  ...["page opened", "page solved"],
];

function page(context, rows) {
  return `# Benchmark: multiconductor power flow

Milliseconds of processor time of one thread (in WebAssembly: wall clock), least of ${context.repeats}, of public feeders of ${PUBLIC_REPEATS}; iterations in brackets. *Read* builds the feeder from its module. *Cold* is the same on both sides: matrices of all elements and of the circuit, order and factors, and voltages to 1e-8 from loads as impedances. OpenDSS retains matrices of elements between solutions; a change of the frequency there and back makes it build them again. *Edit* changes the largest load by 20 % from the previous voltages. *wasm open* reads, solves and certifies in the shipped engine; *wasm edit* is the call behind a slider. Generated feeders: 110/11/0.415 kV, four wires, single-phase loads (tests/bench/mc/syntheticFeeder.mjs).

*Page opened* is the stand-alone page in Chromium from the drop of the script to the drawn diagram, *page solved* from the click to voltages, profile and tables.

${markdown(
  chosen(COLUMNS, SHOWN),
  rows.filter((row) => row.terminals >= SHOWN_TERMINALS),
)}

[data/mc.csv](data/mc.csv) has all feeders and columns, with the longest task of the page's main thread in both, and the 95th percentile of frames while the picture is panned and zoomed.

${footer(context, ["wattbook", "node", "python", "opendssdirect.py"])}
`;
}
