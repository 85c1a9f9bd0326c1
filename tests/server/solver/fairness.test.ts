// One client with many solves does not delay the others: the pool with works that only take time, then the whole
// server.
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Optimum } from "@service/engine/node";
import { findCases, SolverPool, stageData } from "@service/server";
import { events } from "../events.ts";
import { solveAs, until } from "../load/loaded.ts";
import { served, STUCK_WORKER, testConfig } from "../served.ts";

/** A pool whose works only take time, and the order in which they start. */
function pool(t: Test, concurrency: number, timeoutSecs = 60) {
  const worker = new URL("sleeping.worker.mjs", import.meta.url);
  // The threads of this pool need neither an engine nor modules.
  const data = async () => ({ wasm: undefined as unknown as WebAssembly.Module, modules: new Map() });
  const solver = new SolverPool({ worker, concurrency, timeoutSecs, data });
  t.teardown(() => solver.close());
  const begun: string[] = [];
  const submit = (client: string, ms: number) => {
    const positions: number[] = [];
    const request = { caseId: "none", edits: { deltas: { 1: ms }, rates: {} }, target: null };
    const work = solver.submit("solve", request, { client, onPosition: (position) => positions.push(position) });
    positions.push(work.position);
    const begins = work.started.then(() => void begun.push(client));
    begins.catch(() => undefined);
    return { ...work, positions };
  };
  return { solver, submit, begun };
}

t.test("one slot: clients alternate", async (t) => {
  const { submit, begun } = pool(t, 1);
  const greedy = Array.from({ length: 5 }, () => submit("greedy", 30));
  const modest = [submit("modest", 30), submit("modest", 30)];
  t.strictSame(
    greedy.map(({ positions }) => positions.at(-1)),
    [0, 2, 4, 5, 6],
  );
  t.strictSame(greedy[1]?.positions, [1, 2], "a lost place is reported");
  t.strictSame(
    modest.map(({ positions }) => positions[0]),
    [1, 3],
  );
  await Promise.all([...greedy, ...modest].map(({ result }) => result));
  t.strictSame(begun, ["greedy", "modest", "greedy", "modest", "greedy", "greedy", "greedy"]);
  for (const { positions } of modest) t.ok(positions.at(-1) === 1, `${positions.join(", ")}: nobody comes between`);
});

t.test("two slots: a lone client has one, and a newcomer begins at once", async (t) => {
  const { solver, submit, begun } = pool(t, 2);
  const greedy = Array.from({ length: 6 }, () => submit("greedy", 100));
  t.strictSame(
    greedy.map(({ positions }) => positions.at(-1)),
    [0, 1, 2, 3, 4, 5],
  );
  t.match(solver.stats(), { running: 1, waiting: 5 });
  const modest = Array.from({ length: 3 }, () => submit("modest", 100));
  t.strictSame(
    modest.map(({ positions }) => positions[0]),
    [0, 2, 4],
  );
  t.match(solver.stats(), { running: 2, waiting: 7 });
  await Promise.all([...greedy, ...modest].map(({ result }) => result));
  t.strictSame(begun.slice(0, 2), ["greedy", "modest"]);
  const together = begun.slice(0, begun.lastIndexOf("modest") + 1);
  t.ok(together.filter((client) => client === "greedy").length <= 4, begun.join(" "));
});

t.test("a queue of a thousand solves of one client", async (t) => {
  const { solver, submit } = pool(t, 2);
  const greedy = Array.from({ length: 1000 }, () => submit("greedy", 5000));
  t.match(solver.stats(), { running: 1, waiting: 999 });
  const modest = submit("modest", 1);
  t.equal(modest.positions[0], 0);
  await modest.result;
  t.match(solver.stats(), { running: 1, waiting: 999 }, "before the first of the others has ended");
  t.strictSame(greedy.at(-1)?.positions, [999], "nobody lost a place");
  const left = new Error("left");
  for (const work of greedy) work.result.catch(() => undefined);
  greedy[1]?.cancel(left);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  t.strictSame(greedy.at(-1)?.positions, [999, 998], "its last work reports that it moved");
  for (const work of greedy) work.cancel(left);
});

t.test("a client within its limit solves in time beside one that fills the queue", async (t) => {
  const { submit } = pool(t, 2, 2);
  // The threads must be ready before the time counts.
  await Promise.all(["one", "other"].map((client) => submit(client, 1).result));
  const greedy = Array.from({ length: 20 }, () => submit("greedy", 400));
  const modest = submit("modest", 400);
  t.equal(modest.positions[0], 0);
  await modest.result;
  const outcomes = await Promise.allSettled(greedy.map(({ result }) => result));
  t.ok(outcomes.some(({ status }) => status === "fulfilled") && outcomes.some(({ status }) => status === "rejected"));
});

