// binder/setup.mjs on machines with missing tools: it names the tool, its use and the command, and exits with 1.
import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Test, test } from "tap";

const SETUP = resolve(import.meta.dirname, "../../binder/setup.mjs");
const PYTHON = "python3 (3.11 or newer, with the modules venv and ensurepip) is missing.";

/** A folder with only these programs (name to shell script). */
function machineWith(t: Test, programs: Record<string, string>): string {
  const scripts = Object.fromEntries(Object.entries(programs).map(([name, body]) => [name, `#!/bin/sh\n${body}\n`]));
  const folder = t.testdir(scripts);
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o755);
  return folder;
}

/** Runs set-up with `path` as the only search path. */
function setup(path: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SETUP], { env: { PATH: path }, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("on an empty machine every missing tool is named with its use and command", async (t) => {
  const { status, stdout, stderr } = setup("");
  t.equal(status, 1);
  t.equal(stdout, "", "nothing was started");
  for (const tool of ["npm", "cargo", "cc (a C compiler)"]) t.match(stderr, `${tool} is missing.`);
  t.match(stderr, PYTHON);
  t.match(stderr, "It is needed to compile the engine, which is written in Rust.");
  t.match(stderr, "https://sh.rustup.rs");
  t.match(stderr, "apt-get install python3 python3-venv");
  t.match(stderr, "apt-get install build-essential");
  t.match(stderr, "finished steps are not repeated");
  t.notMatch(stderr, /^\s+at /m, "no stack trace");
});

test("a single missing tool is named alone", async (t) => {
  const { status, stderr } = setup(machineWith(t, { npm: "", cc: "", python3: "exit 0" }));
  t.equal(status, 1);
  t.match(stderr, "cargo is missing.");
  for (const other of ["npm is missing", "cc (a C compiler) is missing", PYTHON]) t.notMatch(stderr, other);
});

test("a Python that is too old or cannot make environments is ignored", async (t) => {
  const { status, stderr } = setup(machineWith(t, { npm: "", cc: "", cargo: "", python3: "exit 1" }));
  t.equal(status, 1);
  t.match(stderr, PYTHON);
  t.notMatch(stderr, "cargo is missing");
});

test("a newer Python beside an old one is found", async (t) => {
  const { stderr } = setup(machineWith(t, { npm: "", cc: "", python3: "exit 1", "python3.12": "exit 0" }));
  t.match(stderr, "cargo is missing.");
  t.notMatch(stderr, PYTHON);
});
