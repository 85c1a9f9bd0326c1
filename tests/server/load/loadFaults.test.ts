// Faults under load: threads that die or hang, the deadline, data replaced during requests.
import { createHash } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import t from "tap";
import { createServer, readCatalogue, stageData } from "@service/server";
import { fixture } from "../../fixtures/cases.ts";
import { bodyOf, get, kinds, LARGE, loaded, solveAs, until } from "./loaded.ts";
import { served, stagedFolder, testConfig } from "../served.ts";

const SOLVED = ["queued", "solving", "solution", "done"];
const FAILED = ["queued", "solving", "failed", "done"];

t.test("threads that die during solves affect their own clients only", async (t) => {
  const { server, base } = await loaded(t);
  const streams = await Promise.all(
    Array.from({ length: 24 }, (_, k) =>
      solveAs(`10.1.0.${k}`, `${base}/cases/${LARGE}/solve?d=2:${k % 6 === 0 ? 2.5 : k}`),
    ),
  );
  for (const [k, stream] of streams.entries()) {
    t.strictSame(kinds(stream), k % 6 === 0 ? FAILED : SOLVED, `client ${k}`);
    if (k % 6 === 0) t.match(stream.at(-1)?.data, { ok: false, code: "INTERNAL" });
  }
  t.match(server.solver.stats(), { running: 0, waiting: 0 });
  t.equal((await get(`${base}/health`)).statusCode, 200);
});

t.test("solves beyond the deadline free their places", async (t) => {
  const { server, base } = await loaded(t, { solverTimeoutSecs: 2, solverConcurrency: 2 });
  const stuck = Array.from({ length: 4 }, (_, k) => solveAs(`10.2.0.${k}`, `${base}/cases/${LARGE}/solve?d=2:1.5`));
  await until(() => server.solver.stats().waiting === 2);
  const waiting = Array.from({ length: 6 }, (_, k) => solveAs(`10.2.1.${k}`, `${base}/cases/${LARGE}/solve?d=2:${k}`));
  for (const stream of await Promise.all(stuck))
    t.match(stream.at(-1), { event: "done", data: { ok: false, code: "SOLVE.TIMEOUT" } });
  // Solves behind them had the same deadline: a solution or the same error, never silence.
  for (const stream of await Promise.all(waiting)) {
    const end = stream.at(-1);
    t.equal(end?.event, "done");
    t.ok(end?.data["ok"] === true || end?.data["code"] === "SOLVE.TIMEOUT", JSON.stringify(end?.data));
  }
  await until(() => server.solver.stats().running === 0);
  const next = kinds(await solveAs("10.2.2.1", `${base}/cases/${LARGE}/solve?d=2:3`));
  t.strictSame([...next.slice(0, 2), next.at(-1)], ["queued", "solving", "done"], "it begins; the deadline may end it");
});

t.test("data replaced while the server runs do not affect it", async (t) => {
  const folder = await stagedFolder(t);
  const server = await served(t, {}, { catalogue: await readCatalogue(folder) });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api`;
  const paths = ["case", "network", "solution", "sensitivity/lmp/d/2"];
  const read = async () => {
    const all: string[] = [];
    for (const path of paths) {
      const answer = await get(`${base}/cases/three/${path}`, { "accept-encoding": "identity" });
      const body = await bodyOf(answer);
      all.push(
        `${answer.statusCode} ${String(answer.headers.etag)} ${createHash("sha256").update(body).digest("hex")}`,
      );
    }
    return all;
  };
  const before = await read();
  t.ok(before.every((line) => line.startsWith("200 ")));

  // Another staging replaces the folder; then the folder is removed.
  const other = await stagedFolder(t);
  await writeFile(join(other, "three.module.json"), "{}");
  await rename(folder, `${folder}-old`);
  t.teardown(() => rm(`${folder}-old`, { recursive: true, force: true }));
  await rename(other, folder);
  t.strictSame(await read(), before, "what runs goes on with what it has read");
  await rm(folder, { recursive: true });
  t.strictSame(await read(), before);
  t.equal((await get(`${base}/health`)).statusCode, 200);

  // The next start reads the present content.
  await mkdir(folder);
  await rename(`${folder}-old/catalogue.json`, join(folder, "catalogue.json"));
  await rename(`${folder}-old/three.module.json`, join(folder, "three.module.json"));
  const next = createServer({ config: testConfig(), catalogue: await readCatalogue(folder) });
  t.teardown(() => next.close());
  await next.ready();
  const health = await next.inject("/api/health");
  t.equal(health.statusCode, 503);
  t.match(health.json(), { status: "degraded", cases: ["three"], unavailable: [{ id: "named", reason: /\w/ }] });
});

t.test("a folder can be staged twice at once while servers read it", async (t) => {
  const folder = await stagedFolder(t);
  const data = join(folder, "data");
  const files = await Promise.all(
    ["a", "b", "c"].map(async (name, k) => {
      const path = join(folder, `${name}.m`);
      const text = (await fixture("three_bus_isolated.m")).toString();
      await writeFile(path, text.replaceAll("\t90\t", `\t${90 - k}\t`));
      await writeFile(join(folder, `${name}.csv`), "bus,lat,lon\n1,35,-80\n2,36,-80\n3,36,-81\n4,35,-81\n");
      return `${path},${join(folder, `${name}.csv`)}`;
    }),
  );
  const [a = "", b = "", c = ""] = files;
  await stageData(data, { from: [a, b] });
  let staging = true;
  const reading = (async () => {
    const seen = new Set<string>();
    const bad: string[] = [];
    while (staging) {
      const cases = await readCatalogue(data);
      seen.add(cases.map(({ entry }) => entry.id).join());
      bad.push(...cases.flatMap(({ unavailable }) => unavailable?.key ?? []));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return { seen, bad };
  })();
  for (const [one, other] of [
    [[c], [a, b]],
    [[b, c], [a]],
    [[a], [c, b]],
  ] as const)
    await Promise.all([stageData(data, { from: one }), stageData(data, { from: other })]);
  staging = false;
  const { seen, bad } = await reading;
  t.strictSame(bad, [], "every reading was whole");
  t.ok(
    [...seen].every((ids) => ["a", "b", "c", "a,b", "b,c"].includes(ids)),
    [...seen].join(" | "),
  );
  const last = await readCatalogue(data);
  t.ok(["a", "b,c"].includes(last.map(({ entry }) => entry.id).join()));
});
