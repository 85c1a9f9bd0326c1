// Multiconductor power flow: IEEE feeders and generated ones, our engine natively and in WebAssembly beside OpenDSS. Controls are
// held and sources have their impedances on every side.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exchange } from "./solver.mjs";
import { syntheticFeeder } from "./syntheticFeeder.mjs";
import { footer, markdown, ms, times } from "./table.mjs";

/** Feeders of the folder of public data, below `dss`. */
const PUBLIC = ["13Bus/IEEE13Nodeckt.dss", "34Bus/ieee34Mod1.dss", "37Bus/ieee37.dss", "123Bus/IEEE123Master.dss"];
/** What all of these refer to in the folder above. */
const SHARED = "IEEELineCodes.DSS";
/** Medium-voltage buses of the generated ones; each has four low-voltage feeders behind its transformer. */
const GENERATED = [13, 50, 160];
/** Goals: times faster than OpenDSS cold; ms of a load edit in WebAssembly and of a cold solve, by terminals. */
const FASTER = 3;
const EDIT_MS = [
  [40_000, 8],
  [130_000, 30],
];
const COLD_MS = 150;

export async function mc(context) {
  const folder = exchange("mc");
  const scripts = [...publicOnes(context, folder), ...generated(folder)].filter((file) => context.wanted(file));
  const rows = [];
  for (const script of scripts) {
    const [native] = await context.native("mc", context.repeats, folder, script);
    const wasm = await inWasm(context, join(folder, `${native.case}.module.json`), native);
    const [opendss] = await context.peer("mc.py", context.limit, context.repeats, script, native.load, native.p_kw);
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
  return { rows, markdown: page(context, rows), failures: failures(rows) };
}

/** Copies with all files of a script beside it: peers write there, and ours reads no folder above. */
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

/** Scripts of generated feeders, each in a folder of its own. */
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
      ...(row.cold_ms <= COLD_MS ? [] : [`${row.case}: cold ${ms(row.cold_ms)} ms, goal ${COLD_MS}`]),
      ...(edit && row.wasm_edit_ms <= edit[1]
        ? []
        : [`${row.case}: edit ${ms(row.wasm_edit_ms)} ms, goal ${edit?.[1]}`]),
    ];
  });
}

/** What the page tells of each feeder. */
const COLUMNS = {
  feeder: (row) => row.case,
  terminals: (row) => row.terminals,
  loads: (row) => row.loads,
  read: (row) => ms(row.read_ms),
  cold: (row) => `${ms(row.cold_ms)} (${row.iterations})`,
  "OpenDSS cold": (row) => `${ms(row.dss_cold_ms)} (${row.dss_iterations})`,
  ratio: (row) => times(row.ratio),
  edit: (row) => `${ms(row.edit_ms)} (${row.edit_iterations})`,
  "OpenDSS edit": (row) => ms(row.dss_edit_ms),
  "wasm open": (row) => ms(row.wasm_open_ms),
  "wasm edit": (row) => ms(row.wasm_edit_ms),
};

function page(context, rows) {
  return `# Multiconductor power flow

Milliseconds of one thread on a processor (in WebAssembly: by the clock), least of ${context.repeats}; iterations in brackets. *Read* makes the feeder of its module, *cold* orders, factors and solves it
without reading, *edit* moves the largest load by 20 % from the solution before. OpenDSS *cold* builds and factors its matrix
(\`BuildYMatrix\`) and solves with a tolerance of 1e-8. *wasm open* reads, solves and certifies in the shipped engine; *wasm edit* is the
call behind a slider. Generated feeders: 110/11/0.415 kV, four wires, single-phase loads (tests/bench/syntheticFeeder.mjs).

${markdown(COLUMNS, rows)}

${footer(context, ["wattbook", "node", "python", "opendssdirect.py"])}`;
}
