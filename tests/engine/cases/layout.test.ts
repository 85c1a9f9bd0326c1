// Layouts: equal bits, turns of other calls, progress, cancelling, traps.
import { createHash } from "node:crypto";
import t from "tap";
import { createNodeEngine, EngineError, type LayoutResult } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";
import { meshedCase } from "./meshes.ts";
import { trapping } from "../worker/trapping.ts";

const bits = ({ positions }: LayoutResult) =>
  createHash("sha256")
    .update(new Uint8Array(positions.buffer, positions.byteOffset, positions.byteLength))
    .digest("hex");

async function module(engine: ReturnType<typeof createNodeEngine>, n: number): Promise<string> {
  return (await engine.ingestCase(meshedCase(n), "matpower")).module_json;
}

interface Published {
  centre: [number, number];
  layouts: { name: string; matpower: string[]; positions_sha256: string; module_sha256: string }[];
}

t.test("layouts equal the published ones and those of the native engine", async (t) => {
  const engine = createNodeEngine();
  const { centre, layouts } = JSON.parse((await fixture("layouts.json")).toString("utf8")) as Published;
  t.ok(layouts.length > 1);
  for (const { name, matpower, positions_sha256, module_sha256 } of layouts) {
    const { module_json } = await engine.ingestCase(new TextEncoder().encode(matpower.join("\n")), "matpower");
    const layout = await engine.layoutModule(module_json);
    const placed = await engine.applyLayout(module_json, layout.positions, { centre });
    t.strictSame([bits(layout), placed.sha256], [positions_sha256, module_sha256], name);
  }
});

t.test("a layout is centred and deterministic, with a longer side of 1", async (t) => {
  const engine = createNodeEngine();
  const mesh = await module(engine, 300);
  const layout = await engine.layoutModule(mesh);
  t.ok(layout.positions instanceof Float64Array);
  t.equal(layout.positions.length, 600);
  const axis = (k: number) => layout.positions.filter((_, at) => at % 2 === k);
  const [x, y] = [axis(0), axis(1)];
  const near = (found: number, wanted: number) => t.ok(Math.abs(found - wanted) < 1e-12, `${found}, wanted ${wanted}`);
  near(Math.min(...x), -0.5);
  near(Math.max(...x), 0.5);
  near(Math.min(...y) + Math.max(...y), 0);
  near(layout.default_scale_km, 10 * Math.sqrt(300));
  t.equal(bits(await createNodeEngine().layoutModule(mesh)), bits(layout), "in another instance");
  const places = new Set(Array.from(x, (value, k) => `${value} ${y[k]}`));
  t.equal(places.size, 300, "every bus has a place of its own");
});

t.test("an ingest between two layouts is completed first", async (t) => {
  const engine = createNodeEngine();
  const meshes = [await module(engine, 900), await module(engine, 1100)];
  const file = await fixture("three_bus.m");
  const order: string[] = [];
  const noted = async <T>(what: string, promise: Promise<T>): Promise<T> => {
    const value = await promise;
    order.push(what);
    return value;
  };
  const begun: Promise<void>[] = [];
  const layouts = meshes.map((mesh) => {
    let onProgress: () => void = () => undefined;
    begun.push(new Promise((resolve) => (onProgress = resolve)));
    return noted("layout", engine.layoutModule(mesh, { onProgress }));
  });
  await Promise.all(begun);
  const three = await noted("ingest", engine.ingestCase(file, "matpower"));
  t.equal(three.n_bus, 3);
  const found = await Promise.all(layouts);
  t.strictSame(order, ["ingest", "layout", "layout"]);
  for (const [k, mesh] of meshes.entries()) {
    t.equal(bits(found[k] as LayoutResult), bits(await engine.layoutModule(mesh)), "the other one changes nothing");
  }
});

