// The section Proposal in Chromium: a proposal of an agent is applied once, however often a user clicks.
import type { Page } from "playwright-core";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { noChromium, panelPages } from "./panelPage.ts";
import { openCase, THREE_BUSES } from "./sectionPage.ts";

t.test("a double click on Apply applies once", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);
  const { page, complaints } = await pages();
  await openCase(page, THREE_BUSES);
  await propose(page);
  const { card, state } = cardOf(page);
  await armed(page);
  await card.locator('[data-action="approve"]').dblclick();
  await eventually.equal(t, state, "approved");
  await page.waitForTimeout(300);
  t.equal(await state(), "approved", "the second click does not apply");
  await card.locator('[data-action="apply"]').dblclick();
  await eventually.equal(t, state, "applied");
  await page.waitForTimeout(300);
  t.equal(await card.count(), 1, "the second click does not discard");
  await page.locator('.wb-Panel-head[data-revision="2"]').waitFor();
  // A second apply would have been refused by now: a later one waits for its turn.
  await page.evaluate(() =>
    globalThis.panel.workspace.active?.commitChecked({ check: () => undefined, edits: (e) => e }),
  );
  t.equal(await card.getByRole("alert").count(), 0);
  t.strictSame(complaints, []);
});

t.test("a click approves a proposal that has been on the screen for a second", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);
  const { page, complaints } = await pages();
  await openCase(page, THREE_BUSES);
  await propose(page);
  const { card, approve, state } = cardOf(page);
  await armed(page);
  for (const mw of [20, 200]) {
    await stage(page, mw);
    t.equal(await approve.getAttribute("aria-disabled"), "true", "a new proposal disarms the control");
    await page.waitForTimeout(200);
  }
  t.match(await card.innerText(), "+200.0 MW");
  await clickAt(page);
  t.equal(await state(), "staged", "a click within the first second approves nothing");
  await armed(page);
  t.equal(await state(), "staged");
  await clickAt(page);
  await eventually.equal(t, state, "approved");
  const approved = await page.evaluate(() => globalThis.panel.workspace.active?.proposals.open?.changes[0]?.mw);
  t.equal(approved, 200, "what was shown");
  t.strictSame(complaints, []);
});

t.test(
  "the control is not armed while the card is covered, dimmed, clipped or changed",
  { skip: noChromium },
  async (t) => {
    const pages = await panelPages(t);
    const { page } = await pages();
    await openCase(page, THREE_BUSES);
    await propose(page);
    const { card, approve, state } = cardOf(page);
    const hidings: [what: string, style: string][] = [
      ["dimmed", ".wb-Proposal { opacity: 0.01 }"],
      ["a line of it not drawn", ".wb-Proposal li { visibility: hidden }"],
      ["covered", "body::after { content: ''; position: fixed; inset: 0; z-index: 9999; background: white }"],
      [
        "covered, and clicks go through",
        "body::after { content: ''; position: fixed; inset: 0; z-index: 9999; background: white; pointer-events: none }",
      ],
      ["clipped", ".wb-Proposal { clip-path: inset(0 0 60% 0) }"],
      ["beside the window", ".wb-Proposal { position: fixed; left: -5000px }"],
    ];
    for (const [what, style] of hidings) {
      await setStyle(page, style);
      await stage(page, 20); // again: having seen the previous one does not count
      await page.waitForTimeout(1400);
      t.equal(await approve.getAttribute("aria-disabled"), "true", what);
      await setStyle(page, "");
    }
    await armed(page);
    await card.locator("li").evaluate((line) => line.append(" or so"));
    await eventually.equal(t, () => approve.getAttribute("aria-disabled"), "true", "changed");
    t.equal(await state(), "staged");
  },
);

t.test("a script that borrows a person's click approves nothing", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);
  const { page } = await pages();
  await openCase(page, THREE_BUSES);
  await propose(page);
  const { approve, state } = cardOf(page);
  await armed(page);
  await approve.evaluate((button: HTMLElement) => button.click());
  await approve.dispatchEvent("click");
  const called = await approve.evaluate(async (button) => {
    // Any handler that React has for the control or its containers, with a real click elsewhere as its native event.
    const lure = document.createElement("button");
    Object.assign(lure.style, { position: "fixed", left: "0", top: "0", zIndex: "99999" });
    lure.id = "lure";
    lure.textContent = "More";
    document.body.append(lure);
    const clicked = new Promise<number>((resolve) => {
      lure.addEventListener("click", (nativeEvent) => {
        let count = 0;
        for (let node: Element | null = button; node !== null; node = node.parentElement) {
          for (const [key, props] of Object.entries(node)) {
            const onClick = (props as { onClick?: unknown } | null)?.onClick;
            if (key.startsWith("__reactProps") && typeof onClick === "function") {
              count += 1;
              onClick({ nativeEvent, target: button, currentTarget: button, preventDefault: () => undefined });
            }
          }
        }
        const { proposals } = globalThis.panel.workspace.active ?? {};
        const { open } = proposals ?? {};
        try {
          proposals?.approve(nativeEvent, open?.id ?? "", open?.baseRevision ?? 0, open?.digest ?? "");
        } catch {
          count += 100;
        }
        resolve(count);
      });
    });
    Object.assign(globalThis, { clicked });
    return lure.id;
  });
  await page.locator(`#${called}`).click();
  const refusals = await page.evaluate(() => (globalThis as unknown as { clicked: Promise<number> }).clicked);
  t.ok(refusals >= 100, "the desk refused a click beside the control");
  t.equal(await state(), "staged");
  await page.locator("#lure").evaluate((lure) => lure.remove());
  await approve.click();
  await eventually.equal(t, state, "approved", "a person can");
});

/** Line 2 is held at 40 MW, and a plan proposes to relieve it. */
async function propose(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const session = globalThis.panel.workspace.active;
    await session?.edit([{ element: { kind: "branch", id: 2 }, mw: -210 }]);
    await session?.proposals.propose({
      objective: { kind: "weighted_lmp", weights: [{ bus: 2, weight: 1 }] },
      candidates: [1, 2, 3],
      ...{ max_increase_per_branch_mw: 40, budget_mw: 40, increment_mw: 20 },
      ...{ max_changed_lines: 2, exact_solve_budget: 6 },
    });
  });
}

/** Stages another change of line 2 in place of the staged one. */
async function stage(page: Page, mw: number): Promise<void> {
  await page.evaluate((mw) => {
    const { proposals } = globalThis.panel.workspace.active ?? {};
    const { open } = proposals ?? {};
    if (proposals === undefined || !open) {
      throw new Error("nothing is staged");
    }
    proposals.stage({ ...open, changes: [{ element: { kind: "branch", id: 2 }, mw }] });
  }, mw);
}

/** Replaces the added rules of the page, as scripts may under its policy. */
async function setStyle(page: Page, rules: string): Promise<void> {
  await page.evaluate((rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [sheet];
  }, rules);
}

function cardOf(page: Page) {
  const card = page.locator(".wb-Proposal");
  return { card, approve: card.locator('[data-action="approve"]'), state: () => card.getAttribute("data-state") };
}

/** Waits until the control is armed. */
async function armed(page: Page): Promise<void> {
  await page.locator('.wb-Proposal[data-armed="true"]').waitFor();
}

/** Clicks at the control's position, armed or not. */
async function clickAt(page: Page): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await cardOf(page).approve.boundingBox()) ?? {};
  await page.mouse.click(x + width / 2, y + height / 2);
}
