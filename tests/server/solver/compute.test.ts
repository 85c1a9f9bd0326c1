// Gate, order of checks, both sensitivity routes, and every refusal of an edit.
import t from "tap";
import { createNodeEngine, type SensitivityColumn } from "@service/engine/node";
import { readCatalogue } from "@service/server";
import { tiedThreeBus } from "../../fixtures/cases.ts";
import { served, stagedFolder, STUCK_WORKER } from "../served.ts";

const ROUTES = ["sensitivity/lmp/d/2", "sensitivity/lmp/fmax/2", "solve"];

t.test("the gate", async (t) => {
  const server = await served(t, { serverCompute: false, solveRateLimitEvents: 1, sensitivityRateLimitEvents: 1 });
  for (const route of ROUTES) {
    for (const url of [
      `/api/cases/three/${route}`,
      `/api/cases/three/${route}`,
      `/api/cases/none/${route}?x=1&d=bad`,
    ]) {
      const answer = await server.inject(url);
      t.equal(answer.statusCode, 403, `${url}: the gate comes before everything`);
      t.match(answer.json(), { code: "COMPUTE.DISABLED", error: /SERVICE_SERVER_COMPUTE=1/ });
    }
  }
});

t.test("order of checks", async (t) => {
  const server = await served(t, { sensitivityRateLimitEvents: 3 });
  const code = async (url: string) => (await server.inject(url)).json<{ code: string }>().code;
  t.equal(await code("/api/cases/none/sensitivity/lmp/d/99?d=bad&x=1"), "CASE.UNKNOWN");
  t.equal(await code("/api/cases/three/sensitivity/lmp/d/99?d=bad&x=1"), "BUS.UNKNOWN");
  t.equal(await code("/api/cases/three/sensitivity/lmp/d/2?d=bad"), "DELTA.MALFORMED");
  t.equal(await code("/api/cases/none/sensitivity/lmp/d/99?d=bad"), "RATE.LIMITED", "the limit comes before the ids");
});

const near = (values: number[], wanted: number[]) =>
  values.length === wanted.length && values.every((value, k) => Math.abs(value - (wanted[k] ?? NaN)) < 1e-6);

t.test("columns are the closed forms", async (t) => {
  const server = await served(t);
  const demand = (await server.inject("/api/cases/three/sensitivity/lmp/d/2")).json<SensitivityColumn>();
  t.match(demand, { case: "three", operand: "lmp", parameter: "d", bus: 2, units: "($/MWh)/MW" });
  t.ok(near(demand.values.map(({ value }) => value).slice(0, 3), [0.44, 1.05, -0.17]));
  t.equal(demand.warrant.kind, "regular");

  const rating = (await server.inject("/api/cases/three/sensitivity/lmp/fmax/2")).json<SensitivityColumn>();
  t.match(rating, { case: "three", operand: "lmp", parameter: "fmax", branch: 2 });
  t.ok(near(rating.values.map(({ value }) => value).slice(0, 3), [-0.66, -1.83, 0.51]));

  // 90 MW less 30: the line no longer binds, and all prices respond equally.
  const edited = (await server.inject("/api/cases/three/sensitivity/lmp/d/2?d=2:-30")).json<SensitivityColumn>();
  t.ok(near(edited.values.map(({ value }) => value).slice(0, 3), [0.0958974359, 0.0958974359, 0.0958974359]));
});

t.test("an element by uid, percent-encoded", async (t) => {
  const server = await served(t);
  const bus = await server.inject(`/api/cases/named/sensitivity/lmp/d/${encodeURIComponent("load:bus/2")}`);
  t.match(bus.json(), { bus: 2 });
  const branch = await server.inject(`/api/cases/named/sensitivity/lmp/fmax/${encodeURIComponent("line 2-3")}`);
  t.match(branch.json(), { branch: 2 });
  const edit = await server.inject(`/api/cases/named/sensitivity/lmp/d/2?d=${encodeURIComponent("load:bus/2:-30")}`);
  t.ok(
    near(
      edit
        .json<SensitivityColumn>()
        .values.map(({ value }) => value)
        .slice(0, 1),
      [0.0958974359],
    ),
  );
  const twice = await server.inject(`/api/cases/named/sensitivity/lmp/d/2?d=2:1,${encodeURIComponent("load:bus/2:1")}`);
  t.match(twice.json(), { code: "DELTA.DUPLICATE" }, "two spellings of one bus");
});

