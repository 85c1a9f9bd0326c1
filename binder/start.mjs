// Sets up if needed and starts JupyterLab with the quickstart notebook open:
//
//   npm start [-- --no-browser] [-- --port N] [-- any other option of `jupyter lab`]
//
// Ctrl-C stops JupyterLab, its kernels and the companion server.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { main, SetupError } from "./lib/fail.mjs";
import { VENV, at } from "./lib/paths.mjs";
import { setup } from "./setup.mjs";

const isRoot = process.getuid?.() === 0;

await main(async () => {
  await setup({ tests: false });
  const args = [
    `--ServerApp.root_dir=${at("examples")}`,
    "--LabApp.default_url=/lab/tree/quickstart.ipynb", // also in the address printed for --no-browser
    "-y", // Ctrl-C stops without a question
    ...(isRoot ? ["--allow-root"] : []),
    ...process.argv.slice(2),
  ];
  const env = { ...process.env, VIRTUAL_ENV: VENV, PATH: `${join(VENV, "bin")}:${process.env.PATH}` };
  const lab = spawn(join(VENV, "bin", "jupyter-lab"), args, { cwd: at("examples"), env, stdio: "inherit" });

  // Ctrl-C reaches JupyterLab by itself (same terminal); other signals are passed on. Either way wait for its end.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => lab.kill("SIGTERM"));

  await new Promise((resolve, reject) => {
    lab.on("error", (error) => reject(new SetupError(`JupyterLab does not start: ${error.message}`)));
    lab.on("close", (code) => {
      process.exitCode = code ?? 0;
      resolve();
    });
  });
});
