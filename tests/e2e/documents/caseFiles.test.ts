// Case files in a real JupyterLab: dropped or chosen, opened without a kernel, placed, exported; nothing is uploaded.
import { readFile } from "node:fs/promises";
import t from "tap";
import type { Locator } from "playwright-core";
import { eventually } from "../../eventually.ts";
import { fixture } from "../../fixtures/cases.ts";
import { displayFile } from "../../fixtures/displayFile.ts";
import {
  accessibilityProblems,
  dropFiles,
  type DroppedFile,
  dropSizes,
  positionsInFront,
  watchUploads,
} from "../files.ts";
import { openLab, startLab } from "../lab.ts";
import { atRevision, dragSlider, pixels, runCommand } from "../notebook.ts";

const CASE: DroppedFile = { name: "three_bus.m", bytes: await fixture("three_bus.m") };
const text = (name: string, content: string): DroppedFile => ({ name, bytes: new TextEncoder().encode(content) });
const PLACES = text("places.csv", "bus,lat,lon\n1,40.0,-105.0\n2,40.5,-104.0\n3,39.5,-104.5\n");
const DRAWING: DroppedFile = {
  name: "one-line.pwd",
  bytes: displayFile([
    { number: 1, name: "ONE", x: 1000, y: 1000 },
    { number: 2, name: "TWO", x: 3000, y: 1000 },
    { number: 3, name: "THREE", x: 2000, y: 3000 },
  ]),
};
/** A word of the case file that no request may contain. */
const SECRET = "THREE_BUS";

const lab = await startLab([]);
t.teardown(() => lab.stop());
const { page, complaints } = await openLab(lab);
const network = watchUploads(page);
await runCommand(page, "wattbook:show-study-panel");
const panel = page.locator(".wb-Panel-root");
await panel.waitFor();

/** The map or viewer in front. */
const front = page.locator(".wb-CaseTab:visible .wb-Map");
const report = panel.locator(".wb-Files");
const outcomes = (): Promise<(string | null)[]> =>
  report.locator("[data-outcome]").evaluateAll((lines) => lines.map((line) => line.getAttribute("data-outcome")));

/** Closes every tab of a case. */
async function closeTabs(): Promise<void> {
  await runCommand(page, "application:close-all");
  await page.locator(".wb-CaseTab").first().waitFor({ state: "detached" });
}

/** Waits until the report of a batch is complete. */
async function reported(files: number): Promise<void> {
  await report.locator(`.wb-Files-list:not([hidden]) > li:nth-child(${files})`).waitFor();
}

/** Clicks a point of the picture, given as shares of its size. */
async function clickPicture(map: Locator, x: number, y: number): Promise<void> {
  const box = await map.locator("canvas").boundingBox();
  if (box === null) {
    throw new Error("The picture is not on screen.");
  }
  await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
}

t.test("case, positions and drawing dropped together: the map of the file and the diagram", async (t) => {
  await dropFiles(panel, [DRAWING, PLACES, CASE]);
  await front.locator(".wb-Stage[data-placed]").waitFor();
  await reported(3);
  await eventually.strictSame(t, outcomes, ["display", "geography", "case"]);
  await eventually.match(t, () => report.getByRole("status").innerText(), "3 files: all used.");
  await eventually.equal(t, () => front.getAttribute("data-plane"), "map");
  await eventually.strictSame(t, () => positionsInFront(page), {
    lon: [-105, -104, -104.5],
    lat: [40, 40.5, 39.5],
    x: [1000, 3000, 2000],
  });

  const map = await pixels(front);
  await front.getByRole("button", { name: "Diagram" }).click();
  await eventually.equal(t, () => front.getAttribute("data-plane"), "diagram");
  await eventually.match(t, () => front.locator(".wb-Notice").innerText(), "Drawing one-line.pwd");
  await eventually.not(t, () => pixels(front), map, "two pictures");
  await front.locator("canvas").press("m");
  await eventually.equal(t, () => front.getAttribute("data-plane"), "map");
});

