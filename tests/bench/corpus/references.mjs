// Public files and the results of other programs for them.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { at } from "../../../binder/lib/paths.mjs";
import { baselines } from "../solver.mjs";

/** Readers of cases by the end of a name, and folders of feeders in the public data. */
const CASES = /\.(m|raw|rawx|aux|pwb|epc)$/i;
const FEEDERS = ["dss", "dist_json", "pmd_validation"];

/** Every file: of PGLib by its name, of the public data by its path from that folder. */
export function publicFiles({ data, pglib }) {
  const found = ["", "api", "sad"].flatMap((part) =>
    readdirSync(join(pglib, part))
      .filter((name) => name.endsWith(".m"))
      .sort()
      .map((name) => ({ path: join(pglib, part, name), name: basename(name, ".m"), source: "PGLib", kind: "case" })),
  );
  if (!data) return found;
  const walk = (folder) =>
    readdirSync(join(data, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? walk(path) : [path];
    });
  // Files that PGLib has as well are already listed; references are not cases.
  const others = readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !["pglib", "reference", "natural_earth"].includes(entry.name))
    .flatMap((entry) => walk(entry.name))
    .sort();
  for (const name of others) {
    const isFeeder = FEEDERS.some((folder) => name.startsWith(`${folder}/`));
    const taken = isFeeder ? /\.(dss|json)$/i : name.startsWith("case_json/") ? /\.json$/i : CASES;
    if (!taken.test(name) || /(schema|solutions)/.test(name)) continue;
    found.push({ path: join(data, name), name, source: name.split("/")[0], kind: isFeeder ? "feeder" : "case" });
  }
  return found;
}

/** `{cases, mc}` for corpus/rows.py; objectives of PGLib are compared by their digits and not here. */
export function referencesOf({ data, pglib }) {
  const cases = {};
  const known = (name) => (cases[name] ??= { options: {} });
  for (const name of baselines(readFileSync(join(pglib, "BASELINE.md"), "utf8")).keys())
    known(name).options.dcopf = { dc_convention: "powermodels" };
  if (!data) return { cases, mc: {} };
  const computed = join(data, "reference", "computed");
  const names = new Map(
    publicFiles({ data, pglib }).map((file) => [basename(file.name).replace(/\.m$/, ""), file.name]),
  );
  const rows = (file) =>
    readFileSync(join(computed, file), "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","));
  for (const [name, convention, status, objective] of rows("dcopf_objectives.csv")) {
    const file = names.get(name);
    if (convention !== "matpower" || file === undefined || name.startsWith("pglib")) continue;
    known(file).options.dcopf = { dc_convention: "matpower" };
    known(file).dcopf = status === "optimal" ? Number(objective) : null;
  }
  for (const [name, objective] of rows("socwr_objectives.csv")) {
    const file = names.get(name);
    if (file !== undefined) known(file).socwr = Number(objective);
  }
  for (const [name, converged] of rows("acpf_summary.csv")) {
    const [file, path] = [names.get(name), join(computed, "acpf", `${name}.acpf.bus.csv`)];
    if (file === undefined || converged !== "1" || !existsSync(path)) continue;
    known(file).options.acpf = { dispatch: "file", slack: "single" };
    known(file).acpf = path;
  }
  return { cases, mc: voltages() };
}

/** Voltages of OpenDSS by script and node, from the tests of the solver. */
function voltages() {
  const path = at("engine", "crates", "solve", "tests", "mc", "reference", "opendss_voltages.csv");
  const found = {};
  for (const line of readFileSync(path, "utf8").trim().split("\n").slice(1)) {
    const [script, node, re, im] = line.split(",");
    (found[script] ??= {})[node.toLowerCase()] = [Number(re), Number(im)];
  }
  return found;
}

/** A name without the prefix of its collection. */
export const shortName = (name) => name.replace("pglib_opf_case", "");
