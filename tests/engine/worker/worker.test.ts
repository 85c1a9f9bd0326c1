// The page's side of the workers: one call at a time in each, sharing, aborts, a worker that dies or hangs. The worker
// here is a double whose answers each test defines; the real one is tested in Chromium (browser.test.ts,
// hanging.test.ts).
import t from "tap";
import { configureEngine, createBrowserWasmTransport, type Edits, engine } from "@service/engine";
import { createNodeEngine } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";
import {
  after,
  assets,
  create,
  DoubleWorker,
  EMPTY_MODULE,
  inspect,
  only,
  silent,
  soon,
  useDoubleWorkers,
} from "./doubleWorker.ts";

useDoubleWorkers(t);

t.test("calls reach the worker one at a time and in order", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  DoubleWorker.handler = silent;
  const first = transport.request({ op: "capabilities" });
  const second = transport.request({ op: "inspectModule", module: "" });
  await soon();
  t.strictSame(only().calls, ["capabilities"]);
  only().answer("1");
  await soon();
  t.strictSame(only().calls, ["capabilities", "inspectModule"]);
  only().answer("2");
  t.strictSame([(await first).json, (await second).json], ["1", "2"]);
});

t.test("a long text is sent in parts before its call", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  const module = "0123456789abcdef".repeat(2 ** 20 + 1);
  let longest = 0;
  let left: string | undefined;
  DoubleWorker.handler = (worker, call: { op: string; module?: string }) => {
    longest = Math.max(...worker.texts.map(({ length }) => length));
    left = call.module;
    worker.answer(String(worker.texts.join("") === module));
  };
  const running = transport.request({ op: "inspectDistribution", module });
  t.equal((await running).json, "true");
  t.equal(left, "");
  t.ok(longest <= module.length / 4, `${longest} characters at a stretch`);
});

t.test("the first worker compiles the engine for all of them", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  let fetched = 0;
  const { fetch } = globalThis;
  globalThis.fetch = (url) => {
    if (url === assets.wasmUrl) fetched += 1;
    return fetch(url);
  };
  await transport.start();
  t.equal(DoubleWorker.made.length, 1);
  await transport.request(create(1));
  await transport.request(inspect);
  t.equal(DoubleWorker.made.length, 2, "one for the first case, one for files");
  const given = DoubleWorker.made.map(({ engine }) => engine);
  t.strictSame(
    new Set(given),
    new Set([assets.wasmUrl, EMPTY_MODULE]),
    "one has the URL, the other what it has compiled",
  );
  t.equal(fetched, 0, "the page does not fetch it");
});

t.test("the page compiles where workers cannot", async (t) => {
  DoubleWorker.compiles = false;
  const transport = createBrowserWasmTransport(assets);
  await transport.start();
  await transport.request(create(1));
  await transport.request(inspect);
  const engines = DoubleWorker.made.filter(({ ended }) => !ended).map(({ engine }) => engine);
  t.equal(engines.length, 2);
  t.ok(engines.every((engine) => engine instanceof WebAssembly.Module));
});

t.test("a waiting call that is aborted never reaches the worker", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  DoubleWorker.handler = silent;
  const running = transport.request({ op: "capabilities" });
  const abort = new AbortController();
  const waiting = transport.request({ op: "inspectModule", module: "" }, abort.signal);
  await soon();
  abort.abort();
  await t.rejects(waiting, { code: "ABORTED" });
  only().answer("1");
  await running;
  await soon();
  t.strictSame(only().calls, ["capabilities"]);
});

t.test("an aborted call rejects at once, and a hanging worker is replaced", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  DoubleWorker.handler = silent;
  const abort = new AbortController();
  const hanging = transport.request({ op: "solveModule", module: "", request: "{}" }, abort.signal);
  const next = transport.request({ op: "capabilities" });
  await soon();
  const hung = only();
  const started = Date.now();
  abort.abort();
  await t.rejects(hanging, { code: "ABORTED" });
  t.ok(Date.now() - started < 500, "at once");
  DoubleWorker.handler = (worker) => worker.answer("fresh");
  t.equal((await next).json, "fresh");
  await after(1100);
  t.equal(hung.ended, true);
  t.equal(DoubleWorker.made.length, 2);
});

t.test("an aborted call that ends soon does not end its worker", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  DoubleWorker.handler = silent;
  const abort = new AbortController();
  const running = transport.request({ op: "solveModule", module: "", request: "{}" }, abort.signal);
  await soon();
  abort.abort();
  await t.rejects(running, { code: "ABORTED" });
  only().answer("late");
  DoubleWorker.handler = (worker) => worker.answer("next");
  t.equal((await transport.request({ op: "capabilities" })).json, "next");
  await new Promise((resolve) => setTimeout(resolve, 1200));
  t.equal(DoubleWorker.made.length, 1);
  t.equal(only().ended, false);
});

t.test("a dead worker fails its call with INTERNAL and is replaced for the next", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  DoubleWorker.handler = (worker) => setImmediate(() => worker.die());
  await t.rejects(transport.request({ op: "capabilities" }), { name: "EngineError", code: "INTERNAL" });
  DoubleWorker.handler = (worker) => worker.answer("fresh");
  t.equal((await transport.request({ op: "capabilities" })).json, "fresh");
  t.equal(DoubleWorker.made.length, 2);
});