t.test("the tab works without a kernel: select, drag, release, exact", async (t) => {
  await front.locator("canvas").press("ArrowRight");
  await front.locator(".wb-EditBar-name", { hasText: /^Bus/ }).waitFor();
  await front.getByRole("button", { name: "Table of buses" }).click();
  await front.locator('tr[data-bus="2"] button').click();
  await front.getByRole("button", { name: "Table of buses" }).click();
  await front.locator(".wb-Band-exact:not([hidden])").waitFor();
  const hand = await dragSlider(front, 0.7);
  await front.and(page.locator('[data-status="previewing"]')).waitFor();
  await hand.release();
  await atRevision(front, 1);
  await eventually.match(t, () => front.locator(".wb-Status").innerText(), /^Optimal/);
  await front.locator(".wb-Entry").fill("10");
  await front.locator(".wb-Entry").press("Enter");
  await atRevision(front, 2);
  // 100 MW: 0.22 g1 + 5 = 0.17 g2 + 1.2 and g1 + g2 = 100, so the price is 0.22 * 33.846... + 5.
  await eventually.match(t, () => front.locator(".wb-EditBar-value").innerText(), "Price 12.45 $/MWh");
  const kernels = await page.evaluate(async () => (await (await fetch("/api/kernels")).json()) as unknown[]);
  t.strictSame(kernels, [], "there is no kernel");
});

t.test("exports have the edits and report what a format cannot hold", async (t) => {
  const choose = async (name: string | RegExp): Promise<{ name: string; content: string }> => {
    await front.getByRole("button", { name: "Menu" }).click();
    if (name instanceof RegExp) {
      await front.getByRole("menuitem", { name: "Export case as" }).click();
    }
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      front.getByRole("menuitem", { name }).click(),
    ]);
    return { name: download.suggestedFilename(), content: await readFile(await download.path(), "utf8") };
  };
  const matpower = await choose(/MATPOWER/);
  t.equal(matpower.name, "three_bus.m");
  t.match(matpower.content, /^\s*2\s+\d+\s+100(\.0*)?\s/m, "the demand of bus 2 is 100 MW");
  const notice = front.getByRole("region", { name: "Export" });
  await eventually.match(t, () => notice.getByRole("status").innerText(), "three_bus.m is in your downloads.");
  const module = await choose("Save module");
  t.equal(module.name, "three_bus.json");
  await notice.getByRole("button", { name: "Close" }).click();

  await dropFiles(panel, [{ name: module.name, bytes: new TextEncoder().encode(module.content) }]);
  await reported(1);
  await eventually.strictSame(t, outcomes, ["case"]);
  await front.locator(".wb-Stage[data-placed]").waitFor();
  await eventually.strictSame(
    t,
    async () => (await positionsInFront(page)).lon,
    [-105, -104, -104.5],
    "the saved module has the positions",
  );
  await eventually.match(t, () => panel.innerText(), /Base demand\s+100\.0 MW/, "and the edits");
  await closeTabs();
});

t.test("batches beyond the limits are refused without effect", async (t) => {
  await dropSizes(panel, [1, 128 * 1024 * 1024]);
  await reported(2);
  await eventually.match(t, () => report.innerText(), "a batch may have 128 MiB. None of the batch was read.");
  await eventually.strictSame(t, outcomes, ["refused", "refused"]);
  await dropSizes(
    panel,
    Array.from({ length: 33 }, () => 1),
  );
  await reported(33);
  await eventually.match(t, () => report.innerText(), "33 files are more than the 32 that one batch may have.");
  await eventually.equal(t, () => page.locator(".wb-CaseTab").count(), 0);
});

t.test("an invalid file beside a valid one is refused alone", async (t) => {
  await dropFiles(panel, [text("rubbish.raw", "\u0000\u0001 no case"), CASE, text("minutes.json", '{"present": 4}')]);
  await front.locator(".wb-Stage[data-placed]").waitFor();
  await reported(3);
  await eventually.strictSame(t, outcomes, ["refused", "case", "refused"]);
  await eventually.match(t, () => report.getByRole("status").innerText(), "3 files: 1 used, 2 refused.");
  await eventually.notMatch(t, () => report.innerText(), /INPUT\./, "codes are not shown raw");
});

