// Generators and lines in the edit bar below the map, in Chromium: the values that their sliders move, and their status.
import t from "tap";
import { eventually } from "../../../eventually.ts";
import type { MapPage } from "../../mapPage/main.ts";
import { edits, revision, row, show, startEditBarPage } from "./editBarPage.ts";

declare const window: Window & { mapPage: MapPage; hostHeard: string[] };

t.setTimeout(300_000);
const server = await startEditBarPage(t);
const UNIT_2 = { kind: "generator", id: 2 } as const;

t.test("capacity, cost and status of a generator are edited by pointer and by keys", async (t) => {
  const { page, complaints } = await server.open("light", { width: 700, height: 760 });
  await show(page, "three_bus.m", [UNIT_2]);
  const unit = row(page, UNIT_2);
  const slider = unit.getByRole("slider");
  const label = (): Promise<string | null> => slider.getAttribute("aria-label");
  await eventually.equal(t, label, "Change of the capacity of generator 2 at bus 3, MW");
  await eventually.match(
    t,
    () => page.locator(".wb-EditBar-head").innerText(),
    /Generator 2 at bus 3\s+Capacity 270\.0 MW/,
  );

  // Unit 2 produces 60.51 MW; at 50 MW unit 1 sets the price, 0.22 * 40 + 5.
  const entry = unit.locator(".wb-Entry");
  await entry.fill("-220");
  await page.keyboard.press("Enter");
  await revision(page, 1);
  await eventually.strictSame(t, () => edits(page), { deltas: {}, rates: {}, generators: { 2: { p_max: 50 } } });
  await eventually.match(t, () => page.locator(".wb-EditBar-change").innerText(), "Capacity 270.0 \u2192 50.0 MW");
  await eventually.match(
    t,
    () => page.locator(".wb-EditBar-value").innerText(),
    /Output 50\.0 MW, price 13\.80 \$\/MWh/,
  );
  await slider.focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await revision(page, 2);
  await eventually.strictSame(t, () => edits(page), { deltas: {}, rates: {}, generators: { 2: { p_max: 40 } } });

  // The plot above the slider: the exact path of a capacity, and the linear estimate of a cost.
  const drawn = (line: string): Promise<boolean> =>
    page.locator(`.wb-Plot ${line}`).evaluate((path) => (path.getAttribute("d") ?? "") !== "");
  const plotted = async (): Promise<boolean[]> => [await drawn("path:last-of-type"), await drawn(".wb-mod-estimate")];
  await eventually.strictSame(t, plotted, [true, false], "solid");

  // Another value of the same generator, by keys: the focus stays on its button.
  await unit.getByRole("button", { name: "Cost" }).focus();
  await page.keyboard.press("Enter");
  await eventually.equal(t, label, "Change of the marginal cost of generator 2 at bus 3, $/MWh");
  await eventually.equal(t, () => page.evaluate(() => document.activeElement?.textContent), "Cost");
  await eventually.equal(t, () => unit.getByRole("button", { name: "Cost" }).getAttribute("aria-pressed"), "true");

  await eventually.strictSame(t, plotted, [false, true], "dashed: an edit replaces the cost curve of unit 2");

  const on = unit.getByRole("switch", { name: "generator 2 at bus 3 in service" });
  t.ok(await on.isChecked());
  await on.focus();
  await page.keyboard.press("Space");
  await revision(page, 3);
  await eventually.strictSame(t, () => edits(page), {
    deltas: {},
    rates: {},
    generators: { 2: { p_max: 40, status: false } },
  });
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.undo());
  await eventually.ok(t, () => on.isChecked(), "undo switches it on again");
  await unit.getByRole("button", { name: "Capacity" }).click();
  await unit.getByRole("button", { name: /^Reset/ }).click();
  await eventually.strictSame(t, () => edits(page), { deltas: {}, rates: {} });

  // There is nothing below Pmin: the previous state and the typed text stay.
  await entry.fill("-265");
  await page.keyboard.press("Enter");
  await eventually.match(
    t,
    () => page.locator(".wb-EditBar-readout").innerText(),
    /Pmin of generator 2.*previous state/s,
  );
  t.equal(await entry.inputValue(), "-265");
  t.strictSame(await edits(page), { deltas: {}, rates: {} });
  t.strictSame(complaints, []);
  await page.close();
});

