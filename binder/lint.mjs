// Checks, or with --fix repairs, the form of the sources in every language; stops at nothing, fails if anything failed.
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

/** Where the rules of dependency-cruiser.config.mjs hold. */
const SOURCES = ["engine/src", "server/src", "widgets/src", "extension/src", "extension/webmcp/src"];

/** What the types in a file depend on beside the file: declarations as `tsc -b` has just written them, and what tests share. */
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

/** eslint looks again at what has changed: at every file where types have, since a promise may come from another file. */
function lintCache() {
  const [folder, file, key] = [at(".setup"), at(".setup", "eslint-results.json"), typesOfOthers()];
  if (readStamp(folder, "eslint")?.key !== key) {
    rmSync(file, { force: true });
    writeStamp(folder, "eslint", { key });
  }
  return ["--cache", "--cache-strategy=content", `--cache-location=${file}`];
}

/** The form of a file depends on nothing but the file. */
const prettierCache = [
  "--cache",
  "--cache-strategy=content",
  `--cache-location=${at(".setup", "prettier-results.json")}`,
];

// Two lists run at a time, the longest first; the rows of one list one after the other.
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

/** Runs the rows of one list; how many failed. */
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
      const found = await failures(list); // before the sum is read, which the other changes meanwhile
      failed += found;
    }
  };
  await Promise.all([work(), work()]);
  console.log(`lint: ${lists.flat().length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
});
