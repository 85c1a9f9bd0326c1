// Searches for inputs that break an entry point of the engine, one target after the other:
//
//   npm run fuzz [-- target ...] [-- --minutes N]      guided by coverage: every target for a minute, or the named ones for N
//   npm run fuzz [-- target ...] -- --cases N          N mutated seeds, the same ones in every run
//
// Stable Rust and a C++ compiler are all it needs. Inputs that reach new code are stored in engine/target/fuzz-corpus and
// serve the next run; an input that breaks something is saved in engine/target/fuzz-findings with the command that repeats it.
// The same targets run for a fixed number of inputs in `npm test`.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { main, SetupError } from "./lib/fail.mjs";
import { at } from "./lib/paths.mjs";
import { ask, run } from "./lib/run.mjs";

/** The options of cargo-fuzz for a build without sanitizers, all of them stable. */
const COVERAGE = [
  "--cfg fuzzing",
  "-Cpasses=sancov-module",
  "-Cllvm-args=-sanitizer-coverage-level=4",
  "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
  "-Cllvm-args=-sanitizer-coverage-pc-table",
  "-Cllvm-args=-sanitizer-coverage-trace-compares",
].join(" ");
const TARGET_FOLDER = at("engine", "target", "fuzz");
/**
 * Maximum input, bytes: seeds have 1 to 8 KB. A .pwb file is larger, and only a whole one reaches most of its reader.
 */
const LONGEST = { pwb: 120_000, other: 20_000 };

/** Runs targets on the first `cases` mutated seeds; true when nothing was found. */
async function runCases(cases, names) {
  const program = ["run", "--locked", "--release", "--quiet", "-p", "wattbook-fuzz", "--bin", "cases", "--"];
  return new Promise((resolve, reject) => {
    const child = spawn("cargo", [...program, String(cases), ...names], { cwd: at("engine"), stdio: "inherit" });
    child.on("error", reject);
    child.on("close", (code) => resolve(code === 0));
  });
}

/** Every target and the data folders with files of its kind. */
async function listTargets() {
  await run("cargo", ["build", "--locked", "--release", "-p", "wattbook-fuzz", "--bins"], { cwd: at("engine") });
  const list = await ask(at("engine", "target", "release", "targets"), []);
  if (list === null) throw new SetupError("The list of targets could not be read.");
  return new Map(list.split("\n").map((line) => [line.split("\t")[0], line.split("\t").slice(1)]));
}

/** Builds with coverage counters in a separate folder; the host is named so that build scripts have none. */
async function buildInstrumented() {
  const host = (await ask("rustc", ["-vV"]))?.match(/^host: (.*)$/m)?.[1];
  if (!host) throw new SetupError("`rustc -vV` does not name its host.");
  const options = ["--locked", "--profile", "fuzz", "--target", host, "--target-dir", TARGET_FOLDER];
  const what = ["-p", "wattbook-fuzz", "--features", "libfuzzer", "--bin", "libfuzzer"];
  await run("cargo", ["build", ...options, ...what], { cwd: at("engine"), env: { RUSTFLAGS: COVERAGE } });
  return join(TARGET_FOLDER, host, "fuzz", "libfuzzer");
}

/** Runs one target; true when nothing was found. */
function search(program, name, folders, seconds) {
  const corpus = at("engine", "target", "fuzz-corpus", name);
  const findings = at("engine", "target", "fuzz-findings", name);
  for (const folder of [corpus, findings]) mkdirSync(folder, { recursive: true });
  const seeds = [at("engine", "fuzz", "seeds"), ...folders].filter((folder) => existsSync(folder));
  const options = [
    `-max_total_time=${seconds}`,
    `-max_len=${LONGEST[name] ?? LONGEST.other}`,
    `-artifact_prefix=${findings}/`,
    "-rss_limit_mb=2048",
    "-timeout=20",
    "-verbosity=0",
    "-print_final_stats=1",
  ];
  const env = { ...process.env, WATTBOOK_FUZZ_TARGET: name };
  const before = new Set(readdirSync(findings));
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...options, corpus, ...seeds], { env, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", reject);
    child.on("close", (code) => {
      const found = readdirSync(findings).filter((file) => !before.has(file));
      for (const file of found) {
        console.log(`found: ${join(findings, file)}`);
        console.log(
          `again: cd engine && cargo run --release -p wattbook-fuzz --bin replay -- ${name} ${join(findings, file)}`,
        );
      }
      resolve(code === 0 && found.length === 0);
    });
  });
}

await main(async () => {
  const options = { minutes: { type: "string" }, cases: { type: "string" } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const minutes = Number(values.minutes ?? "1");
  if (!(minutes > 0)) throw new SetupError(`--minutes takes a positive number, not \`${values.minutes}\`.`);
  const cases = Number(values.cases ?? "1");
  if (!(Number.isInteger(cases) && cases > 0)) {
    throw new SetupError(`--cases takes a positive whole number, not \`${values.cases}\`.`);
  }
  const targets = await listTargets();
  const unknown = positionals.filter((name) => !targets.has(name));
  if (unknown.length > 0) {
    throw new SetupError(
      `There is no target ${unknown.join(", ")}. The targets are: ${[...targets.keys()].join(", ")}.`,
    );
  }
  if (values.cases !== undefined) {
    process.exitCode = (await runCases(cases, positionals)) ? 0 : 1;
    return;
  }
  const program = await buildInstrumented();
  const broken = [];
  for (const name of positionals.length > 0 ? positionals : targets.keys()) {
    console.log(`\n== ${name}, ${minutes} min`);
    if (!(await search(program, name, targets.get(name), Math.ceil(minutes * 60)))) broken.push(name);
  }
  console.log(broken.length > 0 ? `\nfuzz: findings in ${broken.join(", ")}` : "\nfuzz: nothing found");
  process.exitCode = broken.length > 0 ? 1 : 0;
});