t.test(
  "a case without coordinates: diagram, empty map, click, move, undo, download, the same picture again",
  async (t) => {
    await eventually.equal(t, () => front.getAttribute("data-plane"), "diagram");
    await front.getByRole("button", { name: "Map", exact: true }).click();
    const bar = front.getByRole("group", { name: "Placement" });
    await eventually.equal(
      t,
      () => bar.getByRole("status").innerText(),
      "This case has no coordinates. Click the map to place it, or open the diagram.",
    );
    await clickPicture(front, 0.3, 0.4);
    await front.locator('.wb-Stage[data-placed][data-plane="map"]').waitFor();
    const first = await positionsInFront(page);
    t.ok(first.lon.every((lon) => lon > -120 && lon < -40) && first.lat.every((lat) => lat > 0 && lat < 70));

    await front.getByRole("button", { name: "Move case" }).click();
    await front.locator("canvas").press("ArrowRight");
    const moved = async (): Promise<boolean> => ((await positionsInFront(page)).lon[0] ?? 0) > (first.lon[0] ?? 0);
    await eventually.ok(t, moved, "an arrow key moved it to the east");
    const size = bar.getByRole("textbox", { name: "Longer side of the layout, km" });
    await size.fill("400");
    await size.press("Enter");
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>(".wb-PlacingBar input")?.value === "400");
    await bar.getByRole("button", { name: "Undo" }).click();
    await bar.getByRole("button", { name: "Undo" }).click();
    await eventually.strictSame(t, () => positionsInFront(page), first, "two steps back");

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      bar.getByRole("button", { name: "Download .geo.json" }).click(),
    ]);
    t.equal(download.suggestedFilename(), "three_bus.geo.json");
    const layer = { name: "three_bus.geo.json", bytes: await readFile(await download.path()) };
    await bar.getByRole("button", { name: "Done" }).click();
    await front.locator("canvas").press("0");
    await page.waitForTimeout(300);
    const picture = await pixels(front);

    await closeTabs();
    await dropFiles(panel, [layer, CASE]);
    await front.locator('.wb-Stage[data-placed][data-plane="map"]').waitFor();
    await eventually.strictSame(t, () => positionsInFront(page), first, "the file brings the same positions");
    await front.locator("canvas").press("0");
    await page.waitForTimeout(300);
    await eventually.equal(t, () => pixels(front), picture, "and the same picture");
    await eventually.equal(
      t,
      () => front.getByRole("button", { name: "Move case" }).count(),
      1,
      "it is still a layout and can be moved",
    );
  },
);

t.test("files dropped on a map belong to it", async (t) => {
  await dropFiles(front, [DRAWING, text("nowhere.csv", "bus,lat,lon\n77,1,2\n")]);
  const own = front.locator(".wb-Files");
  await own.locator("[data-outcome=display]").waitFor();
  await eventually.match(
    t,
    () => own.locator("[data-outcome=refused]").innerText(),
    "None of the 1 records matches the case.",
  );
  await front.getByRole("button", { name: "Diagram" }).click();
  await eventually.equal(t, () => front.getAttribute("data-plane"), "diagram");
});

t.test("the command opens a file chooser and is in menu and palette", async (t) => {
  const opening = page.waitForEvent("filechooser");
  const ran = runCommand(page, "wattbook:open-files");
  const chooser = await opening;
  t.ok(chooser.isMultiple());
  await chooser.setFiles({ name: "isolated.m", mimeType: "text/plain", buffer: await fixture("three_bus_isolated.m") });
  await ran;
  await reported(1);
  await eventually.strictSame(t, outcomes, ["case"]);
  await page.getByRole("menuitem", { name: "File", exact: true }).click();
  await eventually.equal(t, () => page.getByRole("menuitem", { name: "Open Case Files\u2026" }).count(), 1);
  await page.keyboard.press("Escape");
});

t.test("controls have names, changes are announced", async (t) => {
  t.strictSame(await accessibilityProblems(front), []);
  t.strictSame(await accessibilityProblems(panel), []);
});

t.test("no content of a file left the page, and no errors occurred", async (t) => {
  t.strictSame(network.uploads, []);
  t.notOk(network.bodies().some((body) => body.includes(SECRET)));
  t.ok(network.bodies().length > 0, "the watch sees JupyterLab's own messages");
  t.strictSame(complaints, []);
});