t.test("a Study lost with its worker is rebuilt with its edits", async (t) => {
  configureEngine(assets);
  const node = createNodeEngine();
  const { module_json } = await node.ingestCase(await fixture("three_bus.m"), "matpower");
  const real = await node.createStudy(module_json, "dcopf");
  const committed = JSON.stringify(await real.commit("three", { "2": 10 }));
  let known = true;
  DoubleWorker.handler = (worker, { op }) => {
    if (op === "createStudy") known = true;
    if (!known) return worker.lost();
    worker.answer(op === "currentSolution" ? JSON.stringify({ objective: 1 }) : committed);
  };
  const study = await engine.createStudy(module_json, "dcopf");
  await study.commit("three", { "2": 10 });
  known = false;
  const [first, second] = await Promise.all([study.currentSolution(), study.currentSolution()]);
  t.equal(first.objective, 1);
  t.equal(second.objective, 1);
  const built = ["createStudy", "commit"];
  const queried = ["currentSolution", "currentSolution"];
  t.strictSame(only().calls, [...built, ...queried, ...built, ...queried], "built once for both");
});

t.test("a layout lost with its worker restarts without a fall of progress", async (t) => {
  configureEngine(assets);
  const started: number[] = [];
  let steps = 0;
  DoubleWorker.handler = (worker, call) => {
    const { op, run = 0 } = call as { op: string; run?: number };
    if (op === "jobStart") started.push(run);
    if (op !== "jobStep") return worker.answer(`{"default_scale_km":10}`);
    steps += 1;
    // The second step finds no run, as after the replacement of a worker in which another call hung.
    if (steps === 2) return worker.tell({ kind: "error", error: { code: "JOB.LOST", message: "" } });
    worker.answer(JSON.stringify({ done: steps === 5, fraction: [0, 0.5, 0, 0.2, 0.7, 1][steps] }));
  };
  const fractions: number[] = [];
  const { default_scale_km } = await engine.layoutModule("{}", { onProgress: (f) => fractions.push(f) });
  t.equal(default_scale_km, 10);
  t.equal(new Set(started).size, 2, "another run");
  t.strictSame(only().calls, [
    ...["jobStart", "jobStep", "jobStep"],
    ...["jobStart", "jobStep", "jobStep", "jobStep", "jobFinish"],
  ]);
  t.strictSame([fractions[0], fractions.at(-1)], [0.5, 1]);
  t.notOk(fractions.includes(0.2));
});

t.test("a layout cancelled during a step rejects at once and is freed after it", async (t) => {
  configureEngine(assets);
  const runs: Record<string, number | undefined> = {};
  DoubleWorker.handler = (worker, call) => {
    const { op, run } = call as { op: string; run?: number };
    runs[op] = run;
    if (op !== "jobStep") worker.answer("{}");
  };
  const abort = new AbortController();
  const layout = engine.layoutModule("{}", { signal: abort.signal });
  await soon();
  t.strictSame(only().calls, ["jobStart", "jobStep"]);
  abort.abort();
  await t.rejects(layout, { name: "EngineError", code: "ABORTED" });
  only().answer(`{"done":false,"fraction":0.1}`);
  await soon();
  t.strictSame(only().calls, ["jobStart", "jobStep", "jobFree"]);
  t.equal(runs["jobFree"], runs["jobStart"]);
});

t.test("an interrupted Study has its state, whatever its worker had done", async (t) => {
  configureEngine(assets);
  const study = await engine.createStudy("{}", "dcopf");
  const solution = `{"solution":{}}`;
  DoubleWorker.handler = (worker, { op }) => worker.answer(op === "commit" ? solution : "{}");
  await study.commit("three", { "2": 10 });
  const worker = only();
  DoubleWorker.handler = silent;
  const changing = study.commit("three", { "2": 20 });
  await soon();
  study.interrupt();
  await t.rejects(changing, { code: "ABORTED" });
  const edits: unknown[] = [];
  DoubleWorker.handler = (one, call) => {
    if (call.op === "commit") edits.push((JSON.parse((call as { edits?: string }).edits ?? "") as Edits).deltas);
    one.answer(call.op === "commit" ? solution : "{}");
  };
  worker.answer(solution); // the change was made after all
  await study.currentSolution();
  t.strictSame(edits, [{ "2": 10 }], "back to what was answered before");
  await study.preview({ "2": 11 });
  t.equal(edits.length, 1, "once");
  DoubleWorker.handler = silent;
  const next = study.currentSolution();
  await soon();
  const freed = study.free();
  await t.rejects(next, { code: "STUDY.FREED" });
  worker.answer("{}");
  await soon();
  worker.answer("{}");
  await freed;
});

t.test("without assets the engine names what is missing", async (t) => {
  configureEngine(undefined as never);
  await t.rejects(engine.capabilities(), { code: "INTERNAL", message: /configureEngine/ });
});