t.test("progress rises to one, and other calls run in between", async (t) => {
  const engine = createNodeEngine();
  const mesh = await module(engine, 1500);
  const reports: { fraction: number; at: number }[] = [];
  let ticks = 0;
  const clock = setInterval(() => (ticks += 1), 1);
  await engine.layoutModule(mesh, { onProgress: (fraction) => reports.push({ fraction, at: performance.now() }) });
  clearInterval(clock);
  t.ok(reports.length > 2, `${reports.length} reports`);
  reports.slice(1).forEach(({ fraction }, k) => t.ok(fraction > (reports[k]?.fraction ?? NaN), `${fraction} rises`));
  reports.slice(1, -1).forEach(({ at }, k) => t.ok(at - (reports[k]?.at ?? NaN) >= 40, "not too often"));
  t.equal(reports.at(-1)?.fraction, 1);
  t.ok(ticks >= 5, `${ticks} turns for the page's own work`);
});

t.test("a cancelled layout stops and frees its memory", async (t) => {
  const { instantiate, runs } = trapping();
  const engine = createNodeEngine({ instantiate });
  const mesh = await module(engine, 1500);
  const abort = new AbortController();
  const fractions: number[] = [];
  const onProgress = (fraction: number) => {
    fractions.push(fraction);
    abort.abort();
  };
  const reason = { name: "EngineError", code: "ABORTED" };
  await t.rejects(engine.layoutModule(mesh, { onProgress, signal: abort.signal }), reason);
  t.equal(fractions.length, 1, "no report follows");
  t.ok((fractions[0] ?? 1) < 0.5, "in the middle");
  await engine.exportFormats();
  t.strictSame(runs, { started: 1, freed: 1, finished: 0 });
  await t.rejects(engine.layoutModule(mesh, { signal: abort.signal }), reason);
  t.equal(runs.started, 1, "one that is cancelled before never starts");
});

t.test("a progress report that throws ends the layout with its error", async (t) => {
  const { instantiate, runs } = trapping();
  const engine = createNodeEngine({ instantiate });
  const onProgress = () => {
    throw new RangeError("mine");
  };
  await t.rejects(engine.layoutModule(await module(engine, 300), { onProgress }), { name: "RangeError" });
  await engine.exportFormats();
  t.equal(runs.freed, 1);
});

t.test("a layout restarts after a trap of another call and ends the same", async (t) => {
  const engineParts = trapping();
  const engine = createNodeEngine({ instantiate: engineParts.instantiate });
  const mesh = await module(engine, 900);
  const undisturbed = await engine.layoutModule(mesh);
  const fractions: number[] = [];
  let trapped: Promise<unknown> | undefined;
  const layout = await engine.layoutModule(mesh, {
    onProgress: (fraction) => {
      fractions.push(fraction);
      trapped ??= engine.capabilities().catch((error: unknown) => error);
    },
  });
  const error = await trapped;
  t.ok(error instanceof EngineError && error.code === "INTERNAL");
  t.ok(engineParts.traps[0] instanceof WebAssembly.RuntimeError, "a real trap");
  t.equal(engineParts.made.length, 2, "one new instance");
  t.strictSame(
    engineParts.runs,
    { started: 3, freed: 0, finished: 2 },
    "the lost run is not freed into a broken instance",
  );
  t.equal(bits(layout), bits(undisturbed));
  t.strictSame(
    fractions,
    [...new Set(fractions)].sort((a, b) => a - b),
    "progress never falls",
  );
  t.equal(fractions.at(-1), 1);
});

t.test("a layout that traps is reported as INTERNAL, and the next one works", async (t) => {
  const parts = trapping();
  const engine = createNodeEngine({ instantiate: parts.instantiate });
  const mesh = await module(engine, 300);
  parts.trapSteps = true;
  await t.rejects(engine.layoutModule(mesh), { name: "EngineError", code: "INTERNAL", message: /report the file/ });
  parts.trapSteps = false;
  t.equal((await engine.layoutModule(mesh)).positions.length, 600);
  t.equal(parts.made.length, 2);
});
