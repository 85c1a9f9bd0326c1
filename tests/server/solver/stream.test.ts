// The solve stream over a real socket with a real client.
import { readFile, writeFile } from "node:fs/promises";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import t, { type Test } from "tap";
import { type AcFlow, englishMessage, type Message, type Optimum } from "@service/engine/node";
import { FALLBACK_FOLDER, readCatalogue, type ServerConfig } from "@service/server";
import { all, events, type StreamEvent } from "../events.ts";
import { served, STUCK_WORKER } from "../served.ts";

async function listening(t: Test, changes: Partial<ServerConfig> = {}) {
  const server = await served(t, changes, { worker: STUCK_WORKER });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const solve = (query = "", init?: RequestInit) =>
    fetch(`http://127.0.0.1:${port}/api/cases/three/solve${query}`, init);
  return { server, solve };
}

const kinds = (found: StreamEvent[]) => found.map(({ event, data }) => (event === "status" ? data["phase"] : event));
const near = (value: unknown, wanted: number) => Math.abs(Number(value) - wanted) < 1e-6;

/** Waits until a condition holds and returns the time taken. */
async function until(condition: () => boolean): Promise<number> {
  const started = performance.now();
  while (!condition()) {
    if (performance.now() - started > 10_000) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - started;
}

/**
 * Well below every deadline here; ending a thread takes under half a second on an idle machine, longer on a loaded one.
 */
const CANCELLED_MS = 5000;

t.test("a solve with both kinds of edits and a column", async (t) => {
  const { solve } = await listening(t);
  const response = await solve("?d=2:-10&rates=2:210&sens=2");
  t.equal(response.status, 200);
  t.equal(response.headers.get("content-type"), "text/event-stream");
  t.equal(response.headers.get("x-accel-buffering"), "no");
  t.equal(response.headers.get("content-encoding"), null);
  const found = await all(response);
  t.strictSame(kinds(found), ["queued", "solving", "solution", "sensitivity", "done"]);
  t.strictSame(
    found.map(({ id }) => id),
    ["1", "2", "3", "4", "done"],
  );
  t.strictSame(found[0]?.data, { phase: "queued", position: 0 });
  t.strictSame(found[1]?.data, { phase: "solving", case: "three" });
  const solution = found[2]?.data as unknown as Optimum;
  // 80 MW without congestion: equal marginal costs, 0.22 p1 + 5 = 0.17 (80 - p1) + 1.2.
  const p1 = (0.17 * 80 - 3.8) / 0.39;
  t.equal(solution.case, "three");
  t.ok(near(solution.dispatch[0]?.mw, p1));
  t.ok(near(solution.prices[1]?.value, 0.22 * p1 + 5));
  t.ok(near((found[3]?.data["values"] as { value: number }[])[0]?.value, 0.0958974359));
  t.strictSame(found[4]?.data, { ok: true });
});

t.test("an AC power flow instead of the DC OPF", async (t) => {
  const { solve } = await listening(t);
  const found = await all(await solve("?d=2:-10&sens=2&formulation=acpf"));
  t.strictSame(kinds(found), ["queued", "solving", "solution", "sensitivity", "done"]);
  const flow = found[2]?.data as unknown as AcFlow;
  t.strictSame([flow.formulation, flow.status, "prices" in flow], ["acpf", "feasible", false]);
  t.equal(flow.vm.length, 3);
  // Generation covers the 80 MW and the losses of the lines.
  const given = flow.dispatch.reduce((sum, { mw }) => sum + mw, 0);
  const lost = flow.flows.reduce((sum, { mw, mw_to }) => sum + mw + mw_to, 0);
  t.ok(lost > 0 && near(given, 80 + lost));
  t.equal(found[3]?.data["operand"], "vm");
  const dc = await all(await solve("?d=2:-10&formulation=dcopf"));
  t.equal(dc[2]?.data["formulation"], "dcopf");
  t.equal((await solve("?sens_branch=1&formulation=acpf")).status, 400);
  const unknown = await solve("?formulation=acopf");
  t.equal(unknown.status, 400);
  t.match(await unknown.json(), {
    error: "The query parameter formulation must be one of dcopf, acpf, socwr.",
    code: "QUERY.MALFORMED",
  });
  t.match(await (await solve("?formulation=acpf&formulation=dcopf")).json(), { error: /only once/ });
});

t.test("the relaxation reports its iterations", async (t) => {
  const { solve } = await listening(t);
  for (const query of ["?formulation=socwr", "?d=2:-10&sens=2&formulation=socwr"]) {
    const found = await all(await solve(query));
    const iterating = found.filter(({ data }) => data["phase"] === "iterating");
    t.ok(iterating.length > 0);
    for (const { event, data } of iterating) {
      t.strictSame([event, ...Object.keys(data)], ["status", "phase", "iteration", "objective", "residual"]);
    }
    const rest = found.filter((one) => !iterating.includes(one));
    const column = query.includes("sens") ? ["sensitivity"] : [];
    t.strictSame(kinds(rest), ["queued", "solving", "solution", ...column, "done"]);
    t.equal(kinds(found).lastIndexOf("iterating") < kinds(found).indexOf("solution"), true);
    t.equal(rest[2]?.data["formulation"], "socwr");
  }
  const dc = await all(await solve("?formulation=dcopf"));
  t.notOk(kinds(dc).includes("iterating"));
});

t.test("iterations restart after the base case, and a known state has none", async (t) => {
  const { solve } = await listening(t, { solverConcurrency: 1 });
  const iterations = async (query: string): Promise<number[]> => {
    const found = (await all(await solve(query))).filter(({ data }) => data["phase"] === "iterating");
    return found.map(({ data }) => Number(data["iteration"]));
  };
  const falls = (counts: number[]): boolean => counts.some((count, k) => k > 0 && count < (counts[k - 1] ?? 0));
  const edited = "?d=2:-10&formulation=socwr";
  t.ok(falls(await iterations(edited)), "of the base case, then of the edited one");
  t.strictSame(await iterations(edited), []);
  t.notOk(falls(await iterations("?d=2:5&formulation=socwr")), "the base case is known");
  t.strictSame(await iterations("?d=2:5&formulation=socwr"), []);
});

/** The committed grids as a catalogue with plain modules; beside the built server they are packed. */
async function unpackedGrids(t: Test) {
  const grids = fileURLToPath(new URL("grids/", FALLBACK_FOLDER));
  const folder = t.testdir();
  const catalogue = await readFile(join(grids, "catalogue.json"));
  await writeFile(join(folder, "catalogue.json"), catalogue);
  for (const { id, module } of (JSON.parse(catalogue.toString()) as { cases: { id: string; module: string }[] }).cases)
    await writeFile(join(folder, module), gunzipSync(await readFile(join(grids, `${id}.json.gz`))));
  return readCatalogue(folder);
}

t.test("a client may leave a relaxation between iterations", async (t) => {
  const catalogue = await unpackedGrids(t);
  const server = await served(t, { solverConcurrency: 1 }, { catalogue });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const stream = (query: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${port}/api/cases/${query}`, init).then(events);
  const client = new AbortController();
  const found: StreamEvent[] = [];
  const reading = (async () => {
    for await (const event of await stream("texas/solve?formulation=socwr", { signal: client.signal })) {
      found.push(event);
      if (event.data["phase"] === "iterating") client.abort();
    }
  })();
  await t.rejects(reading, { name: "AbortError" });
  t.match(found.at(-1)?.data, { phase: "iterating", iteration: Number });
  t.notOk(kinds(found).includes("solution"), "it was left in the middle");
  const took = await until(() => server.solver.stats().running === 0);
  t.ok(took < CANCELLED_MS, `ended after ${took.toFixed(0)} ms`);
  t.match(server.solver.stats(), { running: 0, waiting: 0, ended: 1 });
  const next: StreamEvent[] = [];
  for await (const event of await stream("carolina/solve?formulation=socwr")) next.push(event);
  t.match(next[0]?.data, { phase: "queued", position: 0 }, "the slot is free");
  t.match(next.at(-1)?.data, { ok: true });
});

t.test("no column unless requested; a branch column", async (t) => {
  const { solve } = await listening(t);
  const plain = await all(await solve());
  t.strictSame(kinds(plain), ["queued", "solving", "solution", "done"]);
  t.ok(near(plain[2]?.data["objective"], 808.5));
  const branch = await all(await solve("?sens_branch=2", { headers: { accept: "application/json" } }));
  t.match(branch[3], { event: "sensitivity", data: { parameter: "fmax", branch: 2 } });
  t.ok(near((branch[3]?.data["values"] as { value: number }[])[1]?.value, -1.83));
});

t.test("a failure is reported inside the stream", async (t) => {
  const { solve } = await listening(t);
  const response = await solve("?d=2:1000");
  t.equal(response.status, 200);
  const found = await all(response);
  t.strictSame(kinds(found), ["queued", "solving", "failed", "done"]);
  t.match(found[2]?.data, {
    phase: "failed",
    code: "SOLVE.INFEASIBLE",
    error: /^No solution: bus 2 must import at least 1,090\.0 MW, .* at most 290\.0 MW; at least 800\.0 MW short\.$/,
  });
  const { error, sentence } = found[3]?.data as { error: string; sentence: Message };
  t.match(found[3]?.data, { ok: false, code: "SOLVE.INFEASIBLE", error: /at least 800\.0 MW short/ });
  t.equal(englishMessage(sentence), error, "the sentence of the catalogue says the same");
});

t.test("a dead thread is a failure inside the stream", async (t) => {
  const { solve } = await listening(t);
  const found = await all(await solve("?d=2:2.5"));
  t.strictSame(kinds(found), ["queued", "solving", "failed", "done"]);
  t.match(found[3]?.data, { ok: false, code: "INTERNAL" });
  t.strictSame(kinds(await all(await solve())), ["queued", "solving", "solution", "done"]);
});

t.test("the deadline ends solving and waiting streams", async (t) => {
  const { server, solve } = await listening(t, { solverConcurrency: 1, solverTimeoutSecs: 1 });
  const stuck = solve("?d=2:1.5").then(all);
  await until(() => server.solver.stats().running === 1);
  const waiting = await all(await solve());
  t.strictSame(kinds(await stuck), ["queued", "solving", "failed", "done"]);
  t.match((await stuck)[3]?.data, { ok: false, code: "SOLVE.TIMEOUT" });
  t.strictSame(waiting[0]?.data, { phase: "queued", position: 1 });
  const outcome = waiting.at(-1)?.data["ok"];
  t.ok(
    outcome === true || waiting.at(-1)?.data["code"] === "SOLVE.TIMEOUT",
    "either its turn came or its own deadline",
  );
});

t.test("a disconnect ends the solve at once", async (t) => {
  const { server, solve } = await listening(t, { solverConcurrency: 1 });
  const client = new AbortController();
  const stream = events(await solve("?d=2:1.5", { signal: client.signal }));
  await stream.next();
  t.match((await stream.next()).value, { data: { phase: "solving" } });
  t.match(server.solver.stats(), { running: 1, ended: 0 });
  client.abort();
  const took = await until(() => server.solver.stats().running === 0);
  t.ok(took < CANCELLED_MS, `ended after ${took.toFixed(0)} ms`);
  t.match(server.solver.stats(), { waiting: 0, ended: 1 });
  t.strictSame(kinds(await all(await solve())), ["queued", "solving", "solution", "done"], "the next is served");
});

t.test("a disconnect removes a waiting solve", async (t) => {
  const { server, solve } = await listening(t, { solverConcurrency: 1, solverTimeoutSecs: 20 });
  const holder = new AbortController();
  await solve("?d=2:1.5", { signal: holder.signal });
  const client = new AbortController();
  await solve("", { signal: client.signal });
  t.match(server.solver.stats(), { running: 1, waiting: 1 });
  client.abort();
  t.ok((await until(() => server.solver.stats().waiting === 0)) < CANCELLED_MS);
  t.match(server.solver.stats(), { running: 1, ended: 0 }, "a waiting work costs no thread");
  holder.abort();
  await until(() => server.solver.stats().running === 0);
});

t.test("a disconnect ends a sensitivity request", async (t) => {
  const { server } = await listening(t, { solverConcurrency: 1 });
  const { port } = server.server.address() as AddressInfo;
  const client = new AbortController();
  const url = `http://127.0.0.1:${port}/api/cases/three/sensitivity/lmp/d/2?d=2:1.5`;
  const answer = fetch(url, { signal: client.signal }).catch((error: Error) => error.name);
  await until(() => server.solver.stats().running === 1);
  client.abort();
  t.ok((await until(() => server.solver.stats().running === 0)) < CANCELLED_MS);
  t.equal(await answer, "AbortError");
});

t.test("a connection is closed on request", async (t) => {
  const { server } = await listening(t);
  const { port } = server.server.address() as AddressInfo;
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write("GET /api/cases/three/solve HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"),
    );
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("end", () => resolve(text));
    socket.on("error", reject);
  });
  t.match(answer, /connection: close/i);
  t.match(answer, /"ok":true/);
});

