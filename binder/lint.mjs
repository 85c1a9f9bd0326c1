// Checks, or with --fix repairs, the form of the sources in every language; runs everything, and fails if anything
// failed.
import { spawn } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { main } from "./lib/fail.mjs";
import { ROOT, VENV, at } from "./lib/paths.mjs";
import { hashOf, readStamp, writeStamp } from "./lib/stamps.mjs";
import { ensureRustComponent } from "./lib/tools.mjs";

const node = (name, ...args) => [at("node_modules", ".bin", name), args];
const cargo = (...args) => ["cargo", args, at("engine")];
const python = (name, ...args) => [join(VENV, "bin", name), args];

/** Folders to which the rules of dependency-cruiser.config.mjs apply. */
const SOURCES = ["engine/src", "server/src", "widgets/src", "extension/src", "extension/webmcp/src"];

/**
 * Hash of the types that a file depends on outside the file: declarations just written by `tsc -b`, and shared test
 * helpers.
 */
function typesOfOthers() {
  const within = (folder, pattern) =>
    readdirSync(at(folder), { recursive: true, encoding: "utf8" })
      .filter((path) => pattern.test(path))
      .map((path) => join(folder, path))
      .sort();
  const declarations = SOURCES.flatMap((path) => within(path.replace(/\bsrc$/, "lib"), /\.d\.ts$/));
  const shared = within("tests", /(?<!\.test)\.tsx?$/);
  const settings = ["package-lock.json", "eslint.config.mjs", "tsconfig.base.json", "tsconfig.lint.json"];
  return hashOf([...settings, ...declarations, "engine/wasm/glue.d.ts", ...shared]);
}

/**
 * Cache options: eslint checks changed files again, and every file after a change of types, since a promise may come
 * from another file.
 */
function lintCache() {
  const [folder, file, key] = [at(".setup"), at(".setup", "eslint-results.json"), typesOfOthers()];
  if (readStamp(folder, "eslint")?.key !== key) {
    rmSync(file, { force: true });
    writeStamp(folder, "eslint", { key });
  }
  return ["--cache", "--cache-strategy=content", `--cache-location=${file}`];
}

/** The form of a file depends on the file alone. */
const prettierCache = [
  "--cache",
  "--cache-strategy=content",
  `--cache-location=${at(".setup", "prettier-results.json")}`,
];

// Two lists run in parallel, the longest tasks first; the tasks of one list run in sequence.
const CHECK = [
  [
    ["TypeScript types", ...node("tsc", "-b")],
    ["eslint", at("node_modules", ".bin", "eslint"), () => ["--max-warnings=0", ...lintCache(), "."]],
  ],
  [["clippy", ...cargo("clippy", "--locked", "--release", "--workspace", "--all-targets", "--", "-D", "warnings")]],
  [["prettier", ...node("prettier", "--check", "--log-level=warn", ...prettierCache, ".")]],
  [["imports", ...node("depcruise", "--config", "dependency-cruiser.config.mjs", ...SOURCES)]],
  [["types of Python", ...python("mypy", "--no-error-summary")]],
  [["imports of Python", ...python("lint-imports", "--no-cache", "--no-logo")]],
  [["workflows", process.execPath, [at("binder/workflows.mjs")]]],
  [["rustfmt", ...cargo("fmt", "--all", "--check")]],
  [["ruff check", ...python("ruff", "check", "--quiet", ".")]],
  [["ruff format", ...python("ruff", "format", "--quiet", "--check", ".")]],
];

const FIX = [
  [
    ["eslint", ...node("eslint", "--fix", ".")],
    ["prettier", ...node("prettier", "--write", "--log-level=warn", ".")],
  ],
  [
    ["rustfmt", ...cargo("fmt", "--all")],
    ["ruff check", ...python("ruff", "check", "--fix", "--quiet", ".")],
    ["ruff format", ...python("ruff", "format", "--quiet", ".")],
  ],
];

function passes(command, args, cwd = ROOT) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", (error) => {
      console.error(error.message);
      resolve(false);
    });
    child.on("close", (code) => resolve(code === 0));
  });
}

/** Runs the tasks of one list and returns the number of failures. */
async function failures(tasks) {
  let failed = 0;
  for (const [title, command, args, cwd] of tasks) {
    const since = performance.now();
    const ok = await passes(command, typeof args === "function" ? args() : args, cwd);
    if (!ok) failed += 1;
    console.log(`${ok ? "ok  " : "FAIL"} ${title} (${((performance.now() - since) / 1000).toFixed(1)} s)`);
  }
  return failed;
}

await main(async () => {
  await ensureRustComponent("fmt", "rustfmt");
  await ensureRustComponent("clippy", "clippy");
  const lists = process.argv.includes("--fix") ? FIX : CHECK;
  const waiting = [...lists];
  let failed = 0;
  const work = async () => {
    for (let list = waiting.shift(); list !== undefined; list = waiting.shift()) {
      const found = await failures(list); // awaited before the sum is read, because the other list changes it
      failed += found;
    }
  };
  await Promise.all([work(), work()]);
  console.log(`lint: ${lists.flat().length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
});
