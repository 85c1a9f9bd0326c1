// The section Why this price in Chromium: parts of a price in two states, the generators that set it, and the effects of ratings.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { pageText, pattern } from "../catalogue.ts";
import { noChromium, panelPages, showTheme, THEMES } from "./panelPage.ts";
import { editTwo, openCase, openSection, sectionText, seriousFindings, THREE_BUSES } from "./sectionPage.ts";

t.setTimeout(180_000);

t.test("the section Why this price", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);

  await t.test("the price is split in one state and in two", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, THREE_BUSES);
    const section = await openSection(page, "price");
    t.match(await sectionText(page, "price"), pageText("selectForPrice"));
    await page.evaluate(() => globalThis.panel.workspace.active?.select({ kind: "bus", id: 3 }));
    const parts = section.locator(".wb-Price-parts");
    await eventually.match(t, () => parts.innerText(), /Energy\s+11\.49\s+LMP\s+11\.49/, "one column for one state");
    t.match(await sectionText(page, "price"), pageText("noLineLowers"));
    // Line 2 held at 40 MW and one MW more at bus 2: 18.64, 31.15, 6.13 $/MWh.
    await page.evaluate(editTwo);
    await eventually.match(
      t,
      () => parts.innerText(),
      /Line 2 \(2 to 3\) now binds\s+0\.00\s+\u221225\.02\s+\u221225\.02/,
      "two thirds of the shadow price, 37.53 $/MWh",
    );
    t.match(await parts.locator("tfoot").innerText(), /LMP\s+11\.49\s+6\.13\s+\u22125\.36/);
    const units = section.locator(".wb-Price-units");
    t.match(await units.locator('[data-generator="2"]').innerText(), /0\.564 \u00d7 11\.49\s+1\.00 \u00d7 6\.13/);
    t.match(await units.locator('[data-generator="1"]').innerText(), /0\.436 \u00d7 11\.49\s+no part/);

    // A link selects on the map; the section stays with its bus.
    await parts.getByRole("button", { name: "Line 2 (2 to 3)" }).click();
    await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.workspace.active?.selection), {
      kind: "branch",
      id: 2,
    });
    t.match(await section.locator(".wb-Section-note").innerText(), /Bus 3/);
    // With the keys alone: the states the other way round.
    const states = section.locator(".wb-Compare-states select");
    const [from, to] = [states.first(), states.last()];
    await from.focus();
    await page.keyboard.press("End");
    await to.focus();
    await page.keyboard.press("Home");
    await eventually.match(t, () => parts.innerText(), pageText("noLongerBinds"));
    await page.evaluate(() => globalThis.panel.workspace.active?.select(null));
    await eventually.match(t, () => sectionText(page, "price"), pageText("selectForPrice"));
    t.strictSame(complaints, []);
  });

  await t.test("ratings that lower the price are listed and verified exactly", async (t) => {
    const { page, complaints } = await pages(340);
    await openCase(page, THREE_BUSES);
    const section = await openSection(page, "price");
    await page.evaluate(editTwo);
    await page.evaluate(() => globalThis.panel.workspace.active?.select({ kind: "bus", id: 3 }));
    const row = section.locator('.wb-Price-ratings tbody [data-branch="2"]');
    await eventually.match(t, () => row.innerText(), /\+0\.510/, "unit 2 gives more");
    await section.getByRole("combobox", { name: pageText("price") }).selectOption({ label: pageText("meanByDemand") });
    await eventually.match(t, () => row.innerText(), /\u22121\.83/, "all demand is at bus 2");
    const amount = section.getByLabel(pageText("raiseBy"));
    await amount.fill("5");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await eventually.match(
      t,
      () => row.innerText(),
      /\u22121\.83\s+\u22129\.15\s+\u22129\.15/,
      "exact within the interval",
    );
    t.match(await sectionText(page, "price"), pattern("verified", 1, "1", "5.0 MW"));
    await amount.fill("20");
    await section.getByRole("button", { name: pageText("verify") }).click();
    await eventually.match(
      t,
      () => row.innerText(),
      /\u221236\.60\s+\u221219\.57/,
      "beyond it the line no longer binds",
    );
    t.equal(await page.evaluate(() => globalThis.panel.workspace.active?.state.revision), 1, "nothing is published");
    t.ok(((await section.boundingBox())?.width ?? Infinity) <= 340);
    for (const theme of THEMES) {
      await showTheme(page, theme);
      t.strictSame(await seriousFindings(page), [], theme);
    }
    t.strictSame(complaints, []);
  });

  await t.test("states without prices and states of the relaxation are compared", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, THREE_BUSES);
    const section = await openSection(page, "price");
    await page.evaluate(async () => {
      const session = globalThis.panel.workspace.active;
      await session?.setFormulation("acpf");
    });
    await section.waitFor({ state: "detached" });
    await page.evaluate(async () => {
      const session = globalThis.panel.workspace.active;
      await session?.setFormulation("socwr");
      await session?.select({ kind: "bus", id: 3 });
    });
    const parts = section.locator(".wb-Price-parts");
    await eventually.match(t, () => parts.innerText(), /Losses\s+0\.00[\s\S]*Voltage limits\s+0\.00/);
    t.match(await sectionText(page, "price"), pattern("twoFormulations", "DC OPF", "SOC relaxation"));
    await section.locator(".wb-Compare-states select").first().selectOption({ index: 1 });
    await eventually.match(t, () => section.locator(".wb-mod-failed").innerText(), /acpf/);
    t.strictSame(complaints, []);
  });
});
