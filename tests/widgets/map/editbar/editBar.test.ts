// The edit bar below the map in Chromium: a row for every selected element, typed values, undo and redo by keys.
import t from "tap";
import { eventually } from "../../../eventually.ts";
import type { MapPage } from "../../mapPage/main.ts";
import { BUS_2, edits, LINE_2, revision, row, show, startEditBarPage } from "./editBarPage.ts";

declare const window: Window & { mapPage: MapPage; hostHeard: string[] };

t.setTimeout(300_000);
const server = await startEditBarPage(t);

t.test("each of several selected elements has a row with slider, band, ticks in words, entry and Reset", async (t) => {
  const { page, complaints } = await server.open("light", { width: 900, height: 760 });
  await show(page, "three_bus.m", [LINE_2, BUS_2]);
  await eventually.equal(t, () => page.locator(".wb-EditBarRow").count(), 2);
  const line = row(page, LINE_2);
  await line.locator(".wb-Band-exact").waitFor();
  await line.locator(".wb-Band-tick").first().waitFor();
  // Line 2 carries 50.17 MW of its 250: it binds 199.8 MW lower, or never.
  await eventually.equal(
    t,
    () => line.locator(".wb-Band-tick").first().getAttribute("title"),
    "\u2212199.8 MW, then line 2 (2 to 3) binds",
  );
  await eventually.match(t, () => line.innerText(), /Line 2 \(2 to 3\)\D+250\.0 MW, 20 %/);
  await eventually.match(t, () => row(page, BUS_2).innerText(), /Bus 2\D+90\.0 MW, 11\.49 \$\/MWh/);
  await eventually.match(
    t,
    () => page.locator(".wb-EditBar-readout").innerText(),
    /^Bus 2: /,
    "the words say whose they are",
  );

  const slider = line.getByRole("slider");
  await eventually.equal(t, () => slider.getAttribute("aria-label"), "Change of the rating of line 2 (2 to 3), MW");
  const kinds = (): Promise<unknown> =>
    page.locator(".wb-EditBarRow").evaluateAll((rows) => rows.map(({ dataset }) => dataset["kind"]));
  const before = await kinds();
  await slider.focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await revision(page, 1);
  await eventually.strictSame(t, () => edits(page), { deltas: {}, rates: { 2: -10 } });
  await eventually.match(t, () => line.getAttribute("class"), /wb-mod-primary/);
  t.strictSame(await kinds(), before, "a row keeps its place when it becomes the primary");

  await row(page, BUS_2).getByRole("slider").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("20 kW");
  await page.keyboard.press("Enter");
  await revision(page, 2);
  await eventually.strictSame(t, () => edits(page), { deltas: { 2: 0.02 }, rates: { 2: -10 } }, "a unit is understood");
  await line.locator(".wb-EditBar-controls > .wb-Button").first().click();
  await revision(page, 3);
  await eventually.strictSame(t, () => edits(page), { deltas: { 2: 0.02 }, rates: {} }, "each row has its own Reset");
  await line.locator(".wb-EditBarRow-remove").click();
  await eventually.equal(t, () => page.locator(".wb-EditBarRow").count(), 1);
  await eventually.equal(t, () => page.locator(".wb-EditBar-name").innerText(), "Bus 2");
  await eventually.match(t, () => page.locator(".wb-EditBar-change").innerText(), "90.000 \u2192 90.020 MW");
  t.strictSame(complaints, []);
  await page.close();
});

t.test(
  "a text that is not a valid value in MW is reported; Escape restores the number, then clears the selection",
  async (t) => {
    const { page, complaints } = await server.open();
    await show(page, "three_bus.m", [BUS_2]);
    const entry = page.locator(".wb-EditBar .wb-Entry");
    await entry.fill("20 kg");
    await page.keyboard.press("Enter");
    await eventually.equal(t, () => entry.getAttribute("aria-invalid"), "true");
    const announced =
      "\u201c20 kg\u201d is not a valid value in MW. Type MW, or a number with kW, MW or GW, for instance 12.5, \u22123 or 20 kW.";
    await eventually.equal(t, () => page.getByRole("alert").innerText(), announced);
    await page.keyboard.press("Escape");
    await eventually.strictSame(t, async () => [await entry.inputValue(), await entry.getAttribute("aria-invalid")], [
      "0.0",
      null,
    ]);
    await eventually.match(
      t,
      () => page.locator(".wb-EditBar-readout").innerText(),
      /^Prices do not|^(The l|L)inear estimate/,
    );
    await entry.fill("much");
    await page.getByRole("switch").focus();
    await eventually.equal(t, () => entry.inputValue(), "much", "what was not taken stays, to be corrected");
    await eventually.match(
      t,
      () => page.locator(".wb-EditBar-readout").innerText(),
      "\u201cmuch\u201d is not a valid value in MW",
      "and says why",
    );
    await entry.focus();
    await page.keyboard.press("Escape");
    await eventually.equal(t, () => entry.inputValue(), "0.0");
    await page.keyboard.press("Escape");
    await eventually.equal(t, () => page.locator(".wb-EditBar").isVisible(), false);
    await eventually.equal(
      t,
      () => page.evaluate(() => document.activeElement?.className),
      "wb-Canvas",
      "the picture has the focus",
    );
    await eventually.strictSame(t, () => edits(page), { deltas: {}, rates: {} });
    t.strictSame(complaints, []);
    await page.close();
  },
);

