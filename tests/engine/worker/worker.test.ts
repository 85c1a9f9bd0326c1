// The page's side of the workers: one call at a time in each, who shares one, aborts, a worker that dies or hangs. The worker
// here is a double that answers as each test says; the real one is tested in Chromium (browser.test.ts, hanging.test.ts).
import { mock } from "node:test";
import t from "tap";
import { configureEngine, createBrowserWasmTransport, engine } from "@service/engine";
import { createNodeEngine } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";

/** The smallest WebAssembly module. */
const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
const EMPTY_MODULE = new WebAssembly.Module(EMPTY);

type Message = { kind: "init"; engine: unknown } | { kind: "call"; call: { op: string } };
type Handler = (worker: DoubleWorker, call: { op: string }) => void;

/** Stands for `Worker`: records what it gets and answers as the test says. */
class DoubleWorker {
  static made: DoubleWorker[] = [];
  /** Whether workers can compile. */
  static compiles = true;
  static handler: Handler = (worker) => worker.answer("{}");
  onmessage: (event: { data: unknown }) => void = () => undefined;
  onerror: (event: { message: string; preventDefault(): void }) => void = () => undefined;
  readonly url: string;
  readonly calls: string[] = [];
  /** What it got of the engine. */
  engine: unknown;
  ended = false;

  constructor(url: string) {
    this.url = url;
    DoubleWorker.made.push(this);
  }

  postMessage(message: Message): void {
    if (message.kind === "init") {
      this.engine = message.engine;
      if (typeof message.engine === "string" && !DoubleWorker.compiles) {
        return this.tell({ kind: "failed", error: { code: "INTERNAL", message: "refused" } });
      }
      if (typeof message.engine === "string") this.tell({ kind: "compiled", module: EMPTY_MODULE });
      return this.tell({ kind: "ready", locked: false });
    }
    this.calls.push(message.call.op);
    DoubleWorker.handler(this, message.call);
  }

  terminate(): void {
    this.ended = true;
  }

  answer(json: string): void {
    this.tell({ kind: "answer", answer: { json, ms: 0 } });
  }

  lost(): void {
    this.tell({ kind: "error", error: { code: "STUDY.LOST", message: "" } });
  }

  die(): void {
    this.onerror({ message: "crashed", preventDefault: () => undefined });
  }

  tell(data: unknown): void {
    setImmediate(() => !this.ended && this.onmessage({ data }));
  }
}

const assets = { wasmUrl: "http://host/engine.wasm", workerUrl: "http://host/worker.js" };
const silent: Handler = () => undefined;
/** What the server has, by address. */
const served = new Map<string, { type: string; body: Uint8Array<ArrayBuffer> }>();
const { fetch: ownFetch } = globalThis;

t.beforeEach(() => {
  DoubleWorker.made = [];
  DoubleWorker.compiles = true;
  DoubleWorker.handler = (worker) => worker.answer("{}");
  served.clear();
  served.set(assets.wasmUrl, { type: "application/wasm", body: EMPTY });
  served.set(assets.workerUrl, { type: "text/javascript", body: Uint8Array.of(59) });
  const fetch = (url: string) => {
    const file = served.get(url);
    const headers = { "content-type": file?.type ?? "text/plain" };
    return Promise.resolve(new Response(file?.body ?? null, { status: file ? 200 : 404, headers }));
  };
  Object.assign(globalThis, { Worker: DoubleWorker, fetch });
});
t.teardown(() => {
  delete (globalThis as { Worker?: unknown }).Worker;
  globalThis.fetch = ownFetch;
});

const only = () => DoubleWorker.made.findLast(({ calls }) => calls.length > 0) as DoubleWorker;
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const soon = async () => {
  while (!only()?.calls.length) await after(5);
  await after(20);
};
const inspect = { op: "inspectModule", module: "" } as const;
const create = (study: number) =>
  ({ op: "createStudy", study, module: "", formulation: "dcopf", options: "{}" }) as const;
const ask = (study: number) => ({ op: "currentSolution", study }) as const;

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

