// Workers in Chromium that really hang, or whose thread ends: others continue, and lost Studies are rebuilt.
import t from "tap";
import type * as Wattbook from "@service/engine";
import { fixture } from "../../fixtures/cases.ts";
import { noChromium, opened } from "./page.ts";

/** Runs in the page: two Studies, one of which hangs for ever, then a file that hangs. */
async function hang({ assets, text }: { assets: Wattbook.EngineAssets; text: string }) {
  const { configureEngine, createStudy, ingestCase } = globalThis.wattbook;
  configureEngine(assets);
  const bytes = (of: string) => new TextEncoder().encode(of);
  const codeOf = (error: { code: string }) => error.code;
  const { module_json } = await ingestCase(bytes(text), "matpower");
  const [one, other] = await Promise.all([createStudy(module_json, "dcopf"), createStudy(module_json, "dcopf")]);
  const { solution } = await one.commit("three", { "2": 10 });
  const hanging = one.commit("HANG_FOR_EVER", { "2": 20 }).then(() => "answered", codeOf);
  const others = (await other.commit("three", { "2": 5 })).solution.objective;
  const read = (await ingestCase(bytes(text), "matpower")).n_bus;

  const cancelled = performance.now();
  one.interrupt();
  const code = await hanging;
  const cancelMs = performance.now() - cancelled;
  const rebuilt = await one.currentSolution();
  const rebuiltMs = performance.now() - cancelled;

  const stop = new AbortController();
  const file = ingestCase(bytes(`${text}\n% HANG_FOR_EVER`), "matpower", stop.signal).then(() => "answered", codeOf);
  const next = (await ingestCase(bytes(text), "matpower")).n_bus;
  stop.abort();
  return {
    ...{ others, read, code, next, file: await file },
    ...{ cancelMs, rebuiltMs },
    same: rebuilt.result_sha256 === solution.result_sha256,
    untouched: (await other.currentSolution()).objective === others,
  };
}

/** Runs in the page: one thread that ends in the middle of a call, and another one that ends at rest. */
async function close({ assets, text }: { assets: Wattbook.EngineAssets; text: string }) {
  const { configureEngine, createStudy, ingestCase } = globalThis.wattbook;
  configureEngine(assets);
  const { module_json } = await ingestCase(new TextEncoder().encode(text), "matpower");
  const study = await createStudy(module_json, "dcopf");
  const { solution } = await study.commit("three", { "2": 10 });
  const code = await study.commit("CLOSE_THE_THREAD", { "2": 20 }).then(
    () => "answered",
    (error: { code: string }) => error.code,
  );
  return { code, same: (await study.currentSolution()).result_sha256 === solution.result_sha256 };
}

t.test("workers that hang in Chromium", { skip: noChromium }, async (t) => {
  const page = await opened(t);
  const text = (await fixture("three_bus.m")).toString("utf8");
  const assets = { wasmUrl: "/engine.wasm", workerUrl: "/hanging.js" };

  await t.test("while a Study or a file hangs others continue, and Cancel takes effect at once", async (t) => {
    const found = await (await page()).evaluate(hang, { assets, text });
    const { cancelMs, rebuiltMs, others, ...rest } = found;
    t.strictSame(rest, { read: 3, code: "ABORTED", next: 3, file: "ABORTED", same: true, untouched: true });
    t.ok(others > 0);
    t.ok(cancelMs < rebuiltMs, `cancelled after ${cancelMs} ms, before the worker was ended`);
    t.ok(rebuiltMs > 900, `the worker had a second to come back: ${rebuiltMs} ms`);
  });

  await t.test("an ended thread is reported at once, and the Study is rebuilt", async (t) => {
    t.strictSame(await (await page()).evaluate(close, { assets, text }), { code: "INTERNAL", same: true });
  });
});
