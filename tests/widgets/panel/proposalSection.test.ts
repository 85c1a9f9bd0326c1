// The section Proposal in Chromium: what an agent proposed is applied once, however often somebody clicks.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { noChromium, panelPages } from "./panelPage.ts";
import { openCase, THREE_BUSES } from "./sectionPage.ts";

t.test("a double click on Apply applies once", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);
  const { page, complaints } = await pages();
  await openCase(page, THREE_BUSES);
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
  const card = page.locator(".wb-Proposal");
  const state = (): Promise<string | null> => card.getAttribute("data-state");
  await card.locator('[data-action="approve"]').click();
  await eventually.equal(t, state, "approved");
  await card.locator('[data-action="apply"]').dblclick();
  await eventually.equal(t, state, "applied");
  await page.locator('.wb-Panel-head[data-revision="2"]').waitFor();
  // A second apply would have been refused by now: one after it waits for its turn.
  await page.evaluate(() =>
    globalThis.panel.workspace.active?.commitChecked({ check: () => undefined, edits: (e) => e }),
  );
  t.equal(await card.getByRole("alert").count(), 0);
  t.strictSame(complaints, []);
});