t.test("the refusals of d, on the sensitivity routes and on the stream", async (t) => {
  const server = await served(t);
  const refusals = {
    "2": "DELTA.MALFORMED",
    "2:": "DELTA.MALFORMED",
    ":5": "DELTA.MALFORMED",
    "2:5,": "DELTA.MALFORMED",
    "2:five": "DELTA.MALFORMED",
    "2:0x10": "DELTA.MALFORMED",
    "2:1e999": "DELTA.MALFORMED",
    "2:NaN": "DELTA.MALFORMED",
    "2:Infinity": "DELTA.MALFORMED",
    "2:1&d=3:1": "DELTA.MALFORMED",
    "2:1,2:2": "DELTA.DUPLICATE",
    "99:1": "DELTA.UNKNOWN_BUS",
    "name:1": "DELTA.UNKNOWN_BUS",
    "4:1": "DELTA.ISOLATED_BUS",
    "2:-90.5": "DELTA.NEGATIVE_DEMAND",
  };
  for (const [d, code] of Object.entries(refusals)) {
    for (const route of ROUTES) {
      const answer = await server.inject(`/api/cases/three/${route}?d=${d}`);
      t.equal(answer.statusCode, 400, `${route}?d=${d}`);
      t.equal(answer.json<{ code: string }>().code, code, `${route}?d=${d}`);
      t.match(answer.headers["content-type"], /^application\/json/);
    }
  }
});

t.test("the forms of d", async (t) => {
  const server = await served(t);
  for (const d of ["", "2:1", "2:+1", "2:%2B1", "2:-60", "2:1e1", "2:.5", "2:5.", "%202%20:%201", "1:1,2:2,3:3"]) {
    const answer = await server.inject(`/api/cases/three/sensitivity/lmp/d/2?d=${d}`);
    t.equal(answer.statusCode, 200, `d=${d}: ${answer.statusCode === 200 ? "" : answer.body}`);
  }
});

t.test("the other query parameters", async (t) => {
  const server = await served(t);
  const refusals = {
    "sensitivity/lmp/d/2?x=1": [400, "QUERY.UNKNOWN"],
    "sensitivity/lmp/d/2?rates=2:1": [400, "QUERY.UNKNOWN"],
    "solve?x=1": [400, "QUERY.UNKNOWN"],
    "solve?rates=2": [400, "RATE.MALFORMED"],
    "solve?rates=2:1&rates=1:1": [400, "RATE.MALFORMED"],
    "solve?rates=2:1,2:1": [400, "RATE.DUPLICATE"],
    "solve?rates=9:1": [400, "RATE.UNKNOWN_BRANCH"],
    "solve?rates=4:1": [400, "RATE.OUT_OF_SERVICE"],
    "solve?rates=2:-40": [400, "RATE.NOT_POSITIVE"],
    "solve?sens=9": [404, "BUS.UNKNOWN"],
    "solve?sens=4": [400, "DELTA.ISOLATED_BUS"],
    "solve?sens_branch=9": [404, "BRANCH.UNKNOWN"],
    "solve?sens_branch=4": [400, "RATE.OUT_OF_SERVICE"],
    "solve?sens=2&sens_branch=2": [400, "QUERY.MALFORMED"],
    "solve?sens=2&sens=3": [400, "QUERY.MALFORMED"],
    "sensitivity/lmp/d/4": [400, "DELTA.ISOLATED_BUS"],
    "sensitivity/lmp/d/2-": [404, "BUS.UNKNOWN"],
    "sensitivity/lmp/fmax/0": [404, "BRANCH.UNKNOWN"],
    "sensitivity/lmp/fmax/4": [400, "RATE.OUT_OF_SERVICE"],
  } as const;
  for (const [path, [status, code]] of Object.entries(refusals)) {
    const answer = await server.inject(`/api/cases/three/${path}`);
    t.equal(answer.statusCode, status, path);
    t.match(answer.json(), { code, error: /\w/ }, path);
  }
});

