// Rate limits: counts, headers, windows. Identity of clients: clients.test.ts.
import t from "tap";
import { served } from "../served.ts";

const SENSITIVITY = "/api/cases/three/sensitivity/lmp/d/2";

t.test("the limit of the sensitivity routes is one for both", async (t) => {
  const server = await served(t, { sensitivityRateLimitEvents: 2, rateLimitWindowSecs: 7 });
  const first = await server.inject(SENSITIVITY);
  t.match(first.headers, { "ratelimit-limit": 2, "ratelimit-remaining": 1, "ratelimit-reset": 7 });
  const second = await server.inject("/api/cases/three/sensitivity/lmp/fmax/2");
  t.equal(Number(second.headers["ratelimit-remaining"]), 0);
  const third = await server.inject(SENSITIVITY);
  t.equal(third.statusCode, 429);
  t.match(third.json(), { code: "RATE.LIMITED", error: /try again in \d+ s/ });
  t.match(third.headers, { "ratelimit-limit": 2, "ratelimit-remaining": 0 });
  t.ok(Number(third.headers["retry-after"]) >= 1 && Number(third.headers["retry-after"]) <= 7);
  t.equal((await server.inject("/api/cases/three/solution")).statusCode, 200, "data is not limited");
});

t.test("the stream has its own limit", async (t) => {
  const server = await served(t, { solveRateLimitEvents: 1, sensitivityRateLimitEvents: 1 });
  t.equal((await server.inject(SENSITIVITY)).statusCode, 200);
  const first = await server.inject("/api/cases/three/solve");
  t.equal(first.statusCode, 200);
  t.equal(Number(first.headers["ratelimit-limit"]), 1);
  const second = await server.inject("/api/cases/three/solve");
  t.equal(second.statusCode, 429);
  t.match(second.headers["content-type"], /^application\/json/, "refused before the stream");
});

t.test("the limit is reset after its window", async (t) => {
  const server = await served(t, { sensitivityRateLimitEvents: 1, rateLimitWindowSecs: 0.5 });
  t.equal((await server.inject(SENSITIVITY)).statusCode, 200);
  t.equal((await server.inject(SENSITIVITY)).statusCode, 429);
  await new Promise((resolve) => setTimeout(resolve, 700));
  t.equal((await server.inject(SENSITIVITY)).statusCode, 200);
});

t.test("zero events mean no limit", async (t) => {
  const server = await served(t, { sensitivityRateLimitEvents: 0 });
  for (let k = 0; k < 40; k++) t.equal((await server.inject(SENSITIVITY)).statusCode, 200);
  t.equal((await server.inject(SENSITIVITY)).headers["ratelimit-limit"], undefined);
});
