/* global document, location, MutationObserver, window, Worker */
// Waiting times of users in Chromium: the built stand-alone page and a notebook in JupyterLab, started by the helpers
// of their tests.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ending, testModule } from "../pages.mjs";

/** Runs in the page before its own code: records calls of workers and the times when maps show their content. */
function watch() {
  const notes = { calls: [], exact: [] };
  window.wattbookNotes = notes;
  const Native = Worker;
  window.Worker = class extends Native {
    #waiting = [];
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => {
        const call = data.kind === "answer" || data.kind === "error" ? this.#waiting.shift() : undefined;
        if (call) Object.assign(call, { got: performance.now(), ms: data.answer?.ms });
      });
    }
    postMessage(message, transfer) {
      if (message?.kind === "call") {
        const call = { op: message.call.op, sent: performance.now() };
        notes.calls.push(call);
        this.#waiting.push(call);
      }
      super.postMessage(message, transfer);
    }
  };
  document.addEventListener("pointerup", () => (notes.released = performance.now()), { capture: true });
  const maps = new WeakMap();
  new MutationObserver(() => {
    // The event comes while the frame with the stored prices is made.
    if (document.querySelector('.wb-Page-picture[data-drawn="true"]'))
      setTimeout(() => (notes.stored ??= performance.now()));
    for (const map of document.querySelectorAll(".wb-Map")) {
      const { status, revision, pricesRevision = revision } = map.dataset;
      const drawn = map.querySelector(".wb-Stage[data-placed][data-renderer]") !== null;
      const first = !maps.has(map);
      if (drawn && (first ? status === "ready" : maps.get(map) !== pricesRevision)) {
        maps.set(map, pricesRevision);
        // The first picture of a map is drawn at this event; the prices of a new state are announced after the frame
        // with their colours.
        notes.exact.push({ revision: pricesRevision, at: performance.now() });
      }
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });
}

const notesOf = (page) => page.evaluate(() => window.wattbookNotes);

/** Main thread's processor time so far, ms. */
async function threadMs(client) {
  const { metrics } = await client.send("Performance.getMetrics");
  return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
}

/** Opens the page on a case several times, each in a fresh browser, and releases a slider in the last one. */
export async function onPage({ repeats, releases, wanted, cases }) {
  const { startServer, startBrowser, withGrids } = await testModule("page");
  return ending(async (test) => {
    const server = await startServer(test, await withGrids(test));
    const browser = await startBrowser(test);
    const found = [];
    for (const name of cases.filter(wanted)) {
      const opened = [];
      for (let k = 0; k < repeats; k += 1) {
        const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
        const page = await context.newPage();
        await page.addInitScript(watch);
        const client = await context.newCDPSession(page);
        await client.send("Performance.enable", { timeDomain: "threadTicks" });
        await page.goto(`${server.url}/?case=${name}`);
        await page.waitForFunction(() => window.wattbookNotes.exact.length > 0, null, { timeout: 120_000 });
        const { stored, exact } = await notesOf(page);
        opened.push({ stored, live: exact[0].at, thread_ms: await threadMs(client) });
        if (k === repeats - 1) found.push({ case: name, opened, released: await released(page, client, releases) });
        await context.close();
      }
    }
    return found;
  });
}

/** Selects a bus by the search, drags its slider to and fro, and measures each release. */
async function released(page, client, count) {
  const map = page.locator(".wb-Map");
  const bus = await page.evaluate(async () => {
    const id = new URLSearchParams(location.search).get("case");
    const network = await (await fetch(`api/cases/${id}/network`)).json();
    const loads = network.buses.filter(({ editable, demand_mw }) => editable && demand_mw > 20);
    return loads[Math.floor(loads.length / 2)].id;
  });
  await map.locator(".wb-Canvas").focus();
  await page.keyboard.press("/");
  await page.keyboard.type(String(bus));
  await page.locator(".wb-Search [role=option]").first().waitFor();
  await page.keyboard.press("Enter");
  const slider = map.locator(".wb-Slider");
  await slider.waitFor();
  await page.waitForTimeout(2000); // column and path
  const samples = [];
  for (let k = 0; k < count; k += 1) {
    const box = await slider.boundingBox();
    const share = await slider.evaluate(({ value, min, max }) => (value - min) / (max - min));
    const [x, y] = [(part) => box.x + 8 + (box.width - 16) * part, box.y + box.height / 2];
    await page.mouse.move(x(share), y);
    await page.mouse.down();
    await page.mouse.move(x(k % 2 ? 0.5 : 0.55), y, { steps: 12 });
    await page.waitForTimeout(100); // the hand rests before the release
    await page.evaluate(() => Object.assign(window.wattbookNotes, { calls: [], exact: [] }));
    const before = await threadMs(client);
    await page.mouse.up();
    await page.waitForFunction(() => window.wattbookNotes.exact.length > 0, null, { timeout: 30_000 });
    const thread_ms = (await threadMs(client)) - before;
    const { released: let_go, calls, exact } = await notesOf(page);
    const commit = calls.find(({ op }) => op === "commit");
    samples.push({
      posted: commit.sent - let_go,
      worker_ms: commit.ms,
      answered: commit.got - let_go,
      exact: exact[0].at - let_go,
      thread_ms,
    });
    await page.waitForTimeout(600); // work after the release
  }
  return samples;
}

/** Maps in the cells of a notebook: the first one of a page, and further ones. */
export async function inLab({ repeats, wanted, cases }) {
  const { startLab, openNotebook } = await testModule("lab");
  const { runCode, writeCell, runCell } = await testModule("notebook");
  const found = [];
  for (const name of cases.filter(wanted)) {
    const lab = await startLab([]);
    try {
      const cell = { cell_type: "code", id: "cell", metadata: {}, source: "", outputs: [], execution_count: null };
      const kernelspec = { name: "python3", display_name: "Python 3 (ipykernel)", language: "python" };
      const notebook = { cells: [cell], metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
      await writeFile(join(lab.folder, "felt.ipynb"), JSON.stringify(notebook));
      const first = [];
      const further = [];
      for (let k = 0; k < repeats; k += 1) {
        const { page } = await openNotebook(lab, "felt.ipynb");
        await page.evaluate(watch);
        // Warm: the package and the case file have been read once.
        await runCode(page, `import wattbook as wb\nwb.open_case("${name}").study()`);
        const shown = async () => {
          await writeCell(page, `wb.open_case("${name}").study().map()`);
          return mapCell(page, runCell);
        };
        first.push(await shown());
        further.push(await shown(), await shown());
        await page.context().close();
      }
      found.push({ case: name, first, further });
    } finally {
      await lab.stop();
    }
  }
  return found;
}

/** Runs the active cell, which shows a map; ms until the map's first frame is drawn. */
async function mapCell(page, runCell) {
  const began = await page.evaluate(() => {
    Object.assign(window.wattbookNotes, { calls: [], exact: [] });
    return performance.now();
  });
  await runCell(page);
  await page.waitForFunction(() => window.wattbookNotes.exact.length > 0, null, { timeout: 120_000 });
  const { exact } = await notesOf(page);
  return exact[0].at - began;
}
