// Searches for known vulnerabilities in all pinned packages, and lists the licences of the bundled ones: `npm run
// audit`. Fails on a finding. A check that could not run, because a program is not installed or its data cannot be
// reached, is reported with the reason; with --all it fails too.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { main, SetupError } from "../lib/fail.mjs";
import { at } from "../lib/paths.mjs";
import { cargoOutcome, licencesOf, npmOutcome, pipOutcome } from "./outcomes.mjs";

const AUDITS = [
  ["npm packages", "npm", ["audit", "--json"], npmOutcome, "comes with Node.js"],
  [
    "Rust crates",
    "cargo",
    ["audit", "--json", "--file", at("engine", "Cargo.lock")],
    cargoOutcome,
    "cargo install cargo-audit",
  ],
  [
    "Python packages",
    "pip-audit",
    ["--format", "json", "--disable-pip", "--no-deps", "--requirement", at("binder", "constraints.txt")],
    pipOutcome,
    "pip install pip-audit",
  ],
];

await main(() => {
  const results = AUDITS.map(([what, program, args, outcomeOf, install]) => {
    const { error, stdout, stderr } = spawnSync(program, args, { cwd: at(), encoding: "utf8", maxBuffer: 2 ** 28 });
    const outcome = error ? { unknown: `${program} cannot be started (${install})` } : outcomeOf(stdout || stderr);
    return { what, ...outcome };
  });
  for (const { what, findings, unknown } of results) {
    const summary = unknown === undefined ? `${findings.length} known vulnerabilities` : `not known: ${unknown}`;
    console.log([`${what}: ${summary}`, ...(findings ?? [])].join("\n  "));
  }
  console.log("Licences of what is bundled (THIRD-PARTY-NOTICES.txt):");
  for (const [licence, count] of licencesOf(readFileSync(at("THIRD-PARTY-NOTICES.txt"), "utf8"))) {
    console.log(`  ${licence}: ${count}`);
  }
  const wrong = results.filter(
    ({ findings, unknown }) => findings?.length > 0 || (unknown && process.argv.includes("--all")),
  );
  if (wrong.length > 0) throw new SetupError(`Look at: ${wrong.map(({ what }) => what).join(", ")}`);
});
