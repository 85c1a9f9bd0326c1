// The shared parts of the solver benchmarks: cases, our session in WebAssembly, and verdicts on peers.
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { at } from "../../binder/lib/paths.mjs";

/** Name of a case by its file. */
export const caseName = (file) => basename(file).replace(/\.m$/i, "");

/** The MATPOWER files of PGLib (typ, api, sad) and, where the public data are present, of their folders. */
export function caseFiles({ data, pglib, wanted }) {
  const folders = [pglib, join(pglib, "api"), join(pglib, "sad")];
  if (data) folders.push(...["cats", "activsg200", "activsg500", "activsg2000"].map((name) => join(data, name)));
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .sort()
        .map((name) => join(folder, name)),
    )
    .filter((file) => file.endsWith(".m") && wanted(caseName(file)));
}

/** A folder for files exchanged between the sides. */
export function exchange(name) {
  const folder = at(".bench", name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export const CONVENTIONS = ["service", "powermodels", "matpower"];

/** Exports of our solvers in WebAssembly. */
function instantiate(module) {
  // The parser's packages bring imports for browsers, which are never called here.
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = () => {
      throw new Error(`The engine called ${from}.${name}.`);
    };
  }
  return new WebAssembly.Instance(module, imports).exports;
}

/** Copies the bytes of a file into the memory of an instance: address and length. */
function given(exports, file) {
  const bytes = readFileSync(file);
  const pointer = exports.bench_alloc(bytes.length);
  new Uint8Array(exports.memory.buffer).set(bytes, pointer);
  return [pointer, bytes.length];
}

/** Our solver in WebAssembly, as exported by `engine/crates/bench/src/hosts`; one case per instance. */
export class WasmSession {
  #exports;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#exports = instantiate(module);
  }

  /** Reads a module; the text is that of `file`. */
  open(file, convention) {
    if (!this.#exports.bench_open(...given(this.#exports, file), CONVENTIONS.indexOf(convention)))
      throw this.#failure();
  }

  /** The timed calls; each is false where the engine returned an error. */
  build = () => this.#exports.bench_build() === 1;
  solve = () => this.#exports.bench_solve() === 1;
  step = (k) => this.#exports.bench_step(k) === 1;
  preview = (k) => this.#exports.bench_preview(k) === 1;
  column = (what, k) => this.#exports.bench_column(what, k) === 1;

  /** Stores the optimum of the base case and chooses steps and targets. */
  prepare(buses, steps, columns) {
    if (!this.#exports.bench_prepare(buses, steps, columns)) throw this.#failure();
  }

  /** The steps: original id of the bus, and MW. */
  moves() {
    const count = this.#exports.bench_steps();
    const move = (k) => ({ k, bus: Number(this.#exports.bench_step_bus(k)), mw: this.#exports.bench_step_mw(k) });
    return Array.from({ length: count }, (_, k) => move(k));
  }

  /** The answer of the last call: at least `bits`. */
  answer() {
    const length = this.#exports.bench_text();
    const bytes = new Uint8Array(this.#exports.memory.buffer, this.#exports.bench_text_at(), length);
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  #failure() {
    return new Error(this.answer().message);
  }
}

/** Formulations in WebAssembly, as `engine/crates/bench/src/calls_abi.rs` numbers them. */
const FORMULATIONS = ["socwr", "acpf"];

/** A formulation in WebAssembly, as exported by `engine/crates/bench/src/calls_abi.rs`; one case per instance. */
export class WasmCalls {
  #exports;
  #formulation;

  /**
   * @param {WebAssembly.Module} module
   * @param {"socwr" | "acpf"} formulation
   */
  constructor(module, formulation) {
    this.#exports = instantiate(module);
    this.#formulation = FORMULATIONS.indexOf(formulation);
  }

  open(file) {
    if (!this.#exports.bench_calls_open(...given(this.#exports, file), this.#formulation))
      throw new Error(this.answer().message);
  }

  /** Least processor time of a call, milliseconds. */
  least(repeats, what, k) {
    const spent = () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
    let [best, total] = [Infinity, 0];
    for (let n = 0; n < repeats && total <= 500; n += 1) {
      const start = spent();
      if (!this.#exports.bench_calls_make(what, k)) throw new Error(this.answer().message);
      const passed = spent() - start;
      [best, total] = [Math.min(best, passed), total + passed];
    }
    return best;
  }

  /** Stores the last optimum as the base of the steps; false where there is none. */
  keep = () => this.#exports.bench_calls_keep() === 1;

  /** The answer of the last solve. */
  answer() {
    const length = this.#exports.bench_calls_text();
    const bytes = new Uint8Array(this.#exports.memory.buffer, this.#exports.bench_calls_text_at(), length);
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  megabytes = () => this.#exports.memory.buffer.byteLength / 2 ** 20;
}

const MASK = (1n << 64n) - 1n;

/** Hash of a sequence of hashes, computed like `Bits::add`. */
export function hashOfBits(list) {
  let hash = 0xcbf29ce484222325n;
  for (const hex of list) {
    let value = BigInt(`0x${hex}`);
    for (let k = 0; k < 8; k += 1) {
      hash = ((hash ^ (value & 0xffn)) * 0x100000001b3n) & MASK;
      value >>= 8n;
    }
  }
  return hash.toString(16).padStart(16, "0");
}

/** DC objective of each case as printed in PGLib's BASELINE.md, `inf.` where there is none. */
export function baselines(text) {
  const found = new Map();
  for (const line of text.split("\n")) {
    const cells = line.split("|").map((cell) => cell.trim());
    if (cells[1]?.startsWith("pglib_opf")) found.set(cells[1], cells[4]);
  }
  return found;
}

/** Whether an objective has the printed digits; a rounding half may fall to either side. */
export function hasDigits(objective, printed) {
  const want = Number(printed);
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(want))) - 4);
  return Math.abs(objective - want) <= 0.500001 * unit;
}

/** Whether two objectives are equal to the accuracy of all solvers. */
export const agrees = (a, b) => Math.abs(a - b) <= 1e-5 * (1 + Math.abs(a));

/** The verdict on a peer's answer beside ours: `right`, `wrong`, or the reason why there is none. */
export function judge(peer, ours) {
  if (peer.status === "time") return "time";
  if (peer.status === "infeasible") return ours.status === "SOLVE.INFEASIBLE" ? "right" : "wrong";
  if (peer.status !== "optimal") return peer.status;
  return ours.status === "optimal" && agrees(ours.objective, peer.objective) ? "right" : "wrong";
}

/** The fastest right answer among some peers' rows: `{ms, side}`, or `{why}` where there is none. */
export function bestOf(rows, ours) {
  const judged = rows.map((row) => ({ ...row, verdict: judge(row, ours) }));
  const right = judged.filter((row) => row.verdict === "right").sort((a, b) => a.ms - b.ms);
  if (right.length > 0) return { ms: right[0].ms, side: right[0].peer };
  return { why: [...new Set(judged.map((row) => row.verdict))].join(" / ") };
}
