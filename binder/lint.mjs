// Checks, or with --fix repairs, the form of the sources in every language; stops at nothing, fails if anything failed.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { main } from "./lib/fail.mjs";
import { ROOT, VENV, at } from "./lib/paths.mjs";
import { ensureRustComponent } from "./lib/tools.mjs";

const node = (name, ...args) => [at("node_modules", ".bin", name), args];
const cargo = (...args) => ["cargo", args, at("engine")];
const python = (name, ...args) => [join(VENV, "bin", name), args];

/** Where the rules of dependency-cruiser.config.mjs hold. */
const SOURCES = ["engine/src", "server/src", "widgets/src", "extension/src", "extension/webmcp/src"];

// Rows of one list run one after the other, lists side by side: clippy takes as long as all of TypeScript.
const CHECK = [
  [
    ["TypeScript types", ...node("tsc", "-b")],
    ["eslint", ...node("eslint", "--max-warnings=0", ".")],
    ["imports", ...node("depcruise", "--config", "dependency-cruiser.config.mjs", ...SOURCES)],
    ["prettier", ...node("prettier", "--check", "--log-level=warn", ".")],
    ["workflows", process.execPath, [at("binder/workflows.mjs")]],
  ],
  [
    ["rustfmt", ...cargo("fmt", "--all", "--check")],
    ["clippy", ...cargo("clippy", "--locked", "--release", "--workspace", "--all-targets", "--", "-D", "warnings")],
    ["ruff check", ...python("ruff", "check", "--quiet", ".")],
    ["ruff format", ...python("ruff", "format", "--quiet", "--check", ".")],
    ["imports of Python", ...python("lint-imports", "--no-cache", "--no-logo")],
    ["types of Python", ...python("mypy", "--no-error-summary")],
  ],
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
    const ok = await passes(command, args, cwd);
    if (!ok) failed += 1;
    console.log(`${ok ? "ok  " : "FAIL"} ${title} (${((performance.now() - since) / 1000).toFixed(1)} s)`);
  }
  return failed;
}

await main(async () => {
  await ensureRustComponent("fmt", "rustfmt");
  await ensureRustComponent("clippy", "clippy");
  const lists = process.argv.includes("--fix") ? FIX : CHECK;
  const failed = (await Promise.all(lists.map(failures))).reduce((sum, one) => sum + one, 0);
  console.log(`lint: ${lists.flat().length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
});