/** The server with solves of a second; `solve` passes the client's name to `begun` when its solve starts. */
async function server(t: Test, solverConcurrency: number) {
  const server = await served(t, { solverConcurrency, solverTimeoutSecs: 30 }, { worker: STUCK_WORKER });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const begun: string[] = [];
  const solve = async (client: string) => {
    const positions: number[] = [];
    const response = await fetch(`http://127.0.0.1:${port}/api/cases/three/solve?d=2:0.75`, {
      headers: { "x-forwarded-for": client },
    });
    const ended = (async () => {
      for await (const { event, data } of events(response)) {
        if (data["phase"] === "queued") positions.push(Number(data["position"]));
        if (data["phase"] === "solving") begun.push(client);
        if (event === "done") return data["ok"];
      }
      return undefined;
    })();
    return { positions, ended };
  };
  return { solve, begun };
}

t.test("solve streams, one at a time", async (t) => {
  const { solve, begun } = await server(t, 1);
  const streams = [];
  for (const client of ["10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.2"]) streams.push(await solve(client));
  t.strictSame(await Promise.all(streams.map(({ ended }) => ended)), [true, true, true, true, true]);
  t.strictSame(begun, ["10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.2", "10.0.0.1"]);
  t.strictSame(streams[3]?.positions, [1], "ahead of what the other has put in line");
  const last = streams[2]?.positions ?? [];
  t.ok(Math.max(...last) > (last[0] ?? 0), `${last.join(", ")}: the lost place was reported`);
});

t.test("solve streams, two at a time", async (t) => {
  const { solve, begun } = await server(t, 2);
  const greedy = [];
  for (let k = 0; k < 3; k += 1) greedy.push(await solve("10.0.0.1"));
  const modest = [await solve("10.0.0.2"), await solve("10.0.0.2")];
  const ended = await Promise.all([...greedy, ...modest].map(({ ended }) => ended));
  t.strictSame(ended, [true, true, true, true, true]);
  t.strictSame(begun.slice(0, 2), ["10.0.0.1", "10.0.0.2"]);
  t.strictSame(modest[0]?.positions, [0], "a newcomer begins at once");
  t.strictSame(
    greedy.map(({ positions }) => positions[0]),
    [0, 1, 2],
  );
});

t.test("real solves: a newcomer begins at once beside another client's full queue", async (t) => {
  const data = await mkdtemp(join(tmpdir(), "wattbook-fair-"));
  t.teardown(() => rm(data, { recursive: true, force: true }));
  await stageData(data);
  const { catalogue, bases } = await findCases({ ...testConfig(), data });
  const texas = catalogue.filter(({ entry }) => entry.id === "texas");
  const server = await served(t, { solverConcurrency: 2, solverTimeoutSecs: 60 }, { catalogue: texas, bases });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api/cases/texas/solve`;
  // Both threads have loaded the case.
  const warm = await Promise.all(["10.0.0.3", "10.0.0.4"].map((client) => solveAs(client, url)));
  const bus = (warm[0]?.[2]?.data as unknown as Optimum).prices[100]?.bus;

  const ended: string[] = [];
  const solve = async (client: string, mw: number) => {
    const found = await solveAs(client, `${url}?d=${bus}:${mw}&sens=${bus}`);
    ended.push(client);
    return found.map(({ event, data }) => data["position"] ?? data["phase"] ?? data["result_sha256"] ?? event);
  };
  const greedy = Array.from({ length: 20 }, (_, k) => solve("10.0.0.1", k));
  await until(() => server.solver.stats().waiting > 10);
  t.equal(server.solver.stats().running, 1, "a slot is free beside the line");
  const newcomer = await solve("10.0.0.2", 5);
  t.strictSame(newcomer.slice(0, 2), [0, "solving"], "nobody was before it");
  t.ok(server.solver.stats().waiting > 0, `${ended.length} ended before it`);
  const all = await Promise.all(greedy);
  t.match(newcomer[2], /^[0-9a-f]{64}$/);
  t.equal(all[5]?.at(-3), newcomer[2], "the same demand has the same solution");
  t.equal(new Set(all.map((found) => found.at(-3))).size, 20);
});
