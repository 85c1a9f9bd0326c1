// The sections History and Activity in Chromium, and the persistent state of the panel.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { pattern, spaced, pageText } from "../catalogue.ts";
import { noChromium, panelPages } from "./panelPage.ts";
import { editTwo, openCase, openSection, sectionText, state, THREE_BUSES } from "./sectionPage.ts";

t.setTimeout(180_000);

t.test("the sections History and Activity", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);

  await t.test("history has names, undo, redo and a return to each state", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, THREE_BUSES);
    await page.evaluate(editTwo);
    await page.evaluate(() => globalThis.panel.workspace.active?.edit([{ element: { kind: "bus", id: 1 }, mw: 5 }]));
    await openSection(page, "history");
    const section = page.locator('[data-section="history"]');
    const current = (): Promise<string | null> => section.locator('[aria-current="true"]').getAttribute("data-state");
    await eventually.equal(t, () => section.locator("li").count(), 3);
    await eventually.equal(t, current, "2");
    const first = state(page, 1);
    t.match(
      await first.locator(".wb-History-head").getAttribute("title"),
      spaced(/[\d.] \$\/h,/, pattern("fromBase", /[+\u2212][\d.,]+/)),
    );
    const costs = await section.locator("li").evaluateAll((rows) =>
      rows.map((row) => {
        const cost = row.querySelector(".wb-History-cost");
        const isWhole = cost !== null && cost.scrollWidth <= cost.clientWidth;
        return `${cost?.textContent ?? ""}, ${isWhole ? "whole" : "cut"}`;
      }),
    );
    t.equal(costs.length, 3);
    t.ok(
      costs.every((cost) => /^[\d.,]+ \$\/h, whole$/.test(cost)),
      costs.join("; "),
    );
    const heights = await section.locator("li").evaluateAll((rows) => rows.map((row) => row.clientHeight));
    t.ok(
      heights.every((height) => height <= 40),
      `one line a state: ${heights.join(", ")} px`,
    );
    const menu = first.locator("summary");
    await menu.click();
    await first.getByRole("button", { name: pattern("renameState") }).click();
    const entry = first.getByRole("textbox");
    await entry.fill("Congested");
    await entry.press("Escape");
    await entry.waitFor({ state: "detached" });
    await eventually.notMatch(t, () => section.innerText(), /Congested/, "Escape leaves the name as it was");
    await menu.click();
    await first.getByRole("button", { name: pattern("renameState") }).click();
    await entry.fill("Congested");
    await entry.press("Enter");
    await menu.click();
    await first.getByRole("button", { name: pattern("makeLive") }).click();
    await page.locator('.wb-Panel-head[data-revision="3"]').waitFor();
    await eventually.equal(t, current, "1");
    await eventually.match(t, () => page.locator(".wb-Panel-head").innerText(), /Congested/);
    await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.workspace.active?.state.edits.deltas), {
      2: 1,
    });
    await section.getByRole("button", { name: pageText("undo") }).click();
    await page.locator('.wb-Panel-head[data-revision="4"]').waitFor();
    await eventually.equal(t, current, "2");
    await section.getByRole("button", { name: pageText("redo") }).click();
    await page.locator('.wb-Panel-head[data-revision="5"]').waitFor();
    await eventually.equal(t, current, "1");
    await eventually.equal(t, () => section.locator("li").count(), 3, "no state is added");
    await openSection(page, "compare");
    await eventually.match(t, () => page.locator(".wb-Compare-states select").first().innerText(), /1: Congested/);
    t.strictSame(complaints, []);
  });

  await t.test("open sections are remembered; activity is listed", async (t) => {
    const { page } = await pages();
    await openCase(page, THREE_BUSES);
    await page.evaluate(editTwo);
    await openSection(page, "activity");
    await eventually.match(
      t,
      () => sectionText(page, "activity"),
      /edit\s*Line 2|edit\s*Bus 2 demand \+1\.0 MW, line 2/,
    );
    await eventually.match(t, () => sectionText(page, "activity"), /solve\s*[\d.]+ ms[\s\S]*optimal, [\d,.]+ \$\/h/);
    await page.locator('[data-section="result"] .wb-Section-head').click();
    await page.reload();
    await openCase(page, THREE_BUSES);
    const open = (id: string): Promise<string | null> =>
      page.locator(`[data-section="${id}"] .wb-Section-head`).getAttribute("aria-expanded");
    await eventually.equal(t, () => open("activity"), "true");
    await eventually.equal(t, () => open("result"), "false");
    await eventually.equal(t, () => open("edit"), "true");
  });
});
