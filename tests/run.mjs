// Sets up if needed and runs the tests of every part, or of the named ones:
//
// npm test [-- part ...] [-- --all]      parts: lint engine server widgets extension python e2e setup bench
//
// --all adds tests with further packages: JupyterHub, jupyter-server-proxy and schemathesis (tests/extras.mjs), and
// every file of PGLib as an AC power flow. The line before the last names the flaky files; the last line is `N passed,
// N failed, N skipped`.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "../binder/lib/fail.mjs";
import { ROOT, VENV, at } from "../binder/lib/paths.mjs";
import { setup } from "../binder/setup.mjs";
import { findChromium } from "../binder/steps/chromium.mjs";
import { extras } from "./extras.mjs";
import { countCargo, countLint, countPytest, countTap, failedFiles, judge, mended } from "./counts.mjs";

const lint = () => ({ command: process.execPath, args: [at("binder/lint.mjs")], count: countLint });

const cargo = () => ({
  command: "cargo",
  args: ["test", "--locked", "--release", "--no-fail-fast", "--", "--show-output"],
  cwd: at("engine"),
  count: countCargo,
});

/** Separate, because it selects other features of shared crates than the engine does. */
const schemas = () => ({
  ...cargo(),
  args: ["test", "--locked", "--release", "-p", "wattbook-schema", "--", "--show-output"],
});

/** Two files at a time; the tests of one file share their set-up. */
const pytest = () => ({
  command: join(VENV, "bin", "python"),
  args: ["-m", "pytest", "tests/python", "--numprocesses=2", "--dist=loadfile"],
  count: countPytest,
});

/** Test files under tap. */
const tapFiles = (files, ...options) => ({
  command: at("node_modules/.bin/tap"),
  args: ["run", "--reporter=tap", ...options, ...files],
  count: countTap,
});

/** The test files of one folder. */
const tap =
  (folder, ...options) =>
  () =>
    tapFiles(testFiles(folder), ...options);

/**
 * Tests that drive browsers depend on other programs: a failed file runs a second time, alone, and the second run
 * counts. A file that passes only then is flaky and named in the last lines.
 */
const TWICE = ["widgets", "extension", "e2e"];

function testFiles(folder) {
  const path = at("tests", folder);
  const names = existsSync(path) ? readdirSync(path, { recursive: true, encoding: "utf8" }) : [];
  const files = names.filter((name) => /\.test\.(ts|tsx|mjs)$/.test(name)).map((name) => join("tests", folder, name));
  return files.length > 0 ? files.sort() : [join("tests", folder)]; // where tap finds nothing, which counts as a failure
}

/** Every part in the order in which they run: quick and basic parts first. */
const PARTS = {
  lint: [lint],
  engine: [cargo, schemas, tap("engine")],
  server: [tap("server")],
  widgets: [tap("widgets")],
  extension: [tap("extension")],
  python: [pytest],
  e2e: [tap("e2e", "--jobs=2", "--timeout=300")],
  setup: [tap("setup", "--timeout=900")],
  bench: [tap("bench")],
};

/** Runs one runner, shows its output as it comes and returns it with its counts. */
function execute({ command, args, cwd = ROOT, count }, further) {
  const env = {
    ...process.env,
    ...further,
    VIRTUAL_ENV: VENV,
    PATH: `${join(VENV, "bin")}:${process.env.PATH}`,
    CHROMIUM: findChromium() ?? "",
  };
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      process.stdout.write(text);
    });
    child.stderr.pipe(process.stderr, { end: false });
    child.on("error", (error) => {
      console.error(error.message);
      resolve({ output: "", counts: judge(count(""), 1) });
    });
    child.on("close", (code) => resolve({ output, counts: judge(count(output), code) }));
  });
}

/** Runs the failed files once more with one job: the counts after it, and the flaky files, which passed only now. */
async function runAgain(counts, files, further) {
  console.log(`\n== a second time: ${files.join(" ")}`);
  const second = await execute(tapFiles(files, "--jobs=1", "--timeout=300"), further);
  const failed = failedFiles(second.output);
  return { counts: mended(counts, second.counts), flaky: files.filter((file) => !failed.includes(file)) };
}

const add = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});
const say = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;
const NONE = { passed: 0, failed: 0, skipped: 0 };

async function runParts(names, further) {
  const summary = [];
  const flaky = [];
  let total = NONE;
  for (const name of names) {
    console.log(`\n== ${name}`);
    const since = performance.now();
    let counts = NONE;
    for (const job of PARTS[name]) {
      const run = await execute(job(), further);
      const failed = TWICE.includes(name) ? failedFiles(run.output) : [];
      const result =
        failed.length > 0 ? await runAgain(run.counts, failed, further) : { counts: run.counts, flaky: [] };
      counts = add(counts, result.counts);
      flaky.push(...result.flaky);
    }
    summary.push(`${name.padEnd(10)} ${say(counts)}, ${((performance.now() - since) / 1000).toFixed(0)} s`);
    total = add(total, counts);
  }
  console.log(`\n${summary.join("\n")}\n`);
  console.log(["flaky files (passed only the second time):", String(flaky.length), ...flaky].join(" "));
  return total;
}

async function prepareAndRun(names, all) {
  const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(", ")}. The parts are: ${Object.keys(PARTS).join(", ")}.`);
    return { ...NONE, failed: 1 };
  }
  let further = {};
  try {
    await setup({ tests: names.includes("e2e") });
    if (all) further = await extras();
  } catch (error) {
    console.error(error instanceof SetupError ? error.message : error);
    return { ...NONE, failed: 1 };
  }
  return runParts(names, further);
}

const named = process.argv.slice(2).filter((word) => word !== "--all");
const total = await prepareAndRun(named.length > 0 ? named : Object.keys(PARTS), process.argv.includes("--all"));
console.log(say(total));
process.exitCode = total.failed > 0 ? 1 : 0;
