// The companion server: start to the first answer, health while others solve, solves and readers. There are no peers
// with the same service.
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { Agent, get as httpGet } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { cells, markdown, ms, percentile } from "./table.mjs";

/** Goals, milliseconds: a violation fails the run. */
const GOALS = { "warm start": 1000, "health under load": 100 };
const CLIENTS = 50;
/** Number of streams of each client in the load on one case. */
const STREAMS = 4;
const READERS = 200;
const BIN = at("server", "bin", "wattbook-server.mjs");

export async function server(context) {
  if (!existsSync(at("server", "dist", "server.mjs"))) throw new SetupError("The server is not built: npm run build.");
  const folder = await mkdtemp(join(tmpdir(), "wattbook-bench-"));
  try {
    const data = join(folder, "data");
    const what = await stage(data);
    const rows = [
      ...(await starts(context, data)),
      ...(await underLoad(context, data)),
      ...(await readers(context, data)),
    ];
    // The median of a few starts, and nearly all of many answers.
    const failures = rows
      .filter(({ measure, p50, p99 }) => measure in GOALS && (p99 ?? p50) >= GOALS[measure])
      .map(
        ({ measure, scope, p50, p99 }) =>
          `${measure} (${scope}): ${ms(p99 ?? p50)} ms, the goal is ${GOALS[measure]} ms`,
      );
    return { rows, markdown: page(context, what, rows), tables: { server: cells(COLUMNS, rows) }, failures };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Stages the grids, or the benchmark cases where no grids are built; returns which. */
async function stage(data) {
  if (existsSync(at("server", "dist", "grids", "catalogue.json"))) {
    await promisify(execFile)(process.execPath, [BIN, "stage-data", data]);
    return "the four grids";
  }
  await cp(at("server", "dist", "fallback"), data, { recursive: true });
  return "the two benchmark cases (no grids are built)";
}

/** A server process over `data`, and the time to its first health answer. */
async function started(data) {
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("SERVICE_"))),
    ...{ SERVICE_DATA: data, SERVICE_PORT: "0", SERVICE_SERVER_COMPUTE: "1", SERVICE_SOLVER_TIMEOUT_SECS: "600" },
    ...{ SERVICE_SOLVE_RATE_LIMIT_EVENTS: "100000", SERVICE_LOG_LEVEL: "info" },
  };
  const since = performance.now();
  const child = spawn(process.execPath, [BIN, "serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let output = "";
  const base = await new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const found = /Server listening at (http:[^"]+)/.exec(output)?.[1];
      if (found) resolve(`${found}/api`);
    });
    void ended.then((code) => reject(new Error(`the server ended with ${code}: ${output}`)));
  });
  const { status } = await ask(`${base}/health`);
  if (status !== 200) throw new Error(`health answers ${status}`);
  const firstMs = performance.now() - since;
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { base, firstMs, stop };
}

async function starts({ repeats }, data) {
  const measured = async (before) => {
    const times = [];
    for (let k = 0; k < repeats; k += 1) {
      await before();
      const { firstMs, stop } = await started(data);
      times.push(firstMs);
      await stop();
    }
    return { n: repeats, p50: percentile(times, 50), most: Math.max(...times) };
  };
  const cold = await measured(() => rm(join(data, "base"), { recursive: true, force: true }));
  const warm = await measured(() => undefined);
  return [
    { measure: "cold start", scope: "all cases", ...cold },
    { measure: "warm start", scope: "all cases", ...warm },
  ];
}

/** Clients that solve, each with separate edits, while another thread requests health all the time. */
async function underLoad({ wanted }, data) {
  const { base, stop } = await started(data);
  const rows = [];
  try {
    const cases = (await ask(`${base}/cases`)).json().filter(({ id }) => wanted(id));
    for (const { id, n_bus } of cases) {
      const network = (await ask(`${base}/cases/${id}/network`)).json();
      const buses = network.buses.filter(({ demand_mw, editable }) => editable && demand_mw > 0).map((bus) => bus.id);
      const probe = new Worker(new URL(import.meta.url), { workerData: { probe: `${base}/health` } });
      const since = performance.now();
      const times = [];
      await Promise.all(
        Array.from({ length: CLIENTS }, async (_, client) => {
          for (let k = 0; k < STREAMS; k += 1) {
            const bus = buses[(client * STREAMS + k) % buses.length];
            const from = performance.now();
            const headers = { accept: "text/event-stream", "x-forwarded-for": `10.0.0.${client}` };
            const { text } = await ask(`${base}/cases/${id}/solve?d=${bus}:${0.1 * (k + 1)}&sens=${bus}`, headers);
            if (!text().endsWith('data: {"ok":true}\n\n')) throw new Error(`${id}: a stream without its end`);
            times.push(performance.now() - from);
          }
        }),
      );
      const took = performance.now() - since;
      probe.postMessage("stop");
      const health = await new Promise((resolve) => probe.once("message", resolve));
      const scope = `${id}, ${n_bus} buses`;
      rows.push(
        { measure: "health under load", scope, n: health.length, ...percentiles(health) },
        {
          measure: "solve stream",
          scope,
          n: times.length,
          ...percentiles(times),
          perSecond: times.length / (took / 1000),
        },
      );
    }
  } finally {
    await stop();
  }
  return rows;
}

