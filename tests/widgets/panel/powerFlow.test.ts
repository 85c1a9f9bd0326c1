// The Study panel of an AC power flow in Chromium: voltage collapse, and separate reactive demand.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { pattern, spaced, pageText } from "../catalogue.ts";
import { fixture } from "../../fixtures/cases.ts";
import { noChromium, panelPages } from "./panelPage.ts";

t.setTimeout(180_000);

/** A number as formatted. */
const NUMBER = /[\d,.]+/;

t.test("the panel of an AC power flow", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);
  const text = new TextDecoder().decode(await fixture("three_bus.m"));
  const { page, complaints } = await pages(340);
  await page.evaluate(async (text) => {
    const session = await globalThis.panel.open(text, "Three buses");
    await session.setFormulation("acpf");
    await session.select({ kind: "bus", id: 2 });
  }, text);
  const section = page.locator('[data-section="loadability"]');

  await t.test("the limit is found, drawn and announced, and its buses are selected by a click", async (t) => {
    await section.locator(".wb-Section-head").click();
    t.equal(await section.getByRole("combobox").inputValue(), "bus");
    await section.getByRole("button", { name: pageText("findLoadability") }).click();
    const status = section.getByRole("status");
    await eventually.match(t, () => status.innerText(), pattern("collapseBeyond", "Bus 2", NUMBER, NUMBER));
    const text = await status.innerText();
    const found = await page.evaluate(() => {
      const state = globalThis.panel.workspace.active?.loadability.state;
      return state?.kind === "done" ? { margin: state.found.margin_mw, buses: state.found.buses.length } : null;
    });
    t.ok(
      found !== null &&
        text.includes(
          `+${found.margin.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MW`,
        ),
    );
    const plot = section.locator(".js-plotly-plot");
    await plot.locator(".scatterlayer .trace").first().waitFor();
    const [legend, area] = await Promise.all([
      plot.locator(".legend").boundingBox(),
      plot.locator(".xy").first().boundingBox(),
    ]);
    t.ok((legend?.height ?? Infinity) < 40, "the legend leaves the plot its room");
    t.ok((area?.height ?? 0) > 100);
    t.notMatch(await plot.locator(".legend").textContent(), /limit/);
    const rows = section.locator(".wb-Panel-binding li");
    t.equal(await rows.count(), found?.buses);
    t.match(await rows.first().innerText(), pattern("voltageAtLimit", /^Bus \d.*/, NUMBER));
    await section
      .locator("summary")
      .filter({ hasText: pageText("numbers") })
      .click();
    t.match(await section.locator("table").innerText(), pageText("growth"));

    await page.evaluate(() => globalThis.panel.workspace.active?.commitElement({ kind: "bus", id: 2 }, 5));
    await section.getByText(pageText("curveOfBefore")).waitFor();
    await section.getByRole("combobox").selectOption("system");
    await section.getByRole("button", { name: pageText("findLoadability") }).click();
    await eventually.match(t, () => status.innerText(), pattern("collapseBeyond", pageText("system")));
    t.equal(await section.getByText(pageText("curveOfBefore")).count(), 0);
  });

  await t.test("without a bus the section states what to choose", async (t) => {
    await page.evaluate(() => globalThis.panel.workspace.active?.select(null));
    await section.getByRole("combobox").selectOption("bus");
    await eventually.equal(
      t,
      () => section.getByRole("button", { name: pageText("findLoadability") }).isDisabled(),
      true,
    );
  });

  await t.test("reactive demand follows the power factor or is edited independently", async (t) => {
    await page.evaluate(() => globalThis.panel.workspace.active?.select({ kind: "bus", id: 2 }));
    const row = page.locator('.wb-EditRow[data-element="bus 2"] .wb-EditRow-reactive');
    const select = row.getByRole("combobox");
    t.equal(await select.inputValue(), "factor");
    t.match(await row.innerText(), pattern("reactiveDemandOf", /-?[\d.]+/));
    await select.selectOption("own");
    const entry = row.getByRole("textbox", { name: pageText("reactiveChange", "bus 2") });
    await entry.waitFor();
    const reactive = (): Promise<unknown> =>
      page.evaluate(() => globalThis.panel.workspace.active?.state.edits.reactive ?? null);
    t.strictSame(await reactive(), { 2: 0 }, "as it is in the base case");
    await entry.fill("nonsense");
    await entry.press("Enter");
    await page.getByRole("alert").getByText(pattern("notMvar", "nonsense")).waitFor();
    await entry.fill("12 MVAr");
    await entry.press("Enter");
    await eventually.strictSame(t, reactive, { 2: 12 });
    await eventually.match(
      t,
      () => page.locator(".wb-Panel-head").innerText(),
      pageText("reactiveStep", "Bus 2", "+12.0"),
    );
    await eventually.match(
      t,
      () => page.locator('[data-section="case"]').innerText(),
      spaced(pageText("reactiveMvar"), "+12.0"),
    );
    await select.selectOption("factor");
    await eventually.equal(t, reactive, null);
    await page.evaluate(() => globalThis.panel.workspace.active?.setFormulation("dcopf"));
    await eventually.equal(t, () => row.count(), 0, "DC has no reactive power");
  });
  t.strictSame(complaints, []);
});