t.test("undo and redo work by keys, buttons and menu, and their keys do not reach the surrounding page", async (t) => {
  const { page, complaints } = await server.open("light", { width: 900, height: 700 });
  await show(page, "three_bus.m", [BUS_2]);
  const [undo, redo] = [page.locator(".wb-Bar-step").first(), page.locator(".wb-Bar-step").last()];
  await eventually.equal(t, () => undo.isVisible(), false, "nothing to undo, no button");
  const slider = page.locator(".wb-EditBar").getByRole("slider");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await revision(page, 1);
  await page.keyboard.press("Shift+ArrowRight");
  await revision(page, 2);
  await eventually.strictSame(t, () => edits(page), { deltas: { 2: 11 }, rates: {} });
  await eventually.equal(t, () => undo.getAttribute("title"), "Undo: Bus 2 demand +11.0 MW");
  await page.keyboard.press("Control+z");
  await revision(page, 3);
  await eventually.strictSame(t, () => edits(page), { deltas: { 2: 1 }, rates: {} });
  await eventually.equal(t, () => slider.inputValue(), "1");
  await page.locator(".wb-Canvas").focus();
  await page.keyboard.press("Meta+z");
  await revision(page, 4);
  await page.keyboard.press("Control+Shift+z");
  await revision(page, 5);
  await page.keyboard.press("Control+y");
  await revision(page, 6);
  await eventually.strictSame(t, () => edits(page), { deltas: { 2: 11 }, rates: {} });
  await eventually.match(t, () => page.locator(".wb-Map > .wb-Announcer").innerText(), "Redo: Bus 2 demand +11.0 MW");

  const entry = page.locator(".wb-EditBar .wb-Entry");
  await entry.fill("5");
  await page.keyboard.press("Control+z");
  await page.waitForTimeout(100);
  t.strictSame(await edits(page), { deltas: { 2: 11 }, rates: {} }, "a text that is written has its own");
  await page.keyboard.press("Escape");
  t.strictSame(
    await page.evaluate(() => window.hostHeard.filter((key) => /^[zy]$/i.test(key))),
    [],
    "nothing for the undo of the page",
  );
  await undo.click();
  await revision(page, 7);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("menuitem", { name: "Redo: Bus 2 demand +11.0 MW" }).click();
  await revision(page, 8);
  await eventually.equal(t, () => redo.getAttribute("title"), "Nothing to redo");
  await eventually.equal(t, () => redo.isDisabled(), true);
  t.strictSame(complaints, []);
  await page.close();
});

t.test("the status is announced once, and keys of the map work in the edit bar", async (t) => {
  const { page, complaints } = await server.open();
  await show(page, "three_bus.m", [BUS_2]);
  await page.evaluate(() => {
    const status = document.querySelector(".wb-Status");
    const announced: string[] = [];
    Object.assign(window, { announced });
    new MutationObserver(() => announced.push(status?.textContent ?? "")).observe(status ?? document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  const slider = page.locator(".wb-EditBar").getByRole("slider");
  await slider.focus();
  for (let k = 0; k < 5; k += 1) {
    await page.keyboard.press("ArrowRight");
  }
  await revision(page, 1);
  await page.locator('.wb-Map[data-status="ready"]').waitFor();
  const announced = await page.evaluate(() => (window as unknown as { announced: string[] }).announced);
  t.strictSame(
    announced.map((text) => text.replace(/, .*/, "")),
    ["Previewing", "Optimal"],
    "not once for every position, nor of a solve that ends at once",
  );
  await page.keyboard.press("p");
  await eventually.equal(t, () => page.locator(".wb-Map").getAttribute("data-quantity"), "lmp");
  await page.keyboard.press("r");
  await eventually.equal(t, () => page.locator(".wb-Map").getAttribute("data-quantity"), "sensitivity");
  await page.keyboard.press("/");
  await eventually.equal(t, () => page.evaluate(() => document.activeElement?.getAttribute("role")), "combobox");
  await page.keyboard.press("Escape");
  await slider.focus();
  await page.keyboard.press("?");
  await eventually.ok(t, () => page.getByRole("dialog", { name: "Shortcuts" }).isVisible());
  await page.keyboard.press("Escape");
  const entry = page.locator(".wb-EditBar .wb-Entry");
  await entry.focus();
  await page.keyboard.press("?");
  await eventually.match(t, () => entry.inputValue(), "?");
  await eventually.notOk(t, () => page.getByRole("dialog", { name: "Shortcuts" }).isVisible(), "in a field they write");
  t.strictSame(complaints, []);
  await page.close();
});
