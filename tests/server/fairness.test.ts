// One client with many solves does not keep the others waiting: the pool with works that only take time, then the whole server.
import type { AddressInfo } from "node:net";
import t, { type Test } from "tap";
import { SolverPool } from "@service/server";
import { events } from "./events.ts";
import { served, STUCK_WORKER } from "./served.ts";

/** A pool whose works only take time, and the order in which they begin. */
function pool(t: Test, concurrency: number, timeoutSecs = 60) {
  const worker = new URL("sleeping.worker.mjs", import.meta.url);
  // The threads of this pool need neither an engine nor modules.
  const data = async () => ({ wasm: undefined as unknown as WebAssembly.Module, modules: new Map() });
  const solver = new SolverPool({ worker, concurrency, timeoutSecs, data });
  t.teardown(() => solver.close());
  const begun: string[] = [];
  const submit = (client: string, ms: number) => {
    const told: number[] = [];
    const request = { caseId: "none", edits: { deltas: { 1: ms }, rates: {} }, target: null };
    const work = solver.submit("solve", request, { client, onPosition: (position) => told.push(position) });
    told.push(work.position);
    const begins = work.started.then(() => void begun.push(client));
    begins.catch(() => undefined);
    return { ...work, told };
  };
  return { solver, submit, begun };
}

t.test("one slot: clients alternate", async (t) => {
  const { submit, begun } = pool(t, 1);
  const greedy = Array.from({ length: 5 }, () => submit("greedy", 30));
  const modest = [submit("modest", 30), submit("modest", 30)];
  t.strictSame(
    greedy.map(({ told }) => told.at(-1)),
    [0, 2, 4, 5, 6],
  );
  t.strictSame(greedy[1]?.told, [1, 2], "a place that is lost is told");
  t.strictSame(
    modest.map(({ told }) => told[0]),
    [1, 3],
  );
  await Promise.all([...greedy, ...modest].map(({ result }) => result));
  t.strictSame(begun, ["greedy", "modest", "greedy", "modest", "greedy", "greedy", "greedy"]);
  for (const { told } of modest) t.ok(told.at(-1) === 1, `${told.join(", ")}: nobody comes between`);
});

t.test("two slots: the next free one is the newcomer's, and nobody then has both", async (t) => {
  const { submit, begun } = pool(t, 2);
  const greedy = Array.from({ length: 6 }, () => submit("greedy", 100));
  const modest = Array.from({ length: 3 }, () => submit("modest", 100));
  await Promise.all([...greedy, ...modest].map(({ result }) => result));
  t.strictSame(begun.slice(0, 2), ["greedy", "greedy"], "alone it uses both");
  t.equal(begun[2], "modest");
  const together = begun.slice(2, begun.lastIndexOf("modest") + 1);
  t.ok(together.filter((client) => client === "greedy").length <= 3, begun.join(" "));
});

t.test("a client within its limit solves in time beside one that fills the line", async (t) => {
  const { submit } = pool(t, 2, 2);
  // The threads are there before the time counts.
  await Promise.all(["one", "other"].map((client) => submit(client, 1).result));
  const greedy = Array.from({ length: 20 }, () => submit("greedy", 400));
  const modest = submit("modest", 400);
  t.equal(modest.told[0], 1);
  await modest.result;
  const outcomes = await Promise.allSettled(greedy.map(({ result }) => result));
  t.ok(outcomes.some(({ status }) => status === "fulfilled") && outcomes.some(({ status }) => status === "rejected"));
});

/** The server with solves of a second; `solve` gives the client's name to `begun` when its solve begins. */
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

for (const [slots, order] of [
  [1, ["10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.2", "10.0.0.1"]],
  [2, ["10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.2"]],
] as const) {
  t.test(`solve streams, ${slots} at a time`, async (t) => {
    const { solve, begun } = await server(t, slots);
    const streams = [];
    for (const client of ["10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.2"])
      streams.push(await solve(client));
    t.strictSame(await Promise.all(streams.map(({ ended }) => ended)), [true, true, true, true, true]);
    // Two that begin at once may be told in either order.
    if (slots === 1) t.strictSame(begun, order);
    else
      t.strictSame([begun.slice(0, 2), [...begun.slice(2, 4)].sort()], [order.slice(0, 2), ["10.0.0.1", "10.0.0.2"]]);
    t.strictSame(streams[3]?.positions.slice(0, 1), [1], "ahead of what the other has put in line");
    t.equal(streams[3]?.positions.at(-1), 1);
    const last = streams[2]?.positions ?? [];
    t.ok(Math.max(...last) > (last[0] ?? 0), `${last.join(", ")}: the place that it lost was told`);
  });
}
