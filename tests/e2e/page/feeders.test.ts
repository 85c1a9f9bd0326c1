// A feeder on the stand-alone page and in JupyterLab: opened with its coordinates, refused with the options that help,
// solved by one click, its voltages on the map, in the profile and in tables, a load under the slider, and the state
// after a cancel.
import { readFile } from "node:fs/promises";
import t, { type Test } from "tap";
import type { Locator } from "playwright-core";
import { eventually } from "../../eventually.ts";
import { accessibilityProblems, dropFiles } from "../files.ts";
import { openLab, startLab } from "../lab.ts";
import { runCommand } from "../notebook.ts";
import { openPage, startBrowser, startServer } from "../page.ts";

const FILES = await Promise.all(
  ["village.dss", "village_coordinates.csv"].map(async (name) => ({
    name,
    bytes: new Uint8Array(await readFile(new URL(`../../../examples/${name}`, import.meta.url))),
  })),
);

/** The largest load, and a bus on its path on the first page of the table. */
const LOAD = "Load sawmill, kW";
const BUS = "station";

/** Voltages of a bus in the terminals table, by terminal, as formatted by the page. */
async function voltagesOf(panel: Locator, bus: string): Promise<Record<string, string>> {
  const lines = await panel
    .locator(".wb-Feeder-body tbody tr")
    .evaluateAll((rows) =>
      rows.map(
        (row) => [row.querySelector("th")?.textContent ?? "", row.querySelector("td")?.textContent ?? ""] as const,
      ),
    );
  return Object.fromEntries(lines.filter(([name]) => name.startsWith(`${bus}.`)));
}

/** The colours in the centre of the picture as one text, which differs between pictures. */
const picture = (view: Locator): Promise<string> =>
  view
    .locator(".wb-Stage canvas")
    .first()
    .screenshot()
    .then((bytes) => bytes.toString("base64"));

/** Takes a feeder in front to its result, with moves and a cancel. */
async function use(t: Test, view: Locator): Promise<void> {
  await view.locator(".wb-Stage[data-placed]").waitFor({ timeout: 60_000 });
  const panel = view.locator(".wb-Feeder");
  const status = panel.locator(".wb-Feeder-status");
  const tab = (name: string) => panel.locator(".wb-Feeder-tabs").getByRole("button", { name, exact: true });
  t.match(await panel.innerText(), /has no prices and no planning objectives/);
  t.match(await view.locator(".wb-Bar-formulation").innerText(), /./);

  // Every public feeder has a source behind an impedance: it is refused, and one click solves with it.
  await panel.getByRole("button", { name: "Solve power flow" }).click();
  await eventually.match(t, () => status.innerText(), /elements that the power flow does not model/);
  const refusal = panel.locator(".wb-Feeder-refusal");
  t.match(await refusal.locator("li").first().innerText(), /vsource\.source/i, "the element by its name");
  t.equal(await panel.locator(".wb-Feeder-facts").isVisible(), false, "no result");
  const before = await picture(view);
  await refusal.getByRole("button", { name: /^Solve with the source impedance as a branch/ }).click();
  await eventually.match(t, () => status.innerText(), /^Solved in \d+ iterations?\.$/);
  t.equal(await refusal.locator("li").count(), 0);
  const facts = panel.locator(".wb-Feeder-facts");
  t.match(await facts.innerText(), /Source impedance\s+solved as a branch, exact/);
  t.match(await facts.innerText(), /Kirchhoff.s law\s+to \S+ A at every terminal/);

  // Voltages on the map with their scale, and the profile by phase.
  await eventually.ok(t, () => view.locator(".wb-FeederLegend").isVisible(), "the scale of the voltages");
  t.match(await view.locator(".wb-FeederLegend").innerText(), /p\.?\s?u/i);
  await eventually.not(t, () => picture(view), before, "buses have the colours of their voltages");
  const plot = panel.locator(".wb-Feeder-body .wb-Chart-plot");
  await eventually.match(t, () => plot.innerText(), /Phase 1[^]*Phase 2[^]*Phase 3/);
  t.match(await plot.innerText(), /Distance from the source, km/);

  // Every terminal, including those beyond an open switch.
  await tab("Terminals").click();
  const solved = await voltagesOf(panel, BUS);
  t.strictSame(
    Object.keys(solved).sort(),
    ["1", "2", "3", "4"].map((terminal) => `${BUS}.${terminal}`),
  );
  t.ok(
    Object.entries(solved).every(([name, volts]) => (name.endsWith(".4") ? Number(volts) < 20 : Number(volts) > 200)),
  );

  // A load under the slider: voltages follow each step and stay after its release.
  await tab("Loads").click();
  const slider = panel.getByRole("slider", { name: LOAD });
  const written = Number(await slider.inputValue());
  const colours = await picture(view);
  const summary = await facts.innerText();
  await slider.evaluate((input: HTMLInputElement) => {
    input.value = input.max;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await eventually.not(t, () => picture(view), colours, "the map follows the hand");
  await tab("Terminals").click();
  await eventually.notOk(t, async () => (await voltagesOf(panel, BUS))[`${BUS}.1`] === solved[`${BUS}.1`]);
  t.equal(await facts.innerText(), summary, "the result stays until the release");
  const moved = await voltagesOf(panel, BUS);
  await tab("Loads").click();
  await slider.dispatchEvent("change");
  await eventually.not(t, () => facts.innerText(), summary);
  await tab("Terminals").click();
  t.strictSame(await voltagesOf(panel, BUS), moved, "what the hand saw is what the release confirms");

  // A cancel leaves the result unchanged.
  const previous = await facts.innerText();
  await panel.locator(".wb-Feeder-head").evaluate((head: HTMLElement) => {
    const [solve, cancel] = head.querySelectorAll("button");
    solve?.click();
    cancel?.click();
  });
  await eventually.match(t, () => status.innerText(), "Cancelled. The previous result is kept.");
  t.equal(await facts.innerText(), previous);
  t.strictSame(await voltagesOf(panel, BUS), moved);

  // Returns to the case.
  await tab("Loads").click();
  await panel.getByRole("button", { name: "Loads of the case" }).click();
  await eventually.equal(t, async () => Number(await slider.inputValue()), written);
  await tab("Terminals").click();
  await eventually.strictSame(t, () => voltagesOf(panel, BUS), solved);
  t.strictSame(await accessibilityProblems(panel), []);
}

t.test("on the stand-alone page", async (t) => {
  const server = await startServer(t);
  const { page, complaints, uploads } = await openPage(await startBrowser(t), `${server.url}/`);
  await page.locator("#main").waitFor();
  await dropFiles(page.locator("#main"), FILES);
  await use(t, page.locator(".wb-Map:visible").filter({ has: page.locator(".wb-Feeder") }));
  t.strictSame(uploads, [], "nothing leaves the page");
  t.strictSame(complaints, []);
});

t.test("in JupyterLab", async (t) => {
  const lab = await startLab([]);
  t.teardown(() => lab.stop());
  const { page, complaints } = await openLab(lab);
  await runCommand(page, "wattbook:show-study-panel");
  await dropFiles(page.locator(".wb-Panel-root"), FILES);
  await use(t, page.locator(".wb-CaseTab:visible .wb-Map"));
  t.strictSame(complaints, []);
});