t.test("an idle stream has heartbeats", async (t) => {
  const { solve } = await listening(t, { solverTimeoutSecs: 6 });
  const found = await all(await solve("?d=2:1.5"));
  t.ok(
    found.some(({ event }) => event === ":"),
    "a comment within six seconds",
  );
  t.strictSame(kinds(found.filter(({ event }) => event !== ":")), ["queued", "solving", "failed", "done"]);
});

t.test("many streams run at once", async (t) => {
  const { server, solve } = await listening(t, { solverConcurrency: 2 });
  const streams = await Promise.all(Array.from({ length: 12 }, async (_, k) => all(await solve(`?d=2:${k}`))));
  for (const stream of streams) {
    const found = kinds(stream);
    t.strictSame(found.slice(-3), ["solving", "solution", "done"]);
    t.ok(found.slice(0, -3).every((kind) => kind === "queued"));
    const positions = stream
      .filter(({ data }) => data["phase"] === "queued")
      .map(({ data }) => Number(data["position"]));
    t.ok(
      positions.every((position, k) => k === 0 || position < (positions[k - 1] ?? 0)),
      `positions fall: ${positions.join(", ")}`,
    );
    t.ok(positions.length === 1 || positions.at(-1) === 1, "the last reported position is the first of the line");
  }
  t.match(server.solver.stats(), { running: 0, waiting: 0, ended: 0 });
});