t.test("where workers cannot compile the page does", async (t) => {
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

t.test("a running call that is aborted is answered at once; a worker that hangs is replaced", async (t) => {
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

t.test("a running call that is aborted but ends soon costs no worker", async (t) => {
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

t.test("a worker that dies fails its call with INTERNAL and is replaced for the next", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  DoubleWorker.handler = (worker) => setImmediate(() => worker.die());
  await t.rejects(transport.request({ op: "capabilities" }), { name: "EngineError", code: "INTERNAL" });
  DoubleWorker.handler = (worker) => worker.answer("fresh");
  t.equal((await transport.request({ op: "capabilities" })).json, "fresh");
  t.equal(DoubleWorker.made.length, 2);
});

t.test("a study lost with its worker is built again with its edits", async (t) => {
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
  const asked = ["currentSolution", "currentSolution"];
  t.strictSame(only().calls, [...built, ...asked, ...built, ...asked], "built once for both");
});

t.test("a layout lost with its worker starts over; progress does not fall", async (t) => {
  configureEngine(assets);
  const started: number[] = [];
  let steps = 0;
  DoubleWorker.handler = (worker, call) => {
    const { op, run = 0 } = call as { op: string; run?: number };
    if (op === "jobStart") started.push(run);
    if (op !== "jobStep") return worker.answer(`{"default_scale_km":10}`);
    steps += 1;
    // The second step finds no run, as after a worker that was replaced because another call hung.
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

t.test("a layout that is cancelled in the middle of a step is answered at once and freed after it", async (t) => {
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

t.test("a Study has a worker of its own: one that hangs keeps neither others nor files waiting", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  await transport.request(create(1));
  await transport.request(create(2));
  const [, first, second] = DoubleWorker.made;
  DoubleWorker.handler = (worker) => worker !== first && worker.answer("{}");
  const abort = new AbortController();
  const hanging = transport.request({ op: "reset", study: 1, caseId: "" }, abort.signal);
  await transport.request(ask(2));
  await transport.request(inspect);
  t.strictSame(second?.calls, ["createStudy", "currentSolution"]);
  t.equal(DoubleWorker.made.length, 3);
  abort.abort();
  await t.rejects(hanging, { code: "ABORTED" });
  await after(1100);
  t.equal(first?.ended, true, "the worker that hung is ended");
  DoubleWorker.handler = (worker) => worker.answer("{}");
  await transport.request(ask(1));
  await transport.request(ask(2));
  t.strictSame(second?.calls, ["createStudy", "currentSolution", "currentSolution"], "the others keep theirs");
  t.equal(DoubleWorker.made.length, 4);
});

t.test("a further Study of a case begins where the case is open, unless that worker is busy", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  const of = (study: number, sha256: string) => ({ ...create(study), sha256 });
  await transport.request(of(1, "a"));
  await transport.request(of(2, "b"));
  await transport.request(of(3, "a"));
  const [, first, second] = DoubleWorker.made;
  t.strictSame([first?.calls.length, second?.calls.length], [2, 1]);
  DoubleWorker.handler = (worker) => worker !== first && worker.answer("{}");
  const solving = transport.request(ask(1));
  await transport.request(of(4, "a"));
  t.equal(DoubleWorker.made.length, 4, "one of its own meanwhile");
  first?.answer("{}");
  await solving;
});

t.test("a case is read once: its Study begins in the worker that reads it", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  await transport.start();
  const reading = transport.request({ ...inspect, sha256: "a" });
  const solving = transport.request({ ...create(1), sha256: "a" });
  const other = transport.request({ ...create(2), sha256: "b" });
  await Promise.all([reading, solving, other]);
  t.strictSame(
    DoubleWorker.made.map(({ calls }) => calls),
    [["inspectModule", "createStudy"], ["createStudy"]],
  );
});

t.test("a case from a file is solved where it was read; the next file has another worker", async (t) => {
  configureEngine(assets);
  DoubleWorker.handler = (worker, { op }) =>
    worker.answer(op === "ingestCase" ? JSON.stringify({ model: "balanced", sha256: "a", topology: {} }) : "{}");
  await engine.ingestCase(new Uint8Array(), "matpower");
  const [reader] = DoubleWorker.made;
  await engine.createStudy({ module_json: "{}", sha256: "a" }, "dcopf");
  t.strictSame(reader?.calls, ["ingestCase", "createStudy"]);
  await engine.ingestCase(new Uint8Array(), "matpower");
  t.strictSame(reader?.calls.length, 2, "a file that hangs would not keep the Study waiting");
  t.equal(DoubleWorker.made.length, 2);
});

t.test("a file that hangs does not keep other files waiting for long", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  DoubleWorker.handler = (worker, { op }) => op !== "ingestCase" && worker.answer("{}");
  const abort = new AbortController();
  const hanging = transport.request({ op: "ingestCase", bytes: new Uint8Array(), format: "m" }, abort.signal);
  const begun = Date.now();
  await transport.request(inspect);
  t.ok(Date.now() - begun < 2000, "in another worker");
  t.equal(DoubleWorker.made.length, 2);
  const again = Date.now();
  await transport.request(inspect);
  t.ok(Date.now() - again < 500, "which the next call finds at once");
  abort.abort();
  await t.rejects(hanging, { code: "ABORTED" });
});

t.test("more Studies than workers: one that waits behind another's moves, and is freed where it was", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  const studies = [1, 2, 3, 4, 5, 6];
  for (const study of studies) await transport.request(create(study));
  t.equal(DoubleWorker.made.length, 6, "one for files and five for six Studies");
  const shared = DoubleWorker.made.find(({ calls }) => calls.length === 2) as DoubleWorker;
  DoubleWorker.handler = (worker) => worker !== shared && worker.answer("{}");
  const abort = new AbortController();
  const hanging = transport.request(ask(1), abort.signal);
  const told: string[] = [];
  const others = [ask(6), { op: "lmpComponents", study: 6, target: "{}" } as const].map(async (call) => {
    await transport.request(call);
    told.push(call.op);
  });
  await Promise.all(others);
  t.strictSame(told, ["currentSolution", "lmpComponents"], "in their order, while the other hangs");
  shared.answer("{}");
  await hanging;
  DoubleWorker.handler = (worker) => worker.answer("{}");
  await soon();
  t.strictSame(shared.calls, ["createStudy", "createStudy", "currentSolution", "leave"]);
  t.equal(DoubleWorker.made.length, 6, "no more workers than that");
});

t.test("a worker that holds nothing is ended after a while; the one of a Study is not", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  await transport.request(inspect);
  await transport.request(create(1));
  mock.timers.enable({ apis: ["setTimeout"] });
  t.teardown(() => mock.timers.reset());
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const answered = async (call: Parameters<typeof transport.request>[0]) => {
    const answer = transport.request(call);
    await turn();
    return answer;
  };
  await answered(inspect);
  await answered(ask(1));
  mock.timers.tick(31_000);
  await turn();
  t.strictSame(
    DoubleWorker.made.map(({ ended }) => ended),
    [true, false],
  );
  await answered({ op: "free", study: 1 });
  mock.timers.tick(31_000);
  await turn();
  t.equal(DoubleWorker.made[1]?.ended, true, "until it is freed");
  await answered(inspect);
  t.equal(DoubleWorker.made.length, 3, "the next call starts another");
});

t.test(
  "workers started later come from the copy of the script: the server may have another build by then",
  async (t) => {
    const transport = createBrowserWasmTransport(assets);
    await transport.request(inspect);
    served.clear();
    await transport.request(create(1));
    t.equal(DoubleWorker.made.length, 2);
    t.ok(DoubleWorker.made.every(({ url }) => url.startsWith("blob:")));
  },
);

t.test("a study that is interrupted keeps its state, whatever its worker had done by then", async (t) => {
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
    if (call.op === "commit") edits.push(JSON.parse((call as { deltas?: string }).deltas ?? ""));
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

t.test("without assets the engine says what is missing", async (t) => {
  configureEngine(undefined as never);
  await t.rejects(engine.capabilities(), { code: "INTERNAL", message: /configureEngine/ });
});

t.test("a feeder has a worker of its own: one that hangs is given up without harm to Studies and files", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  DoubleWorker.handler = (worker, { op }) => void (op.startsWith("mc") || worker.answer("{}"));
  await Promise.all([transport.request(create(1)), transport.request(inspect)]);
  const others = DoubleWorker.made.filter(({ calls }) => calls.length > 0);
  const abort = new AbortController();
  const open = { op: "mcOpen", feeder: 1, module: "", options: "{}", loads: "{}" } as const;
  const hanging = transport.request(open, abort.signal);
  await after(50);
  abort.abort();
  await t.rejects(hanging, { code: "ABORTED" });
  await after(1200);
  const [feeders] = DoubleWorker.made.filter(({ calls }) => calls.includes("mcOpen"));
  t.equal(feeders?.ended, true);
  t.notOk(others.some(({ ended }) => ended));
  await transport.request(ask(1));
  t.ok(others.some(({ calls }) => calls.includes("currentSolution")));
});
