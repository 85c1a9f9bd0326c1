// Compares everything public with the record of the last release, and names the version step that the changes need:
//
//   npm run contract             prints the changes and the step
//   npm run contract:record      writes the record, tests/fixtures/contract.txt; with a release
import { readFileSync, writeFileSync } from "node:fs";
import { main } from "../lib/fail.mjs";
import { at } from "../lib/paths.mjs";
import { changesBetween, parsed } from "./compare.mjs";
import { currentContract } from "./current.mjs";

const RECORD = at("tests", "fixtures", "contract.txt");

await main(async () => {
  const lines = await currentContract();
  if (process.argv.includes("--record")) {
    const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));
    writeFileSync(RECORD, `# version ${version}\n${lines.join("\n")}\n`);
    console.log(`${lines.length} lines`);
    return;
  }
  const { step, changes } = changesBetween(parsed(readFileSync(RECORD, "utf8")), parsed(lines.join("\n")));
  for (const { name, step, before = "-", after = "-" } of changes)
    console.log(`${step} ${name}: ${before} -> ${after}`);
  console.log(`Version step: ${step}`);
});
