// The queue before the solver threads, without any thread: the threads' data is withheld until a test releases it.
import t, { type Test } from "tap";
import { SolverPool } from "@service/server";

const request = { caseId: "three", edits: { deltas: {}, rates: {} }, target: null };
const WORKER = new URL("no-such.worker.mjs", import.meta.url);

/** A pool with one place, which its first work occupies until `release` is called. */
function held(t: Test) {
  let release!: () => void;
  const data = new Promise<never>((_resolve, reject) => (release = () => reject(new Error("no data"))));
  data.catch(() => undefined);
  const pool = new SolverPool({ worker: WORKER, concurrency: 1, timeoutSecs: 60, data: () => data });
  t.teardown(async () => {
    release();
    await pool.close();
  });
  return { pool, release };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

t.test("a full queue refuses clients, not the server's own solves", async (t) => {
  const { pool } = held(t);
  const works = Array.from({ length: 1001 }, () => pool.submit("solve", request));
  t.strictSame([works[0]?.position, works[1]?.position, works[1000]?.position], [0, 1, 1000]);
  t.match(pool.stats(), { running: 1, waiting: 1000 });
  t.throws(() => pool.submit("solve", request), {
    name: "ServiceError",
    statusCode: 503,
    code: "SOLVE.TIMEOUT",
    headers: { "retry-after": /^\d+$/ },
  });
  t.equal(pool.submit("describe", { caseId: "three", name: "Three" }, { bounded: false }).position, 1001);
  works[500]?.cancel(new Error("left"));
  await t.rejects(async () => {
    await works[500]?.result;
  }, /left/);
  t.equal(pool.submit("solve", request, { bounded: false }).position, 1001, "a place is free again");
});

t.test("positions fall as others leave the queue", async (t) => {
  const { pool } = held(t);
  const moves: [work: number, position: number][] = [];
  const works = [0, 1, 2, 3].map((work) =>
    pool.submit("solve", request, { onPosition: (position) => moves.push([work, position]) }),
  );
  works[2]?.cancel(new Error("left"));
  await turn();
  t.strictSame(moves, [[3, 2]], "only those behind it");
  works[1]?.cancel(new Error("left"));
  await turn();
  t.strictSame(moves, [
    [3, 2],
    [3, 1],
  ]);
});

t.test("solves that leave together cause one notification", async (t) => {
  const { pool } = held(t);
  let moves = 0;
  const works = Array.from({ length: 1000 }, () => pool.submit("solve", request, { onPosition: () => void moves++ }));
  await turn();
  for (const work of works.slice(1, 999)) work.cancel(new Error("deadline"));
  await turn();
  t.equal(moves, 1, "the last one, which is now the first of the line");
  t.equal(pool.stats().waiting, 1);
});

t.test("the deadline includes the queue", async (t) => {
  const { pool } = held(t);
  pool.submit("solve", request);
  const late = pool.submit("solve", request, { timeoutSecs: 0.05 });
  await t.rejects(late.result, { code: "SOLVE.TIMEOUT", statusCode: 503 });
  await t.rejects(late.started, { code: "SOLVE.TIMEOUT" });
  t.equal(pool.stats().waiting, 0);
});

t.test("a thread that cannot be created fails its solve, not the pool", async (t) => {
  const { pool, release } = held(t);
  const first = pool.submit("solve", request);
  const second = pool.submit("solve", request);
  release();
  await t.rejects(first.result, { code: "INTERNAL" });
  await t.rejects(second.result, { code: "INTERNAL" });
  t.match(pool.stats(), { running: 0, waiting: 0 });
});

t.test("a closed pool accepts nothing and rejects waiting solves", async (t) => {
  const { pool, release } = held(t);
  const works = [pool.submit("solve", request), pool.submit("solve", request)];
  const closed = pool.close();
  t.throws(() => pool.submit("solve", request), { code: "SERVICE.STOPPING" });
  for (const { result } of works) await t.rejects(result, { code: "SERVICE.STOPPING", statusCode: 503 });
  release();
  await closed;
});
