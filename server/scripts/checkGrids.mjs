// Asks established tools about the committed grids: server/grids/check/check.py in an environment of its own.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";

const ENVIRONMENT = at(".bench/grids");

/** Runs the check; it writes `check/results.json` and fails where a power flow or a relaxation does. */
export async function checkGrids(folder) {
  const requirements = join(folder, "check", "requirements.txt");
  const python = join(ENVIRONMENT, "bin", "python");
  const stamp = join(ENVIRONMENT, "requirements.txt");
  const wanted = await readFile(requirements, "utf8");
  if (!existsSync(stamp) || (await readFile(stamp, "utf8")) !== wanted) {
    await run("python3", ["-m", "venv", ENVIRONMENT]);
    await run(python, ["-m", "pip", "install", "--quiet", "-r", requirements]);
    await writeFile(stamp, wanted);
  }
  await run(python, [join(folder, "check", "check.py"), folder]);
}

function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit" });
    child.on("error", (error) => reject(new SetupError(`${program} cannot be run (${error.message}).`)));
    child.on("close", (code) =>
      code === 0
        ? resolve()
        : reject(new SetupError(`\`${[program, ...args].join(" ")}\` ended with exit code ${code}.`)),
    );
  });
}