t.test("an EventSource that reconnects after the end gets 204", async (t) => {
  const { server, solve } = await listening(t);
  const found = await all(await solve(""));
  const last = found.at(-1)?.id ?? "";
  const again = await solve("", { headers: { "last-event-id": last } });
  t.equal(again.status, 204);
  t.equal(await again.text(), "");
  t.match(server.solver.stats(), { waiting: 0, running: 0 }, "nothing is solved");
  const broken = await all(await solve("", { headers: { "last-event-id": "2" } }));
  t.equal(broken.at(-1)?.event, "done", "a stream that broke before its end begins anew");
});

t.test("each change of the position is reported", async (t) => {
  const { server, solve } = await listening(t, { solverConcurrency: 1, solverTimeoutSecs: 20 });
  const clients = [new AbortController(), new AbortController(), new AbortController()];
  const holder = await solve("?d=2:1.5", { signal: clients[0]?.signal ?? null });
  await until(() => server.solver.stats().running === 1);
  const first = await solve("", { signal: clients[1]?.signal ?? null });
  const second = solve("").then(all);
  await until(() => server.solver.stats().waiting === 2);
  clients[1]?.abort();
  await until(() => server.solver.stats().waiting === 1);
  clients[0]?.abort();
  const found = await second;
  t.strictSame(kinds(found), ["queued", "queued", "solving", "solution", "done"]);
  t.strictSame(
    found.slice(0, 2).map(({ data }) => data["position"]),
    [2, 1],
  );
  t.strictSame(
    found.map(({ id }) => id),
    ["1", "2", "3", "4", "done"],
  );
  await Promise.allSettled([holder.text(), first.text()]);
});

t.test("a stopping server completes a running solve", async (t) => {
  const { server, solve } = await listening(t, { solverConcurrency: 1 });
  const slow = solve("?d=2:0.75").then(all);
  await until(() => server.solver.stats().running === 1);
  const waiting = solve("?d=2:1").then(all);
  await until(() => server.solver.stats().waiting === 1);
  await server.close();
  t.strictSame(kinds(await slow), ["queued", "solving", "solution", "done"]);
  t.match((await waiting).at(-1), { event: "done", data: { ok: false, code: "SERVICE.STOPPING" } });
});

t.test("a stopping server ends its streams with an event", async (t) => {
  const { server, solve } = await listening(t, { solverConcurrency: 1 });
  const stuck = solve("?d=2:1.5").then(all);
  await until(() => server.solver.stats().running === 1);
  const started = performance.now();
  await server.close();
  t.ok(performance.now() - started < CANCELLED_MS, "within a bound");
  t.match((await stuck).at(-1), { event: "done", data: { ok: false, code: "SERVICE.STOPPING" } });
});
