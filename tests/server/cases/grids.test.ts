// The four committed grids: their content, that they solve, and that the smallest one is regenerated to the same bits.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import t from "tap";
import { createNodeEngine, WASM_FILE, type DcConvention } from "@service/engine/node";
import { gridSpec, GRIDS, makeGrid, type ManifestEntry, packed } from "@service/server/grids";

const FOLDER = new URL("../../../server/grids/", import.meta.url);
const CONVENTIONS: readonly DcConvention[] = ["service", "powermodels", "matpower"];

const manifest = JSON.parse(readFileSync(new URL("manifest.json", FOLDER), "utf8")) as {
  schema: string;
  version: number;
  grids: ManifestEntry[];
};

/** Rows of a module that the tests look at. */
interface ModuleRows {
  buses: { id: number; base_kv: number; vm: number; va: number; location: { x: number; y: number } }[];
  branches: { from: number; to: number; rate_a: number; shift: number; route?: { x: number; y: number }[] }[];
  transformers_3w: unknown[];
  generators: { cost: { model: number } }[];
}

const textOf = (entry: ManifestEntry): string =>
  gunzipSync(readFileSync(new URL(entry.module, FOLDER))).toString("utf8");
const rowsOf = (text: string): ModuleRows => (JSON.parse(text) as { value: { data: ModuleRows } }).value.data;

t.test("manifest", async (t) => {
  t.match(manifest, { schema: "wattbook-grids", version: 1 });
  t.strictSame(
    manifest.grids.map(({ id, n_bus }) => [id, n_bus]),
    GRIDS.map(({ id, buses }) => [id, buses]),
  );
  for (const entry of manifest.grids) {
    t.equal(
      createHash("sha256").update(textOf(entry)).digest("hex"),
      entry.sha256,
      `${entry.id} is what the manifest names`,
    );
    t.match(entry.license, /GeoNames.*CC BY 4\.0/);
    t.match(entry.name, /synthetic/, "a view shows the name, which says what it is");
  }
  t.ok(/GeoNames.*CC BY 4\.0/s.test(readFileSync(new URL("LICENSE", FOLDER), "utf8")));
});

t.test("the smallest grid is regenerated to the same bytes", async (t) => {
  const entry = manifest.grids.find(({ id }) => id === "carolina") as ManifestEntry;
  const built = await makeGrid(gridSpec("carolina"), WASM_FILE, fileURLToPath(FOLDER));
  t.equal(built.sha256, entry.sha256);
  t.strictSame(
    built.criteria.map(({ name, range, value }) => ({ name, range, value })),
    entry.metrics,
  );
  t.ok(built.criteria.every(({ met }) => met));
  t.strictSame(
    [...packed(built.text).subarray(0, 10)],
    [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255],
    "the header names no machine",
  );
});

t.test("without the committed grid only last digits of the power flow may differ", async (t) => {
  const entry = manifest.grids.find(({ id }) => id === "carolina") as ManifestEntry;
  const [anew, committed] = [rowsOf((await makeGrid(gridSpec("carolina"), WASM_FILE)).text), rowsOf(textOf(entry))];
  const units = { vm: 1e-5, va: 1e-4 };
  committed.buses.forEach((bus, row) => {
    for (const key of ["vm", "va"] as const) {
      const other = (anew.buses[row] as ModuleRows["buses"][number])[key];
      if (!(Math.abs(other - bus[key]) < 1.01 * units[key]))
        t.fail(`${key} of bus ${bus.id}: ${other}, was ${bus[key]}`);
    }
  });
  const withoutFlow = (rows: ModuleRows): ModuleRows => ({
    ...rows,
    buses: rows.buses.map((bus) => ({ ...bus, vm: 0, va: 0 })),
  });
  t.strictSame(
    withoutFlow(anew),
    withoutFlow(committed),
    "topology, ratings, shunts, set points and dispatch are the same",
  );
});