t.test("a line without impedance and rating has no rating to change", async (t) => {
  const { module_json } = await createNodeEngine().ingestCase(await tiedThreeBus(), "matpower");
  const catalogue = await readCatalogue(await stagedFolder(t, { tied: module_json }));
  const server = await served(t, {}, { catalogue });
  const network = (await server.inject("/api/cases/tied/network")).json<{ branches: { rate_mw: number | null }[] }>();
  t.strictSame(
    network.branches.map(({ rate_mw }) => rate_mw),
    [250, 250, 250, null],
  );
  for (const path of ["solve?rates=4:5", "solve?sens_branch=4", "sensitivity/lmp/fmax/4"]) {
    const answer = await server.inject(`/api/cases/tied/${path}`);
    t.equal(answer.statusCode, 400, path);
    t.match(answer.json(), { code: "EDIT.NOT_EDITABLE", error: /^Line 4 has no impedance, and the file gives it no/ });
  }
});

t.test("numbers in messages have no rounding errors", async (t) => {
  const server = await served(t);
  const bodyOf = async (query: string) =>
    (await server.inject(`/api/cases/three/solve?${query}`)).json<{ error: string }>();
  t.match(await bodyOf("rates=2:-229.99999999999997"), {
    error: "The rating of line 2 is 40 MW; a change of −230 MW would make it zero or negative.",
  });
  t.match(await bodyOf("d=2:-110.00000000000001"), {
    error: "The demand at bus 2 is 90 MW; a change of −110 MW would make it negative.",
  });
  t.match(await bodyOf("d=2:-90.125"), {
    error: "The demand at bus 2 is 90 MW; a change of −90.125 MW would make it negative.",
  });
});

t.test("a state without a solution", async (t) => {
  const server = await served(t);
  const answer = await server.inject("/api/cases/three/sensitivity/lmp/d/2?d=2:1000");
  t.equal(answer.statusCode, 422);
  t.match(answer.json(), { code: "SOLVE.INFEASIBLE", error: /MW/ });
});

t.test("the deadline includes waiting and solving", async (t) => {
  const server = await served(t, { solverTimeoutSecs: 0.5, solverConcurrency: 1 }, { worker: STUCK_WORKER });
  const started = Date.now();
  const [solving, waiting] = await Promise.all([
    server.inject("/api/cases/three/sensitivity/lmp/d/2?d=2:1.5"),
    server.inject("/api/cases/three/sensitivity/lmp/d/2?d=2:1"),
  ]);
  t.ok(Date.now() - started < 1500, "both at the deadline");
  for (const answer of [solving, waiting]) {
    t.equal(answer.statusCode, 503);
    t.ok(Number(answer.headers["retry-after"]) > 0);
    t.match(answer.json(), { code: "SOLVE.TIMEOUT" });
  }
  t.match(server.solver.stats(), { waiting: 0, ended: 1 });
});

t.test("a dead solver thread fails its request and is replaced", async (t) => {
  const server = await served(t, { solverConcurrency: 1 }, { worker: STUCK_WORKER });
  const answer = await server.inject("/api/cases/three/sensitivity/lmp/d/2?d=2:2.5");
  t.equal(answer.statusCode, 500);
  t.match(answer.json(), { code: "INTERNAL", sentence: { key: "service.internal" } });
  t.equal(
    (await server.inject("/api/cases/three/sensitivity/lmp/d/2")).statusCode,
    200,
    "the next finds another thread",
  );
});

t.test("HEAD answers without solving", async (t) => {
  const server = await served(t);
  for (const [route, type] of [
    ["sensitivity/lmp/d/2", "application/json; charset=utf-8"],
    ["solve", "text/event-stream"],
  ] as const) {
    const answer = await server.inject({ method: "HEAD", url: `/api/cases/three/${route}` });
    t.match(answer, { statusCode: 200, body: "" });
    t.equal(answer.headers["content-type"], type);
  }
  t.equal((await server.inject({ method: "HEAD", url: "/api/cases/three/solve?d=99:1" })).statusCode, 400);
});