/** Many readers of the largest map view at once. */
async function readers({ wanted }, data) {
  const { base, stop } = await started(data);
  try {
    const cases = (await ask(`${base}/cases`)).json().filter(({ id }) => wanted(id));
    const largest = cases.sort((a, b) => b.n_bus - a.n_bus)[0];
    if (!largest) return [];
    const since = performance.now();
    const answers = await Promise.all(
      Array.from({ length: READERS }, async () => {
        const from = performance.now();
        const { body } = await ask(`${base}/cases/${largest.id}/network`, { "accept-encoding": "gzip" });
        return { time: performance.now() - from, bytes: body.length };
      }),
    );
    const perSecond = READERS / ((performance.now() - since) / 1000);
    const scope = `${largest.id}, ${(answers[0].bytes / 1024).toFixed(0)} KB gzip`;
    return [
      {
        measure: `${READERS} readers of /network`,
        scope,
        n: READERS,
        ...percentiles(answers.map(({ time }) => time)),
        perSecond,
      },
    ];
  } finally {
    await stop();
  }
}

const percentiles = (times) => ({ p50: percentile(times, 50), p99: percentile(times, 99), most: Math.max(...times) });

const agent = new Agent({ keepAlive: true });

/** Sends a GET and reads the answer to its end. */
function ask(url, headers = {}) {
  return new Promise((resolve, reject) => {
    httpGet(url, { agent, headers }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const body = Buffer.concat(chunks);
        resolve({ status: answer.statusCode, body, text: () => body.toString(), json: () => JSON.parse(body) });
      });
    }).on("error", reject);
  });
}

const COLUMNS = {
  measure: (row) => row.measure,
  of: (row) => row.scope,
  requests: (row) => String(row.n),
  "p50 ms": (row) => ms(row.p50),
  "p99 ms": (row) => ms(row.p99),
  "most ms": (row) => ms(row.most),
  "per second": (row) => (row.perSecond === undefined ? "-" : row.perSecond.toFixed(1)),
};

function page({ versions, repeats }, what, rows) {
  // The last rows are those of the readers of the largest case.
  const [largest] = rows.at(-1).scope.split(",");
  const table = markdown(
    COLUMNS,
    rows.filter(({ scope }) => scope === "all cases" || scope.startsWith(`${largest},`)),
  );
  return `# Benchmark: the server

One server process with two solver threads over ${what}, and its clients, on one machine. *Start* ends with the first response of \`/api/health\`, cold without stored base solutions, warm with them (goal: ${GOALS["warm start"]} ms). *Health under load* is requested by a separate thread, one request after the other, while ${CLIENTS} clients with addresses of their own solve ${STREAMS} edits each, with a sensitivity column (goal for p99: ${GOALS["health under load"]} ms). *Solve stream* is one of those, with its wait in the queue; *per second* is the total. The table has the largest grid; [data/server.csv](data/server.csv) has all.

${table}

Measured on ${new Date().toISOString().slice(0, 10)} with wattbook ${versions.wattbook}, node ${versions.node}; ${repeats} starts of each kind.
`;
}

/** The thread that requests health until it is stopped. */
async function probe(url) {
  let going = true;
  parentPort.once("message", () => (going = false));
  const times = [];
  while (going) {
    const from = performance.now();
    const { status } = await ask(url);
    if (status !== 200) throw new Error(`health answers ${status}`);
    times.push(performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  parentPort.postMessage(times);
}

if (!isMainThread && workerData?.probe) await probe(workerData.probe);