t.test("the grids have their characteristic rows", async (t) => {
  const rows = Object.fromEntries(manifest.grids.map((entry) => [entry.id, rowsOf(textOf(entry))])) as Record<
    string,
    ModuleRows
  >;
  t.ok((rows.texas as ModuleRows).transformers_3w.length >= 20);
  t.ok((rows.california as ModuleRows).branches.some(({ shift }) => shift > 0));
  t.ok((rows.california as ModuleRows).branches.some(({ shift }) => shift < 0));
  const north = (rows.california as ModuleRows).buses.filter((bus) => bus.base_kv === 500).map((bus) => bus.location.y);
  t.ok(Math.max(...north) - Math.min(...north) > 6, "500 kV from the south to the north");
  for (const [id, { buses, branches, generators }] of Object.entries(rows)) {
    const places = new Map<string, number>();
    for (const { location } of buses)
      places.set(`${location.x},${location.y}`, (places.get(`${location.x},${location.y}`) ?? 0) + 1);
    t.ok(Math.max(...places.values()) >= 3, `${id} has buses above each other in one substation`);
    t.strictSame(
      [...new Set(generators.map(({ cost }) => cost.model))].sort(),
      [1, 2],
      `${id} has both kinds of costs`,
    );
    const routed = branches.filter(({ route }) => route !== undefined);
    t.ok(routed.length > 10, `${id} has routes`);
    const ends = ({ from, to }: { from: number; to: number }) => [from, to].map((i) => buses[i - 1]?.location);
    t.ok(
      routed.every(
        (branch) => JSON.stringify([branch.route?.[0], branch.route?.at(-1)]) === JSON.stringify(ends(branch)),
      ),
    );
  }
});

for (const entry of manifest.grids) {
  t.test(`${entry.id} solves in every convention`, async (t) => {
    const engine = createNodeEngine();
    const text = textOf(entry);
    const inspected = await engine.inspectModule(text);
    t.match(inspected, {
      ...{ sha256: entry.sha256, has_coords: true, coords_kind: "file", warnings: [] },
      ...{ n_bus: entry.n_bus, n_branch: entry.n_branch, n_gen: entry.n_gen },
      ...{ n_analysis_bus: entry.n_analysis_bus, n_analysis_branch: entry.n_analysis_branch },
    });
    const { branches } = rowsOf(text);
    for (const dc_convention of CONVENTIONS) {
      const study = await engine.createStudy(text, "dcopf", { dc_convention });
      const { status, prices, flows, va } = await study.currentSolution();
      t.equal(status, "optimal");
      t.equal(await study.explain({}), null, "nothing contradicts");
      const binding = flows.filter(({ shadow }) => shadow > 0.01);
      t.ok(binding.length >= 5 && binding.length <= 20, `${binding.length} lines bind`);
      const values = prices.map(({ value }) => value).sort((a, b) => a - b);
      t.ok((values[0] as number) > -40 && (values.at(-1) as number) < 90, "prices within -40 and 90 $/MWh");
      const at = (part: number) => values[Math.floor(part * values.length)] as number;
      t.ok(at(0.95) - at(0.05) > 5, "and worth looking at");
      const degrees = branches.map(
        ({ from, to }) => Math.abs((va[from - 1]?.value ?? 0) - (va[to - 1]?.value ?? 0)) * (180 / Math.PI),
      );
      t.ok(Math.max(...degrees) < 25, "angle differences below 25 degrees");
      if (dc_convention === "service") {
        const bus = Math.round(entry.n_bus / 2);
        const column = await study.sensitivity(entry.id, {}, {}, { bus });
        t.equal(column.warrant.kind, "regular");
        const distinct = new Set(column.values.map(({ value }) => value.toFixed(9)));
        t.ok(distinct.size > column.values.length / 5, "the column differs from bus to bus");
      }
      await study.free();
    }
  });
}
