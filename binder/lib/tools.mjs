import { existsSync } from "node:fs";
import { SetupError } from "./fail.mjs";
import { which } from "./paths.mjs";
import { ask, run } from "./run.mjs";

const OLDEST_NODE = 20;
const OLDEST_PYTHON = [3, 11];
const PYTHONS = ["python3", "python3.14", "python3.13", "python3.12", "python3.11"];

/**
 * The programs that have to be on the machine before set-up can do anything.
 *
 * `purpose` ends the sentence "... is needed ...", `install` is the command a person types, `apt` are the Debian packages
 * that set-up installs by itself when it runs as root.
 */
const TOOLS = [
  {
    name: "npm",
    find: () => which("npm"),
    purpose: "to install the JavaScript packages",
    install: "sudo apt-get install npm    (or Node.js from nodejs.org, which contains npm)",
    apt: ["npm"],
  },
  {
    name: "cargo",
    find: () => which("cargo"),
    purpose: "to compile the engine, which is written in Rust",
    install: "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh    (then open a new terminal)",
  },
  {
    name: "cc (a C compiler)",
    find: () => which("cc") ?? which("gcc") ?? which("clang"),
    purpose: "to link the engine",
    install: "sudo apt-get install build-essential",
    apt: ["build-essential"],
  },
  {
    name: `python3 (${OLDEST_PYTHON.join(".")} or newer, with the modules venv and ensurepip)`,
    find: findPython,
    purpose: "to run JupyterLab in a virtual environment",
    install: "sudo apt-get install python3 python3-venv",
    apt: ["python3", "python3-venv"],
  },
];

/** Full path of a Python that can make a virtual environment, or null. */
export async function findPython() {
  const test = `import sys, venv, ensurepip; sys.exit(sys.version_info < (${OLDEST_PYTHON.join(", ")}))`;
  for (const name of PYTHONS) {
    const python = which(name);
    if (python && (await ask(python, ["-c", test])) !== null) return python;
  }
  return null;
}

/** Whether set-up may install Debian packages without asking. */
export const canApt = () => process.getuid?.() === 0 && which("apt-get") !== null;

/** Installs Debian packages (root only). */
export async function apt(packages) {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-qq"], { env });
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], { env });
}

async function missing() {
  const found = await Promise.all(TOOLS.map((tool) => tool.find()));
  return TOOLS.filter((_, i) => !found[i]);
}

/**
 * Checks that the tools are present: installs with apt where permitted, and otherwise names each missing tool, its
 * purpose and the command that installs it.
 *
 * @throws {SetupError}
 */
export async function checkTools() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < OLDEST_NODE) {
    throw new SetupError(
      `This is Node.js ${process.versions.node}, but ${OLDEST_NODE} or newer is needed to build and to serve.\n` +
        "  Install it from nodejs.org or with your version manager, for example: nvm install 22",
    );
  }
  let absent = await missing();
  const installable = absent.flatMap((tool) => tool.apt ?? []);
  if (installable.length > 0 && canApt()) {
    await apt(installable);
    absent = await missing();
  }
  if (absent.length > 0) {
    const lines = absent.map(
      (tool) => `${tool.name} is missing. It is needed ${tool.purpose}.\n  Install it with: ${tool.install}`,
    );
    throw new SetupError(`${lines.join("\n\n")}\n\nThen run the same command again; finished steps are not repeated.`);
  }
}

/** Ensures that rustc can compile for `target`; adds it through rustup where it is missing. */
export async function ensureRustTarget(target) {
  const folder = await ask("rustc", ["--print", "target-libdir", "--target", target]);
  if (folder && existsSync(folder)) return;
  if (!which("rustup")) {
    throw new SetupError(
      `The Rust target ${target} is missing. It is needed to build the engine for the browser.\n` +
        `  With rustup: rustup target add ${target}\n` +
        `  With conda:  conda install -c conda-forge rust-std-${target}`,
    );
  }
  await run("rustup", ["target", "add", target]);
}

/** Ensures that a cargo subcommand (`fmt`, `clippy`) is present; adds its rustup component where it is missing. */
export async function ensureRustComponent(subcommand, component) {
  if ((await ask("cargo", [subcommand, "--version"])) !== null) return;
  if (!which("rustup")) {
    throw new SetupError(
      `cargo ${subcommand} is missing. It is needed by \`npm run lint\`.\n  With rustup: rustup component add ${component}`,
    );
  }
  await run("rustup", ["component", "add", component]);
}
