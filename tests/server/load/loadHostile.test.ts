// Ten thousand hostile requests over real connections: every answer is complete, has a code and no internals, and none
// is a 500.
import type { AddressInfo } from "node:net";
import t from "tap";
import { Compile } from "typebox/compile";
import { ErrorReply } from "@service/server";
import { hostileRequests, type HostileRequest } from "./hostileRequests.ts";
import { RawClient, type RawAnswer } from "../rawClient.ts";
import { served } from "../served.ts";

const COUNT = 10_000;
const SEED = 20_261_121;
const CONNECTIONS = 8;

const isError = Compile(ErrorReply);
const EXPECTED = new Set([200, 304, 400, 404, 405, 406, 414, 421, 422, 431]);
/** Traces, files and names of internals. */
const INTERNALS = /\n\s+at |node:|node_modules|\/src\/|\.mjs|\.ts\b|Cannot read|is not a function|wasm|panicked/;

/** The problem of an answer; undefined without one. */
function complaint({ method }: HostileRequest, { status, headers, body }: RawAnswer): string | undefined {
  if (!EXPECTED.has(status)) return `status ${status}`;
  if (headers.has("set-cookie")) return "a cookie";
  if (status === 304 || method === "HEAD") return undefined;
  const type = headers.get("content-type") ?? "";
  if (status === 200 && type === "text/event-stream")
    return body.toString().includes("event: done\n") ? undefined : "a stream without an end";
  if (headers.has("content-encoding")) return status === 200 ? undefined : "a compressed error";
  if (type !== "application/json; charset=utf-8") return `type ${type}`;
  const value: unknown = JSON.parse(body.toString());
  if (status === 200) return undefined;
  if (!isError.Check(value)) return "an error of another shape";
  if (INTERNALS.test(value.error)) return "internals";
  if (value.error.length > 600) return "a long sentence";
  return status === 405 && headers.get("allow") !== "GET, HEAD" ? "no Allow" : undefined;
}

t.test("hostile requests", async (t) => {
  const server = await served(t, { solverTimeoutSecs: 60 });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const requests = hostileRequests(COUNT, SEED);
  const found: string[] = [];
  const statuses = new Map<number, number>();
  const worker = async () => {
    const client = new RawClient(port);
    for (const request of requests) {
      const { method, target, headers } = request;
      let wrong: string | undefined;
      try {
        const answer = await client.ask(method, target, headers);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        wrong = complaint(request, answer);
        if (wrong) wrong += `: ${answer.body.toString().slice(0, 300)}`;
      } catch (error) {
        wrong = (error as Error).message;
        client.close();
      }
      if (wrong !== undefined) found.push(`${method} ${target.slice(0, 300)} ${JSON.stringify(headers)}: ${wrong}`);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  t.comment(
    [...statuses]
      .sort()
      .map(([status, count]) => `${status}: ${count}`)
      .join(", "),
  );
  t.strictSame(found.slice(0, 20), [], `${found.length} of ${COUNT}`);
  t.equal(
    [...statuses.values()].reduce((sum, count) => sum + count, 0),
    COUNT,
    "every request was answered",
  );
  for (const [status, least] of [
    [200, 500],
    [400, 500],
    [404, 1000],
    [405, 100],
    [414, 1],
  ] as const)
    t.ok((statuses.get(status) ?? 0) >= least, `at least ${least} answers of ${status}: the requests reach all of it`);
  t.equal((await fetch(`http://127.0.0.1:${port}/api/health`)).status, 200, "still there");
  t.match(server.solver.stats(), { running: 0, waiting: 0 });
});