t.test("a line is edited by its slider and by keys: phase shift, tap ratio, reactance", async (t) => {
  const { page, complaints } = await server.open("light", { width: 760, height: 760 });
  await show(page, "three_bus.m", [{ kind: "branch", id: 3 }]);
  const line = row(page, { kind: "branch", id: 3 });
  const slider = line.getByRole("slider");
  const label = (): Promise<string | null> => slider.getAttribute("aria-label");
  const name = "line 3 (1 to 3)";
  await eventually.equal(t, label, `Change of the rating of ${name}, MW`);
  const choice = line.getByRole("combobox", { name: `What the slider of ${name} moves` });
  t.strictSame(await choice.locator("option").allInnerTexts(), ["Rating", "Reactance", "Tap ratio", "Phase shift"]);
  await choice.selectOption("Phase shift");
  await eventually.equal(t, label, `Change of the phase shift of ${name}, degrees`);
  const change = (): Promise<string> => page.locator(".wb-EditBar-change").innerText();
  const words = (): Promise<string> => page.locator(".wb-EditBar-readout").innerText();
  await eventually.equal(t, change, "Phase shift 0\u00b0");
  // 30 degrees drive 173 MW around the loop, below the ratings of 250 MW.
  await eventually.equal(
    t,
    words,
    "Prices stay unchanged up to +30\u00b0, the end of the slider; down to \u221230\u00b0, the end of the slider.",
  );

  const flow = (): Promise<number> =>
    page.evaluate(() => window.mapPage.workspace.sessions[0]?.store.shownAt("flow_mw", 0) ?? NaN);
  const before = await flow();
  // A degree drives a third of b φ around the loop of three equal lines, 5.76 MW.
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await revision(page, 1);
  await eventually.strictSame(t, () => edits(page), { deltas: {}, rates: {}, branches: { 3: { shift: 1 } } });
  const around = ((100 * (0.1 / 0.0101)) / 3) * (Math.PI / 180);
  await eventually.ok(t, async () => Math.abs((await flow()) - before - around) < 1e-6);
  await eventually.equal(t, change, "Phase shift 0 \u2192 1\u00b0");

  // Text that is no number, a value that the engine refuses, and the way back.
  const entry = line.locator(".wb-Entry");
  await entry.fill("5 MW");
  await page.keyboard.press("Enter");
  await eventually.equal(
    t,
    words,
    "\u201c5 MW\u201d is not a valid value in \u00b0. Type a number in degrees, for instance 2.5 or \u221230.",
  );
  await choice.selectOption("Tap ratio");
  await eventually.match(t, words, "Tap ratios have no effect in this DC model (susceptance x/(r\u00b2 + x\u00b2)).");
  await entry.fill("-1");
  await page.keyboard.press("Enter");
  await eventually.match(t, words, /Line 3.*tap ratio must be above zero.*previous state/s);
  t.strictSame(await edits(page), { deltas: {}, rates: {}, branches: { 3: { shift: 1 } } });
  await choice.selectOption("Reactance");
  await entry.fill("0.02");
  await page.keyboard.press("Enter");
  await revision(page, 2);
  await eventually.equal(t, change, "Reactance 0.1 \u2192 0.12 pu");
  await line.getByRole("button", { name: /^Reset/ }).click();
  await revision(page, 3);
  await choice.selectOption("Phase shift");
  await line.getByRole("button", { name: /^Reset/ }).click();
  await eventually.strictSame(t, () => edits(page), { deltas: {}, rates: {} });

  // Without paths a value has no preview.
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.setFormulation("socwr"));
  await eventually.equal(t, words, "No preview; results follow on release.");
  t.strictSame(complaints, []);
  await page.close();
});
