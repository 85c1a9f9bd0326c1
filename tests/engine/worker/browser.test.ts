// The engine in Chromium: dedicated worker, calling thread, fall-back from a worker that cannot start.
import { createHash } from "node:crypto";
import t, { type Test } from "tap";
import type * as Wattbook from "@service/engine";
import { createNodeEngine } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";
import { meshedCase } from "../cases/meshes.ts";
import { noChromium, opened } from "./page.ts";

/** Runs in the page: the closed forms of the three-bus network, and the events of the page. */
async function run({ assets, text }: { assets: Wattbook.EngineAssets; text: string }) {
  const { configureEngine, createStudy, ingestCase, solveModule } = globalThis.wattbook;
  configureEngine(assets);
  const { module_json } = await ingestCase(new TextEncoder().encode(text), "matpower");
  const study = await createStudy(module_json, "dcopf");
  const base = await study.currentSolution();
  const { solution, sensitivity } = await study.commit("three", {}, { "2": -210 }, { branch: 2 });
  const columns = await study.columns();
  const stateless = await solveModule(module_json, {});
  const refused = await study.commit("three", { "2": 1000 }).catch((error: { code: string; name: string }) => error);
  await study.free();
  const freed = await study.currentSolution().catch((error: { code: string }) => error.code);
  return {
    base: base.objective,
    prices: solution.prices.map(({ value }) => value),
    column: sensitivity?.values.map(({ value }) => value) ?? [],
    typed: columns.lmp instanceof Float64Array && columns.lmp.length,
    hash: base.result_sha256 === stateless.result_sha256,
    refused: "code" in refused && refused.code,
    freed,
  };
}

/** Runs in the page: opening a file is cancelled before there is an engine. */
async function cancelOpening({ assets, text }: { assets: Wattbook.EngineAssets; text: string }) {
  const { configureEngine, ingestCase } = globalThis.wattbook;
  configureEngine(assets);
  const stop = new AbortController();
  const file = ingestCase(new TextEncoder().encode(text), "matpower", stop.signal);
  stop.abort();
  return file.then(
    () => "answered",
    (error: { code: string }) => error.code,
  );
}

