// The whole panel in Chromium: a narrow side bar, accessibility.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { pageText } from "../catalogue.ts";
import { noChromium, panelPages, showTheme, THEMES } from "./panelPage.ts";
import { editTwo, openCase, openSection, seriousFindings, THREE_BUSES } from "./sectionPage.ts";

t.setTimeout(180_000);

t.test("the panel in a page", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);

  await t.test("nothing overflows at the initial width of a JupyterLab side bar", async (t) => {
    const { page } = await pages(250);
    await openCase(page, THREE_BUSES);
    await page.evaluate(editTwo);
    await page.evaluate(() => void globalThis.panel.workspace.active?.select({ kind: "bus", id: 2 }));
    for (const id of ["compare", "plan", "history", "tables", "charts", "outages", "activity"]) {
      await openSection(page, id);
    }
    await page.getByRole("button", { name: pageText("screenOutages") }).click();
    await page.locator(".wb-Outages-box").waitFor();
    await page.locator(".wb-Chart-plot .main-svg").first().waitFor();
    const outside = await page.evaluate(() => {
      const scrolling = "svg, .wb-Grid, .wb-Outages-box table, .wb-Chart-numbers table, .wb-Table-reader";
      return [...document.querySelectorAll(".wb-Section-body")].flatMap((body) => {
        const right = body.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(body).paddingRight);
        return [...body.querySelectorAll("*")]
          .filter((node) => node.closest(scrolling) === null && node.getBoundingClientRect().right > right + 0.5)
          .map((node) => `${node.tagName}.${node.className} ${node.textContent}`);
      });
    });
    t.strictSame(outside, []);
    const changes = page.getByRole("table", { name: pageText("changesFromBase") });
    const [name, row] = await Promise.all(
      [changes.locator("tbody th").first(), changes.locator("tbody tr").first()].map((node) => node.boundingBox()),
    );
    const numbers = await changes.locator("tbody tr").first().locator("td").first().boundingBox();
    t.ok((name?.width ?? 0) > 0.95 * (row?.width ?? NaN), "a name has a row of its own");
    t.ok((numbers?.y ?? 0) >= (name?.y ?? NaN) + (name?.height ?? NaN), "its numbers are below");
    await eventually.equal(t, () => changes.getByRole("columnheader").count(), 3, "and it is a table still");
  });

  for (const theme of THEMES) {
    await t.test(`axe-core finds nothing serious: ${theme}`, async (t) => {
      const { page } = await pages();
      await openCase(page, THREE_BUSES);
      await showTheme(page, theme);
      await page.evaluate(editTwo);
      await page.evaluate(
        () =>
          void globalThis.panel.workspace.active?.selectMany([
            { kind: "branch", id: 2 },
            { kind: "bus", id: 2 },
          ]),
      );
      for (const id of ["compare", "plan", "history", "tables", "charts", "outages", "activity"]) {
        await openSection(page, id);
      }
      await page.locator(".wb-Chart-plot .main-svg").first().waitFor();
      await page.getByRole("button", { name: pageText("screenOutages") }).click();
      await page.locator(".wb-Outages-box").waitFor();
      t.strictSame(await seriousFindings(page), []);
    });
  }
});
