// The engine in Chromium: dedicated worker, calling thread, fall-back from a worker that cannot start.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium, type Page } from "playwright-core";
import t, { type Test } from "tap";
import type * as Wattbook from "@service/engine";
import { fixture } from "../fixtures/cases.ts";

declare global {
  var wattbook: typeof Wattbook;
}

const executablePath = process.env["CHROMIUM"] || "/usr/bin/chromium";
const engineFolder = new URL("../../engine/", import.meta.url);

/** Files of the test page by path. */
async function files(): Promise<Map<string, { type: string; body: Uint8Array | string }>> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "@service/engine";`, resolveDir: fileURLToPath(engineFolder) },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "wattbook",
    conditions: ["wattbook-source"],
  });
  const script = "text/javascript";
  return new Map([
    ["/", { type: "text/html", body: `<!doctype html><script src="/index.js"></script>` }],
    ["/index.js", { type: script, body: outputFiles[0]?.text ?? "" }],
    ["/worker.js", { type: script, body: await readFile(new URL("lib/engine.worker.js", engineFolder)) }],
    [
      "/engine.wasm",
      { type: "application/wasm", body: await readFile(new URL("wasm/wattbook_engine_bg.wasm", engineFolder)) },
    ],
  ]);
}

async function opened(t: Test): Promise<() => Promise<Page>> {
  const served = await files();
  const server = createServer((request, response) => {
    const file = served.get(request.url ?? "");
    response.writeHead(file ? 200 : 404, { "content-type": file?.type ?? "text/plain" }).end(file?.body ?? "none");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  t.teardown(async () => {
    await browser.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    return page;
  };
}

/** Runs in the page: the closed forms of the three-bus network, and what the page saw. */
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

const skip = !existsSync(executablePath) && "no Chromium";
t.test("the engine in Chromium", { skip }, async (t) => {
  const page = await opened(t);
  const text = (await fixture("three_bus.m")).toString("utf8");
  const wasmUrl = "/engine.wasm";

  const check = (t: Test, found: Awaited<ReturnType<typeof run>>) => {
    const near = (wanted: number[], values: number[]) =>
      values.length === wanted.length && values.every((value, k) => Math.abs(value - (wanted[k] ?? NaN)) < 1e-6);
    t.ok(near([626.948717948718], [found.base]), `objective ${found.base}`);
    t.ok(near([18.2, 30.1, 6.3], found.prices), `prices ${found.prices.join(" ")}`);
    t.ok(near([-0.66, -1.83, 0.51], found.column), `column ${found.column.join(" ")}`);
    t.match(found, { typed: 3, hash: true, refused: "SOLVE.INFEASIBLE", freed: "STUDY.FREED" });
  };

  await t.test("in a worker", async (t) => {
    const tab = await page();
    check(t, await tab.evaluate(run, { assets: { wasmUrl, workerUrl: "/worker.js" }, text }));
    t.equal(tab.workers().length, 1);
  });

  await t.test("on the calling thread", async (t) => {
    const tab = await page();
    check(t, await tab.evaluate(run, { assets: { wasmUrl }, text }));
    t.equal(tab.workers().length, 0);
  });

  await t.test("a worker that cannot start", async (t) => {
    const tab = await page();
    const warnings: string[] = [];
    tab.on("console", (message) => warnings.push(message.text()));
    check(t, await tab.evaluate(run, { assets: { wasmUrl, workerUrl: "/missing.js" }, text }));
    t.ok(warnings.some((warning) => warning.includes("the engine runs on the page's own thread")));
  });

  await t.test("a wasm file that is missing", async (t) => {
    const tab = await page();
    const missing = { wasmUrl: "/missing.wasm", workerUrl: "/worker.js" };
    await t.rejects(tab.evaluate(run, { assets: missing, text }), /could not be loaded/);
  });
});