/** Runs in the page: files, places, exports, and layouts with other calls between their steps. */
async function runFiles({ assets, text, mesh }: { assets: Wattbook.EngineAssets; text: string; mesh: string }) {
  const engine = globalThis.wattbook;
  const bytes = (of: string) => new TextEncoder().encode(of);
  engine.configureEngine(assets);
  const three = await engine.ingestCase(bytes(text), "matpower");
  const { module_json } = await engine.ingestCase(bytes(mesh), "matpower");

  const file = await engine.exportModule(three.module_json, "powermodels-json");
  const classified = await engine.classifyJson(file.bytes);
  const dropped = await engine.ingestJsonDrop(file.bytes);
  const geo = await engine.applyGeo(three.module_json, bytes("bus,lat,lon\n1,35,-80\n2,36,-81\n3,37,-82\n"));
  const study = await engine.createStudy(three.module_json, "dcopf");
  await study.commit("three", { "2": 5 });
  const saved = await engine.inspectModule(await study.saveModule());
  // Long enough to be transferred in pieces.
  const long = await engine.inspectModule(three.module_json + " ".repeat(2 ** 24));
  const raw = await study.export("psse");
  await study.free();

  const order: string[] = [];
  const fractions: number[] = [];
  let turns = 0;
  const clock = setInterval(() => (turns += 1), 1);
  const layouts = [1, 2].map(async (k) => {
    const onProgress = (fraction: number) => k === 1 && fractions.push(fraction);
    const layout = await engine.layoutModule(module_json, { onProgress });
    order.push("layout");
    return layout;
  });
  const between = engine.ingestCase(bytes(text), "matpower").then(() => order.push("ingest"));
  const [first, second] = await Promise.all(layouts);
  await between;
  clearInterval(clock);
  if (!first || !second) throw new Error("two layouts were requested");
  const digest = async ({ positions }: Wattbook.LayoutResult) => {
    const hash = await crypto.subtle.digest("SHA-256", positions as Float64Array<ArrayBuffer>);
    return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  const typed = first.positions instanceof Float64Array;
  const hashes = [await digest(first), await digest(second)];
  const placed = await engine.applyLayout(module_json, first.positions, { centre: [-100, 31] });
  const placement = await engine.placementOf(placed.module_json);
  const layer = JSON.parse(await engine.geoJson(placed.module_json)) as { type: string };

  const abort = new AbortController();
  const { signal } = abort;
  const stopped = engine
    .layoutModule(module_json, { signal, onProgress: () => abort.abort() })
    .catch((error: { code: string }) => error.code);
  const unread = engine.parseDisplay(bytes("no drawing")).catch((error: { code: string }) => error.code);
  return {
    ...{ classified, dropped: dropped.kind, matched: geo.report.matched_buses, coords: geo.case.coords_kind },
    ...{
      long: long.load_mw,
      saved: saved.load_mw,
      raw: raw.bytes instanceof Uint8Array && raw.file_name,
      typed,
      hashes,
      fractions,
      order,
    },
    ...{ turns, scale: placement?.scale_km, layer: layer.type, stopped: await stopped, unread: await unread },
  };
}

t.test("the engine in Chromium", { skip: noChromium }, async (t) => {
  const page = await opened(t);
  const text = (await fixture("three_bus.m")).toString("utf8");
  const wasmUrl = "/engine.wasm";

  const near = (wanted: number[], values: number[]) =>
    values.length === wanted.length && values.every((value, k) => Math.abs(value - (wanted[k] ?? NaN)) < 1e-6);
  const check = (t: Test, found: Awaited<ReturnType<typeof run>>) => {
    t.ok(near([626.948717948718], [found.base]), `objective ${found.base}`);
    t.ok(near([18.2, 30.1, 6.3], found.prices), `prices ${found.prices.join(" ")}`);
    t.ok(near([-0.66, -1.83, 0.51], found.column), `column ${found.column.join(" ")}`);
    t.match(found, { typed: 3, hash: true, refused: "SOLVE.INFEASIBLE", freed: "STUDY.FREED" });
  };

  const mesh = new TextDecoder().decode(meshedCase(1000));
  const node = createNodeEngine();
  const layout = await node.layoutModule((await node.ingestCase(meshedCase(1000), "matpower")).module_json);
  const wanted = createHash("sha256").update(new Uint8Array(layout.positions.buffer)).digest("hex");

  const checkFiles = (t: Test, found: Awaited<ReturnType<typeof runFiles>>) => {
    const { fractions, turns, scale, ...rest } = found;
    t.strictSame(rest, {
      ...{ classified: { kind: "transmission", format: "powermodels-json" }, dropped: "transmission" },
      ...{
        matched: 3,
        coords: "file",
        long: 90,
        saved: 95,
        raw: "three_bus.raw",
        typed: true,
        hashes: [wanted, wanted],
      },
      ...{ order: ["ingest", "layout", "layout"], layer: "FeatureCollection" },
      ...{ stopped: "ABORTED", unread: "INPUT.DISPLAY" },
    });
    t.strictSame(
      fractions,
      [...new Set(fractions)].sort((a, b) => a - b),
      "progress rises",
    );
    t.equal(fractions.at(-1), 1);
    t.ok(turns >= 3, `${turns} turns for the page during the layouts`);
    t.ok(near([layout.default_scale_km], [scale ?? NaN]), `${scale} km`);
  };

  await t.test("in a worker", async (t) => {
    const tab = await page();
    const assets = { wasmUrl, workerUrl: "/worker.js" };
    check(t, await tab.evaluate(run, { assets, text }));
    t.equal(tab.workers().length, 2, "one for files, one for the Study");
    checkFiles(t, await (await page()).evaluate(runFiles, { assets, text, mesh }));
  });

  await t.test("on the calling thread", async (t) => {
    const tab = await page();
    check(t, await tab.evaluate(run, { assets: { wasmUrl }, text }));
    t.equal(tab.workers().length, 0);
    checkFiles(t, await (await page()).evaluate(runFiles, { assets: { wasmUrl }, text, mesh }));
  });

  await t.test("a worker that cannot start", async (t) => {
    const tab = await page();
    const warnings: string[] = [];
    tab.on("console", (message) => warnings.push(message.text()));
    check(t, await tab.evaluate(run, { assets: { wasmUrl, workerUrl: "/missing.js" }, text }));
    t.ok(warnings.some((warning) => warning.includes("the engine runs on the page's own thread")));
  });

  await t.test(
    "a worker that never says anything: Cancel takes effect, and the calling thread takes over",
    async (t) => {
      const tab = await page();
      await tab.clock.install();
      await tab.evaluate(() => {
        globalThis.Worker = class extends EventTarget {
          postMessage() {}
          terminate() {}
        } as unknown as typeof Worker;
      });
      const assets = { wasmUrl, workerUrl: "/worker.js" };
      t.equal(await tab.evaluate(cancelOpening, { assets, text }), "ABORTED");
      const found = tab.evaluate(run, { assets, text });
      let settled = false;
      found.finally(() => (settled = true)).catch(() => undefined);
      while (!settled) await tab.clock.runFor(10_000);
      check(t, await found);
    },
  );

  await t.test("a wasm file that is missing", async (t) => {
    const tab = await page();
    const missing = { wasmUrl: "/missing.wasm", workerUrl: "/worker.js" };
    await t.rejects(tab.evaluate(run, { assets: missing, text }), /could not be loaded/);
  });
});
