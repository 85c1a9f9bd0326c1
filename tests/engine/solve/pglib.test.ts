// Public benchmark cases through wasm against published objectives. The Rust tests cover all of them; these few show
// that the wasm build computes the same.
import { readFile } from "node:fs/promises";
import t from "tap";
import { createNodeEngine, type DcConvention } from "@service/engine/node";
import { DATA } from "../../fixtures/cases.ts";

const CASES = [
  "case5_pjm",
  "case14_ieee",
  "case30_ieee",
  "case118_ieee",
  "case200_activ",
  "case500_goc",
  "case2000_goc",
];

/** Names of the conventions in the reference table. */
const CONVENTIONS: ReadonlyArray<readonly [DcConvention, string]> = [
  ["matpower", "matpower"],
  ["powermodels", "powermodels_dcp"],
];

async function reference(data: string): Promise<Map<string, { status: string; objective: number }>> {
  const table = await readFile(`${data}/reference/computed/dcopf_objectives.csv`, "utf8");
  const rows = table.split("\n").map((line) => line.split(","));
  return new Map(
    rows.map(([name, convention, status = "", objective]) => [
      `${name} ${convention}`,
      { status, objective: Number(objective) },
    ]),
  );
}

t.test("objectives of public cases", { skip: DATA === undefined && "no folder of public cases" }, async (t) => {
  const engine = createNodeEngine();
  const known = await reference(DATA as string);
  for (const name of CASES) {
    const bytes = await readFile(`${DATA}/pglib/pglib_opf_${name}.m`);
    const { module_json } = await engine.ingestCase(bytes, "matpower");
    for (const [dc_convention, column] of CONVENTIONS) {
      const wanted = known.get(`pglib_opf_${name} ${column}`);
      if (wanted?.status !== "optimal") {
        t.fail(`no optimal reference for ${name} ${column}`);
        continue;
      }
      const { objective, status, certificate } = await engine.solveModule(module_json, { options: { dc_convention } });
      t.equal(status, "optimal");
      const error = Math.abs((objective ?? NaN) - wanted.objective) / wanted.objective;
      t.ok(error <= 1e-6, `${name} ${column}: ${objective}, reference ${wanted.objective}`);
      t.ok("relative_gap" in certificate && certificate.relative_gap <= 1e-6, `${name} ${column}: certified`);
    }
  }
});
