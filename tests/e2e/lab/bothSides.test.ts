// Page and kernel edit one Study at the same time: nothing is lost and both end in one state; a drag sends a bounded
// number of messages; a cold kernel, and a kernel that restarts.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import type { Page, WebSocket } from "playwright-core";
import { eventually } from "../../eventually.ts";
import { openLab, startLab } from "../lab.ts";
import { atRevision, dragSlider, notebookOf, runCode, runCommand, theMap } from "../notebook.ts";

const CASE = "three_bus.m";
const lab = await startLab([`tests/fixtures/${CASE}`]);
t.teardown(() => lab.stop());
const CELLS = [
  `import time\nimport wattbook as wb\nstudy = wb.open_case("${CASE}").study()`,
  "view = study.map(bus=3, height=260)\nview",
  "time.sleep(3)\nlate = study.solution.objective",
];
await writeFile(join(lab.folder, "both.ipynb"), notebookOf(...CELLS));

/** Counts the messages between page and kernel over comms. */
function countComms(page: Page): { sent: number; acks: number; stale: number } {
  const count = { sent: 0, acks: 0, stale: 0 };
  const text = (payload: string | Buffer): string =>
    typeof payload === "string" ? payload : payload.toString("latin1");
  page.on("websocket", (socket: WebSocket) => {
    socket.on("framesent", ({ payload }) => {
      count.sent += text(payload).includes('"comm_msg"') ? 1 : 0;
    });
    socket.on("framereceived", ({ payload }) => {
      const message = text(payload);
      count.acks += /"kind": ?"ack"/.test(message) ? 1 : 0;
      count.stale += /"kind": ?"stale"/.test(message) ? 1 : 0;
    });
  });
  return count;
}

const { page, complaints } = await openLab(lab);
const comms = countComms(page);
// Run All as soon as the notebook has a kernel, which is still starting.
await runCommand(page, "docmanager:open", { path: "both.ipynb" });
await page.locator(".jp-Notebook .jp-CodeCell").first().waitFor();
await page.waitForFunction(() => {
  interface Shell {
    currentWidget: { sessionContext?: { session: { kernel: unknown } | null } } | null;
  }
  const { shell } = (window as unknown as { jupyterapp: { shell: Shell } }).jupyterapp;
  return Boolean(shell.currentWidget?.sessionContext?.session?.kernel);
});
await runCommand(page, "notebook:run-all-cells");
const map = await theMap(page);

interface Shared {
  revision: number;
  demand: Record<string, number>;
  sha256: string;
}

async function kernelState(): Promise<Shared> {
  const printed = await runCode(
    page,
    `import json
print(json.dumps({"revision": study.revision, "demand": {str(k): v for k, v in study.edits.demand.items()}, "sha256": study.solution.sha256}))`,
  );
  await theMap(page);
  return JSON.parse(printed) as Shared;
}

function pageState(): Promise<Shared> {
  return page.evaluate(async () => {
    interface State {
      revision: number;
      edits: { deltas: Record<string, number> };
      solution: { result_sha256: string };
    }
    interface LabPage {
      _JUPYTERLAB: Record<string, { get(name: string): Promise<() => { IWorkspace: unknown }> }>;
      jupyterapp: { resolveRequiredService(token: unknown): Promise<{ active: { state: State } | null }> };
    }
    const lab = window as unknown as LabPage;
    const extension = await lab._JUPYTERLAB["@service/jupyterlab"]?.get("./index");
    const { active } = await lab.jupyterapp.resolveRequiredService(extension?.().IWorkspace);
    if (active === null) {
      throw new Error("No map is in front.");
    }
    const { revision, edits, solution } = active.state;
    return { revision, demand: edits.deltas, sha256: solution.result_sha256 };
  });
}

t.test("Run All on a cold kernel draws the map while later cells still run", async (t) => {
  await eventually.equal(t, () => map.getAttribute("data-revision"), "0");
  await eventually.strictSame(t, pageState, await kernelState());
  t.equal(await runCode(page, "print(round(late, 6) == round(study.solution.objective, 6))"), "True");
  await theMap(page);
});

t.test("simultaneous edits of both sides are not lost and end in one state", async (t) => {
  const [ROUNDS, KEYS] = [40, 12];
  const { revision } = await pageState();
  const looping = runCode(
    page,
    `for k in range(${ROUNDS}):
    study.commit({2: 1}, mode="increment")
    time.sleep(0.1)
print("done")`,
  );
  const slider = map.locator(".wb-Slider");
  await slider.scrollIntoViewIfNeeded();
  for (let key = 0; key < KEYS; key += 1) {
    await slider.press("ArrowRight"); // one MW; committed after a short pause
    await page.waitForTimeout(400);
  }
  t.equal(await looping, "done");
  await theMap(page);
  // The commit of the last key may still be pending.
  await page.waitForFunction(
    (wanted) => document.querySelector(".wb-EditBar-change")?.textContent?.includes(wanted),
    "12.0",
  );
  await map.and(page.locator('[data-status="ready"]')).waitFor();
  const [kernel, shown] = [await kernelState(), await pageState()];
  t.equal(kernel.demand["2"], ROUNDS, "every increment of the kernel is there");
  t.equal(kernel.demand["3"], KEYS, "and so is the page's");
  t.strictSame(shown, kernel, "page and kernel have the same revision, edits and result");
  t.equal(kernel.revision, revision + ROUNDS + comms.acks, "each commit that was accepted is a revision");
  t.ok(comms.acks >= 2, `the page committed in between: ${comms.acks} accepted, ${comms.stale} were stale`);
  t.comment(`${comms.acks} commits of the page accepted, ${comms.stale} solved again on a newer state`);
});

