/* global window -- what `evaluate` is given runs in the page */
// The map in Chromium: frames while a hand moves slider, map and wheel on the large grids, and the main thread's share
// of a recolouring. Without a graphics card the main thread draws the network, so its time includes the drawing.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { cells, markdown, ms, percentile, times } from "./table.mjs";

const GRIDS = ["illinois", "texas", "california"];
const ACTIONS = ["idle", "pan", "drag", "zoom"];
/** The renderer of the ground below the network, and its setting. */
const GROUNDS = { canvas: "never", maplibre: "always" };
const FRAMES = 90;
const SIZE = { width: 1400, height: 700 };
/** Elements of the recolouring alone. */
const ELEMENTS = [9_000, 80_000];
/**
 * With a graphics card pan and drag reach 60 frames a second (with 5 % for the clock) and leave the main thread half of
 * each; without one they reach 30, including drawing. A recolouring of 80,000 elements has a bound on the main thread.
 */
const GOALS = { card: { frame_ms: 17.5, thread_ms: 8 }, software: { frame_ms: 33.5, thread_ms: 16 }, recolour_ms: 8 };

export async function map(context) {
  const missing = ["engine/lib/engine.worker.js", "widgets/basemap/basemap.json"].filter(
    (path) => !existsSync(at(path)),
  );
  if (missing.length > 0) throw new SetupError(`${missing.join(", ")}: not built yet; run \`npm run setup\` first.`);
  const startMapPage = await pageServer();
  const cases = casesWanted(context);
  const server = await startMapPage(Object.fromEntries(cases.flatMap(({ files }) => Object.entries(files))));
  try {
    const { page, complaints } = await server.open("light", SIZE);
    const renderer = await page.evaluate(() => window.mapPage.rendererName());
    const software = /swiftshader|llvmpipe|software|basic render/i.test(renderer);
    const rows = [];
    for (const one of cases) for (const ground of Object.keys(GROUNDS)) rows.push(...(await onCase(page, one, ground)));
    rows.push(...(await recolouring(server, context)));
    if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join("; ")}`);
    return {
      rows,
      markdown: sheet(rows, renderer, software, server.browser.version()),
      tables: { map: cells(columns(rows), rows) },
      failures: failures(rows, software),
    };
  } finally {
    await server.stop();
  }
}

/** The server of the map's tests, which is TypeScript. */
export async function pageServer() {
  const folder = at(".bench", "map", "page"); // as deep as the sources, from which it finds the top folder
  mkdirSync(folder, { recursive: true });
  const outfile = `${folder}/serve.mjs`;
  const entry = at("tests", "widgets", "mapPage", "serve.ts");
  await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", packages: "external" });
  return (await import(pathToFileURL(outfile))).startMapPage;
}

function casesWanted({ wanted }) {
  const data = process.env.WATTBOOK_DATA ?? at("..", "shared", "data");
  const grids = GRIDS.map((name) => ({ name, path: at("server", "grids", `${name}.json.gz`) }))
    .filter(({ path }) => existsSync(path))
    .map(({ name, path }) => ({
      name,
      files: { [`${name}.json`]: gunzipSync(readFileSync(path)) },
      open: [`/files/${name}.json`, "module"],
    }));
  const cats = {
    name: "CATS",
    files: { "cats.m": `${data}/cats/CaliforniaTestSystem.m`, "cats.csv": `${data}/cats/CATS_buses.csv` },
    open: ["/files/cats.m", "matpower", "/files/cats.csv"],
  };
  const all = [...grids, ...(existsSync(cats.files["cats.m"]) ? [cats] : [])];
  const cases = all.filter(({ name }) => wanted(name));
  if (cases.length === 0 && !wanted("recolour"))
    throw new SetupError(`No such case; there are ${all.map(({ name }) => name).join(", ")}.`);
  return cases;
}

async function onCase(page, { name, open }, ground) {
  const counts = await page.evaluate(
    async ([how, drawn]) => {
      window.mapPage.mapSettings.ground = drawn;
      const session = await window.mapPage.openSession(...how);
      const { buses, branches } = session.opened;
      const bus = buses.find(({ editable, demand_mw }) => editable && demand_mw > 20) ?? buses[0];
      window.session = session;
      window.map = window.mapPage.showMap(session, { quantity: "lmp", height: 560 });
      await session.select({ kind: "bus", id: bus.id });
      return { buses: buses.length, branches: branches.length };
    },
    [open, GROUNDS[ground]],
  );
  await page.locator(`.wb-Stage[data-ground=${ground}]`).waitFor({ timeout: 120_000 });
  await page.locator(".wb-Attribution:not([hidden])").waitFor();
  await page.waitForTimeout(2000);
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const rows = [];
  for (const action of ACTIONS) {
    const before = await metrics(client);
    const frames = await page.evaluate(
      ([what, count]) => window.mapPage.frames(window.session, window.map, what, count),
      [action, FRAMES],
    );
    const after = await metrics(client);
    const thread = (key) => (1000 * (after[key] - before[key])) / FRAMES;
    const mean = frames.reduce((sum, time) => sum + time, 0) / frames.length;
    const frame = { mean, p50: percentile(frames, 50), p95: percentile(frames, 95) };
    rows.push({ case: name, ground, action, ...counts, ...frame, thread_ms: thread("TaskDuration") });
    await page.waitForTimeout(500);
  }
  await page.evaluate(() => {
    window.map.dispose();
    window.mapPage.workspace.closeSession(window.session);
  });
  return rows;
}

async function metrics(client) {
  const { metrics: list } = await client.send("Performance.getMetrics");
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}

async function recolouring(server, { wanted }) {
  if (!wanted("recolour")) return [];
  const { page } = await server.open("light", SIZE); // a page that has not lost WebGL yet
  await page.evaluate(() => window.mapPage.pretendCard());
  const rows = [];
  for (const renderer of ["webgl2", "canvas"]) {
    for (const count of ELEMENTS) {
      const taken = await page.evaluate(
        ([elements, how]) => window.mapPage.recolour(elements, 15, how),
        [count, renderer],
      );
      const thread = Math.min(...taken);
      rows.push({ case: "recolour", action: renderer, buses: count, branches: count, thread_ms: thread });
    }
  }
  return rows;
}

function failures(rows, software) {
  const found = [];
  const goals = software ? GOALS.software : GOALS.card;
  for (const { case: name, ground, action, p50, buses, thread_ms } of rows) {
    // Without a card MapLibre draws only on request, because it never reaches 17 ms there.
    if ((action === "pan" || action === "drag") && !(software && ground === "maplibre")) {
      if (p50 > goals.frame_ms)
        found.push(`${name}, ${action}: a frame takes ${ms(p50)} ms, the goal is ${goals.frame_ms}`);
      if (thread_ms > goals.thread_ms)
        found.push(`${name}, ${action}: ${ms(thread_ms)} ms of the main thread, the goal is ${goals.thread_ms}`);
    }
    if (action === "webgl2" && buses === 80_000 && thread_ms > GOALS.recolour_ms)
      found.push(`80,000 elements: ${ms(thread_ms)} ms for a recolouring, the goal is ${GOALS.recolour_ms}`);
  }
  return found;
}

/** Titles of the table and the contents of its cells. */
function columns(rows) {
  const pan = (row) =>
    rows.find((other) => other.case === row.case && other.ground === row.ground && other.action === "pan");
  return {
    case: (row) => row.case,
    ground: (row) => row.ground ?? "-",
    action: (row) => row.action,
    buses: (row) => row.buses,
    branches: (row) => row.branches,
    "frame, ms": (row) => ms(row.mean),
    "frame p50, ms": (row) => ms(row.p50),
    "frame p95, ms": (row) => ms(row.p95),
    "main thread, ms a frame": (row) => ms(row.thread_ms),
    "of a pan": (row) => (row.mean === undefined ? "-" : times(row.mean / pan(row).mean)),
  };
}

/**
 * The largest case, one line for each ground: median and 95th percentile of a frame, and the main thread's time, for
 * each action.
 */
function summary(rows) {
  const pans = rows.filter((row) => row.action === "pan");
  const largest = Math.max(...pans.map((row) => row.buses));
  const shown = pans.filter((row) => row.buses === largest);
  const of = (action) => (row) => {
    const one = rows.find(
      (other) => ["case", "ground"].every((key) => other[key] === row[key]) && other.action === action,
    );
    return one === undefined ? "-" : `${ms(one.p50)} / ${ms(one.p95)} / ${ms(one.thread_ms)}`;
  };
  const { case: name, buses, ground } = columns(rows);
  return markdown({ case: name, buses, ground, pan: of("pan"), drag: of("drag"), zoom: of("zoom") }, shown);
}

function sheet(rows, renderer, software, chromium) {
  const recoloured = rows
    .filter((row) => row.case === "recolour")
    .map((row) => `${ms(row.thread_ms)} ms for ${row.buses} buses (\`${row.action}\`)`);
  return `# Benchmark: the map

${FRAMES} frames each in Chromium ${chromium} at ${SIZE.width} x 560 pixels: the map is panned, the slider of a bus is dragged (first-order preview, which recolours every bus), the wheel zooms in and out. Cells are the median and the 95th percentile of a frame and the main thread's processor time a frame, in ms. ${
    software
      ? "Without a graphics card the drawing of the network is part of it."
      : "A graphics card draws the network."
  }

\`ground\` names what draws the ground below the network: \`canvas\` the plain basemap, \`maplibre\` MapLibre GL${
    software ? ", here on the processor, only on request; the goals are those of the plain basemap" : ""
  }. The table has the largest network.

${summary(rows)}

One change of all colours (\`canvas\` draws all buses): ${recoloured.join(", ")}. [data/map.csv](data/map.csv) has every network, with frames at rest.

Renderer: ${renderer}. Measured on ${new Date().toISOString().slice(0, 10)}.
`;
}
