import { spawn } from "node:child_process";
import { SetupError } from "./fail.mjs";
import { ROOT } from "./paths.mjs";

/**
 * Starts a program with its output on this screen and waits for it.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{cwd?: string, env?: Record<string, string | undefined>}} [options] `env` is added to this process's environment;
 * what is undefined there is taken out of it.
 * @throws {SetupError} when the program cannot be started or ends with anything but 0.
 */
export async function run(program, args, { cwd = ROOT, env = {} } = {}) {
  const command = [program, ...args].join(" ");
  await new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", (error) => reject(new SetupError(`Could not start \`${command}\`: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new SetupError(`\`${command}\` failed (${signal ?? `exit code ${code}`}); its output is above.`));
    });
  });
}

/**
 * Starts a program and returns what it printed on standard output, or null when it cannot be started or fails.
 *
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<string | null>}
 */
export async function ask(program, args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => (text += chunk));
    child.on("error", () => resolve(null));
    child.on("close", (code) => resolve(code === 0 ? text.trim() : null));
  });
}