/** The sources of all cells. */
function cellSources(): Promise<string[]> {
  return page.evaluate(() => {
    interface Shell {
      currentWidget: { model: { sharedModel: { cells: { source: string }[] } } };
    }
    const { shell } = (window as unknown as { jupyterapp: { shell: Shell } }).jupyterapp;
    return shell.currentWidget.model.sharedModel.cells.map(({ source }) => source);
  });
}

t.test("selected elements are shared, and undo on the map is an edit for the kernel", async (t) => {
  const before = await kernelState();
  await runCode(page, 'view.selected = [{"kind": "branch", "id": 2}, {"kind": "bus", "id": 3}]');
  await theMap(page);
  const row = map.locator('.wb-EditBarRow[data-kind="bus"]');
  await row.waitFor();
  await eventually.equal(t, () => map.locator(".wb-EditBarRow").count(), 2);
  const cells = await cellSources();
  await row.locator(".wb-Slider").press("ArrowRight");
  await atRevision(map, before.revision + 1);
  await page.keyboard.press("Control+z");
  await atRevision(map, before.revision + 2);
  t.strictSame(await cellSources(), cells, "the notebook undid nothing");
  t.strictSame((await kernelState()).demand, before.demand);
  await runCommand(page, "wattbook:redo-edit");
  await atRevision(map, before.revision + 3);
  await runCommand(page, "wattbook:undo-edit");
  await atRevision(map, before.revision + 4);
  const after = await kernelState();
  t.strictSame([after.revision, after.demand, after.sha256], [before.revision + 4, before.demand, before.sha256]);
  await map
    .locator('.wb-EditBarRow[data-kind="branch"]')
    .getByRole("button", { name: /^Remove line 2/ })
    .click();
  t.equal(await runCode(page, "print(view.selected)"), "[{'kind': 'bus', 'id': 3}]");
  await theMap(page);
});

/** Number of messages once none has followed for half a second: the selection of an earlier step may be pending. */
async function sentAtRest(): Promise<number> {
  for (;;) {
    const { sent } = comms;
    await page.waitForTimeout(500);
    if (comms.sent === sent) return sent;
  }
}

t.test("a long drag sends nothing until its release, and then few messages", async (t) => {
  const before = await sentAtRest();
  const { revision } = await pageState();
  const hand = await dragSlider(map, 0.3);
  for (let k = 1; k <= 150; k += 1) {
    const box = await map.locator(".wb-Slider").boundingBox();
    if (box === null) throw new Error("The slider is not on screen.");
    await page.mouse.move(box.x + box.width * (0.3 + 0.2 * Math.sin(k / 10)), box.y + box.height / 2);
  }
  t.equal(comms.sent, before, "previews stay in the page");
  await eventually.equal(t, async () => (await pageState()).revision, revision);
  await hand.release();
  await atRevision(map, revision + 1);
  t.ok(comms.sent - before <= 2, `${comms.sent - before} messages for the whole drag`);
});

t.test("after a restart of the kernel the map is usable, and the next map offers the lost edits", async (t) => {
  const before = await pageState();
  await page.evaluate(async () => {
    interface Shell {
      currentWidget: { sessionContext: { restartKernel(): Promise<void> } };
    }
    await (
      window as unknown as { jupyterapp: { shell: Shell } }
    ).jupyterapp.shell.currentWidget.sessionContext.restartKernel();
  });
  const slider = map.locator(".wb-Slider");
  await slider.press("ArrowRight");
  await atRevision(map, before.revision + 1);
  const { demand } = await pageState();
  await page.evaluate(() => {
    interface Shell {
      currentWidget: { content: { activeCellIndex: number } };
    }
    const { shell } = (window as unknown as { jupyterapp: { shell: Shell } }).jupyterapp;
    shell.currentWidget.content.activeCellIndex = 2;
  });
  await runCommand(page, "notebook:run-all-above"); // the notebook's own cells, without those added by this test
  await page.locator(".wb-Offer").waitFor({ timeout: 60_000 });
  const again = await theMap(page);
  await eventually.equal(
    t,
    () => again.getAttribute("data-revision"),
    "0",
    "the cells ran on a fresh kernel: nothing was replayed unasked",
  );
  const offer = page.locator(".wb-Offer");
  await eventually.match(t, () => offer.innerText(), "Before the kernel restarted this map had 2 changes.");
  await offer.getByRole("button", { name: "Apply again" }).click();
  await atRevision(again, 1);
  await eventually.equal(t, () => offer.count(), 0);
  const kernel = await kernelState();
  t.strictSame(kernel.demand, demand, "the kernel has them");
  await eventually.strictSame(t, pageState, kernel);
});

t.test("no errors occurred", async (t) => {
  t.strictSame(complaints, []);
});
