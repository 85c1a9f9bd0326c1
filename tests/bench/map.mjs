/* global window -- what `evaluate` is given runs in the page */
// The map in Chromium: frames while a hand moves slider, map and wheel on the large grids, and the main thread's share of a recolouring.
// On software rendering frames take what the machine gives; compare them with those of panning the map.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { markdown, ms, percentile, times } from "./table.mjs";

const GRIDS = ["illinois", "texas", "california"];
const ACTIONS = ["idle", "pan", "drag", "zoom"];
const FRAMES = 90;
const SIZE = { width: 1400, height: 700 };
/** Elements of the recolouring alone. */
const ELEMENTS = [9_000, 80_000];
/**
 * On a graphics card a frame must hold 60 a second (with 5 % for the clock). In software a slider must not cost much more than
 * moving the map. A recolouring of 80,000 elements is bound on the main thread in both.
 */
const GOALS = { frame_ms: 17.5, drag_to_pan: 1.5, recolour_ms: 8 };

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
    const rows = [];
    for (const one of cases) rows.push(...(await onCase(page, one)));
    rows.push(...(await recolouring(page, context)));
    if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join("; ")}`);
    const software = /swiftshader|llvmpipe|software/i.test(renderer);
    return { rows, markdown: sheet(rows, renderer, server.browser.version()), failures: failures(rows, software) };
  } finally {
    await server.stop();
  }
}

/** The server of the map's tests, which is TypeScript. */
async function pageServer() {
  const folder = at(".bench", "map", "page"); // three deep, as the sources are: it finds the top folder from there
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

async function onCase(page, { name, open }) {
  const counts = await page.evaluate(async (how) => {
    const session = await window.mapPage.openSession(...how);
    const { buses, branches } = session.opened;
    const bus = buses.find(({ editable, demand_mw }) => editable && demand_mw > 20) ?? buses[0];
    window.session = session;
    window.map = window.mapPage.showMap(session, { quantity: "lmp", height: 560 });
    await session.select({ kind: "bus", id: bus.id });
    return { buses: buses.length, branches: branches.length };
  }, open);
  await page.locator(".wb-Attribution:not([hidden])").waitFor();
  await page.waitForTimeout(2000);
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const rows = [];
  for (const action of ACTIONS) {
    const before = await metrics(client);
    const { times: frames, copying } = await page.evaluate(
      ([what, count]) => window.mapPage.frames(window.session, window.map, what, count),
      [action, FRAMES],
    );
    const after = await metrics(client);
    const thread = (key) => (1000 * (after[key] - before[key])) / FRAMES;
    const mean = frames.reduce((sum, time) => sum + time, 0) / frames.length;
    const frame = { mean, p50: percentile(frames, 50), p95: percentile(frames, 95) };
    const copy_ms = copying / FRAMES;
    rows.push({ case: name, action, ...counts, ...frame, thread_ms: thread("TaskDuration") - copy_ms, copy_ms });
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

async function recolouring(page, { wanted }) {
  if (!wanted("recolour")) return [];
  const rows = [];
  for (const count of ELEMENTS) {
    const taken = await page.evaluate((elements) => window.mapPage.recolour(elements, 15), count);
    const thread = Math.min(...taken);
    rows.push({ case: "recolour", action: "recolour", buses: count, branches: count, thread_ms: thread });
  }
  return rows;
}

function failures(rows, software) {
  const found = [];
  const of = (name, action) => rows.find((row) => row.case === name && row.action === action);
  // Frames come at ticks of the screen's clock: ratios are of means.
  for (const { case: name, action, mean, p50, buses, thread_ms } of rows) {
    if (action === "drag" && !software && p50 > GOALS.frame_ms)
      found.push(`${name}: a frame takes ${ms(p50)} ms while dragging, the goal is ${GOALS.frame_ms}`);
    if (action === "drag" && software && mean > GOALS.drag_to_pan * of(name, "pan").mean)
      found.push(`${name}: dragging takes ${times(mean / of(name, "pan").mean)} a frame of panning`);
    if (action === "recolour" && buses === 80_000 && thread_ms > GOALS.recolour_ms)
      found.push(`80,000 elements: ${ms(thread_ms)} ms for a recolouring, the goal is ${GOALS.recolour_ms}`);
  }
  return found;
}

function sheet(rows, renderer, chromium) {
  const pan = (row) => rows.find((other) => other.case === row.case && other.action === "pan");
  const table = markdown(
    {
      case: (row) => row.case,
      action: (row) => row.action,
      buses: (row) => row.buses,
      branches: (row) => row.branches,
      "frame, ms": (row) => ms(row.mean),
      "frame p50, ms": (row) => ms(row.p50),
      "frame p95, ms": (row) => ms(row.p95),
      "main thread, ms a frame": (row) => ms(row.thread_ms),
      "copy, ms a frame": (row) => ms(row.copy_ms),
      "of a pan": (row) => (row.mean === undefined ? "-" : times(row.mean / pan(row).mean)),
    },
    rows,
  );
  return `# The map

${FRAMES} frames each in Chromium ${chromium} at ${SIZE.width} x 560 pixels: nothing moves, the map is panned, the slider of a bus is
dragged (first-order preview: every bus is recoloured), the wheel zooms in and out. The copy of the WebGL frame is told apart
from the main thread's other work: on software rendering it waits until the frame is drawn. \`recolour\` is one change of all
colours without the drawing itself: values to places of the palette, upload, calls.

${table}

Renderer: ${renderer}. Measured on ${new Date().toISOString().slice(0, 10)}; in software compare with the pan, not with 16.7 ms.
`;
}
