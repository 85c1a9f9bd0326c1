// The worker of a call: Studies, cases, files and feeders each have their own. The workers are doubles.
import { mock } from "node:test";
import t from "tap";
import { configureEngine, createBrowserWasmTransport, engine } from "@service/engine";
import { after, ask, assets, create, DoubleWorker, inspect, served, soon, useDoubleWorkers } from "./doubleWorker.ts";

useDoubleWorkers(t);

t.test("each Study has its own worker: a hanging one delays neither others nor files", async (t) => {
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

t.test("another Study of a case begins where the case is open, unless that worker is busy", async (t) => {
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

t.test("a hanging file does not delay other files for long", async (t) => {
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

t.test("with more Studies than workers a waiting one moves, and is freed at its old worker", async (t) => {
  const transport = createBrowserWasmTransport(assets);
  const studies = [1, 2, 3, 4, 5, 6];
  for (const study of studies) await transport.request(create(study));
  t.equal(DoubleWorker.made.length, 6, "one for files and five for six Studies");
  const shared = DoubleWorker.made.find(({ calls }) => calls.length === 2) as DoubleWorker;
  DoubleWorker.handler = (worker) => worker !== shared && worker.answer("{}");
  const abort = new AbortController();
  const hanging = transport.request(ask(1), abort.signal);
  const done: string[] = [];
  const others = [ask(6), { op: "lmpComponents", study: 6, target: "{}" } as const].map(async (call) => {
    await transport.request(call);
    done.push(call.op);
  });
  await Promise.all(others);
  t.strictSame(done, ["currentSolution", "lmpComponents"], "in their order, while the other hangs");
  shared.answer("{}");
  await hanging;
  DoubleWorker.handler = (worker) => worker.answer("{}");
  await soon();
  t.strictSame(shared.calls, ["createStudy", "createStudy", "currentSolution", "leave"]);
  t.equal(DoubleWorker.made.length, 6, "no more workers than that");
});

t.test("an empty worker is ended after a while, that of a Study is not", async (t) => {
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

t.test("a feeder has its own worker: ending a hanging one affects no Studies or files", async (t) => {
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
