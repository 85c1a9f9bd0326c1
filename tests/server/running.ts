import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Test } from "tap";

const BIN = fileURLToPath(new URL("../../server/bin/wattbook-server.mjs", import.meta.url));

/** The built server as a separate process. */
export interface Running {
  child: ChildProcess;
  output: () => string;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | string>;
}

/** Starts the server with these environment variables alone; it ends with the test. */
export function start(
  t: Test,
  env: Record<string, string>,
  args = ["serve"],
  stdin: "ignore" | "pipe" = "ignore",
  cwd = process.cwd(),
  node = process.execPath,
): Running {
  const child = spawn(node, [BIN, ...args], { env, cwd, stdio: [stdin, "pipe", "pipe"] });
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | string>((resolve) =>
    child.once("close", (code, signal) => resolve(code ?? signal ?? "")),
  );
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended;
  });
  return { child, output: () => output, ended };
}

/** Waits until the server prints its address. */
export async function address({ output, ended }: Running): Promise<string> {
  let over = false;
  void ended.then(() => (over = true));
  for (let k = 0; k < 600; k++) {
    const found = /Server listening at ([^"]+)/.exec(output())?.[1];
    if (found !== undefined) return found;
    if (over) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the server did not start: ${output()}`);
}
