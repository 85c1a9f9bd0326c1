// Many clients at once: the answers each of them must get, whatever the others do. Speed is measured by the benchmark.
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { connect } from "node:net";
import t from "tap";
import type { Solution } from "@service/engine/node";
import { all, events } from "../events.ts";
import { bodyOf, get, kinds, LARGE, loaded, solveAs, until } from "./loaded.ts";

const addressOf = (k: number) => `10.0.${k >> 8}.${k & 255}`;

t.test("200 concurrent readers of one map view", async (t) => {
  const { base } = await loaded(t);
  const url = `${base}/cases/${LARGE}/network`;
  const text = await bodyOf(await get(url, { "accept-encoding": "identity" }));
  t.equal((JSON.parse(text.toString()) as { buses: unknown[] }).buses.length, 500);
  const unpack = { gzip: gunzipSync, br: brotliDecompressSync, identity: (body: Buffer) => body } as const;
  const encodings = Object.keys(unpack) as (keyof typeof unpack)[];
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, k) => {
      const wanted = encodings[k % 3] ?? "identity";
      const answer = await get(url, { "accept-encoding": wanted });
      const body = await bodyOf(answer);
      const right = unpack[wanted](body).equals(text);
      return answer.statusCode === 200 && (answer.headers["content-encoding"] ?? "identity") === wanted && right;
    }),
  );
  t.equal(answers.filter(Boolean).length, 200, "each has the whole body in the encoding that it requested");
});

t.test("50 clients on the solve stream with two slots", async (t) => {
  const { server, base } = await loaded(t, { solveRateLimitEvents: 5, rateLimitWindowSecs: 600 });
  const clients = Array.from({ length: 50 }, (_, k) => addressOf(k));
  let solving = true;
  let mostRunning = 0;
  /** Others continue to read while the solves wait. */
  const others = (async () => {
    const statuses = new Set<number>();
    for (let k = 0; solving; k += 1) {
      const path = ["health", "cases", `cases/${LARGE}/solution`, "compute"][k % 4] ?? "";
      const answer = await get(`${base}/${path}`);
      await bodyOf(answer);
      statuses.add(answer.statusCode ?? 0);
      mostRunning = Math.max(mostRunning, server.solver.stats().running);
    }
    return statuses;
  })();
  const streams = await Promise.all(
    clients.map(async (client, k) => {
      const first = await solveAs(client, `${base}/cases/${LARGE}/solve?d=2:${k}`);
      const second = await solveAs(client, `${base}/cases/${LARGE}/solve?d=2:${k}&sens=2`);
      return [first, second] as const;
    }),
  );
  solving = false;
  t.strictSame([...(await others)], [200], "everything else was answered all the time");
  t.equal(mostRunning, 2, "two at a time");

  for (const [first, second] of streams) {
    t.strictSame(kinds(first), ["queued", "solving", "solution", "done"]);
    t.strictSame(kinds(second), ["queued", "solving", "solution", "sensitivity", "done"]);
    for (const stream of [first, second]) {
      t.strictSame(
        stream.map(({ id }) => id),
        [...stream.slice(1).map((_, k) => String(k + 1)), "done"],
      );
      t.strictSame(stream.at(-1)?.data, { ok: true });
      const positions = stream.flatMap(({ data }) => (data["phase"] === "queued" ? [Number(data["position"])] : []));
      t.ok(positions.length > 0 && positions.every((place, k) => k === 0 || place < Number(positions[k - 1])));
    }
  }
  // Each gets its own solution: the same demand the same one, another demand another.
  const hashes = streams.map((both) =>
    both.map((stream) => (stream.find(({ event }) => event === "solution")?.data as unknown as Solution).result_sha256),
  );
  t.ok(hashes.every(([first, second]) => first === second));
  t.equal(new Set(hashes.map(([first]) => first)).size, 50);
  t.match(server.solver.stats(), { running: 0, waiting: 0, ended: 0 });

  // Two of five requests are used up: three more pass, and the limit of one client affects no other.
  const again = await Promise.all(
    Array.from({ length: 4 }, () => get(`${base}/cases/${LARGE}/solve`, { "x-forwarded-for": addressOf(0) })),
  );
  const statuses = again.map(({ statusCode }) => statusCode).sort();
  for (const answer of again) await bodyOf(answer);
  t.strictSame(statuses, [200, 200, 200, 429]);
  t.equal((await solveAs(addressOf(1), `${base}/cases/${LARGE}/solve`)).at(-1)?.event, "done");
});

t.test("clients may disconnect at every stage", async (t) => {
  const { server, base, connections } = await loaded(t, { solverConcurrency: 2 });
  const before = await connections();
  await Promise.all(
    Array.from({ length: 40 }, async (_, k) => {
      const client = new AbortController();
      // Every fourth would block its thread for ever.
      const url = `${base}/cases/${LARGE}/solve?d=2:${k % 4 === 0 ? 1.5 : k}&sens=2`;
      try {
        const stream = events(await fetch(url, { signal: client.signal }));
        for (let seen = 0; seen < k % 3; seen += 1) await stream.next();
        client.abort();
      } catch (error) {
        if ((error as Error).name !== "AbortError") throw error;
      }
    }),
  );
  await until(() => server.solver.stats().running + server.solver.stats().waiting === 0);
  await until(async () => (await connections()) <= before);
  t.pass("no work and no connection is left");
  t.strictSame(kinds(await all(await fetch(`${base}/cases/${LARGE}/solve`))), [
    "queued",
    "solving",
    "solution",
    "done",
  ]);
});

t.test("clients may disconnect during a large answer", async (t) => {
  const { base, connections } = await loaded(t);
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(
      Array.from({ length: 30 }, async (_, k) => {
        const answer = await get(`${base}/cases/${LARGE}/${["case", "network", "solution"][k % 3]}`);
        answer.on("error", () => undefined).destroy();
      }),
    );
  }
  await until(async () => (await connections()) === 0);
  t.equal((await get(`${base}/health`)).statusCode, 200);
});

t.test("slow readers", async (t) => {
  const { server, port, base } = await loaded(t);
  const whole = (await bodyOf(await get(`${base}/cases/${LARGE}/case`, { "accept-encoding": "identity" }))).length;
  /** Sends a request and reads nothing until it is released. */
  const slow = Array.from({ length: 30 }, (_, k) => {
    const socket = connect(port, "127.0.0.1").pause();
    const path = k % 3 === 0 ? `solve?d=2:${k}&sens=2` : "case";
    socket.write(`GET /api/cases/${LARGE}/${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    return { socket, streamed: k % 3 === 0 };
  });
  await until(() => server.solver.stats().running + server.solver.stats().waiting > 0);
  for (let k = 0; k < 5; k += 1) {
    const [health, solve] = await Promise.all([
      get(`${base}/health`),
      solveAs(addressOf(k), `${base}/cases/${LARGE}/solve?d=2:${k + 100}`),
    ]);
    t.equal(health.statusCode, 200);
    t.strictSame(kinds(solve), ["queued", "solving", "solution", "done"], "the others are served");
  }
  await Promise.all(
    slow.map(async ({ socket, streamed }) => {
      let text = "";
      socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
      socket.resume();
      await until(() => (streamed ? text.includes("event: done\n") : text.length > whole));
      socket.destroy();
      if (streamed) t.match(text, /event: solution\n[^]*event: sensitivity\n[^]*event: done\ndata: \{"ok":true\}\n\n/);
      else t.equal(text.length - text.indexOf("\r\n\r\n") - 4, whole, "nothing is lost");
    }),
  );
});
