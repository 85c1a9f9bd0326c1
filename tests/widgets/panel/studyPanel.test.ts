// History and Plan of the panel in Chromium: a saved state is inspected, a plan is made, approved by a click and
// applied.
import type { Page } from "playwright-core";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { inOrder, pattern, spaced, pageText } from "../catalogue.ts";
import { fixture } from "../../fixtures/cases.ts";
import { StudyWriter } from "@service/widgets/workspace";
import { engine, LINE_2_AT_40, openThreeBus } from "../session.ts";
import { noChromium, panelPages } from "./panelPage.ts";
import { openSection } from "./sectionPage.ts";

t.setTimeout(300_000);

const revision = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => globalThis.panel.workspace.active?.live.revision);

/** The three buses with line 2 held at 40 MW, which gives bus 2 a high price. */
async function openCongested(page: Page, text: string): Promise<void> {
  await page.evaluate(async (text) => {
    const session = await globalThis.panel.open(text, "Three buses");
    await session.edit([{ element: { kind: "branch", id: 2 }, mw: -210 }]);
  }, text);
  await page.locator('.wb-Panel-head[data-revision="1"]').waitFor();
}

t.test("the Study in the panel", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);
  const text = new TextDecoder().decode(await fixture("three_bus.m"));

  await t.test("a saved state is inspected, gets a note, and is left", async (t) => {
    const { page, complaints } = await pages(340);
    await openCongested(page, text);
    const history = await openSection(page, "history");
    const base = history.locator('[data-state="0"]');
    await base.locator("summary").click();
    await base.getByRole("button", { name: pattern("inspectState") }).click();
    const mark = page.locator(".wb-Panel-head .wb-Inspecting");
    await eventually.match(
      t,
      () => mark.innerText(),
      spaced(pageText("inspecting"), `0: ${pageText("baseCase")}`, pageText("liveState", "1: Line 2")),
    );
    await eventually.equal(t, () => base.locator('[data-mark="inspecting"]').count(), 1);
    t.equal(await history.locator('[data-state="1"] [data-mark="applied"]').innerText(), pageText("applied"));
    await eventually.match(t, () => page.locator(".wb-Panel-prices").innerText(), /11\.49 \$\/MWh/);
    t.equal(await page.locator('[data-section="edit"]').count(), 0, "what is inspected is not edited");
    t.equal(await revision(page), 1);
    await base.locator("summary").click();
    await base.getByRole("button", { name: pattern("writeNote") }).click();
    const note = base.getByRole("textbox");
    await note.fill("Before <b>anything</b>\nhappens");
    await note.press("Control+Enter");
    await eventually.equal(t, () => base.locator(".wb-History-note").innerText(), "Before <b>anything</b>\nhappens");
    await mark.getByRole("button", { name: pageText("backToLive") }).click();
    await mark.waitFor({ state: "hidden" });
    await eventually.match(t, () => page.locator(".wb-Panel-prices").innerText(), /30\.10 \$\/MWh/);
    t.equal(await page.locator('[data-section="edit"]').count(), 1);
    t.strictSame(complaints, []);
  });

  await t.test("an imported Study without a base input states that it has no reset", async (t) => {
    const { page, complaints } = await pages(340);
    const { session } = await openThreeBus();
    await session.commit(LINE_2_AT_40, 0);
    const bundle = await new StudyWriter(session).bundle({ id: "study-1", title: "Three buses" });
    delete bundle.document.base_input;
    await page.evaluate(
      async (text) => {
        const { workspace } = globalThis.panel;
        await workspace.openStudy(await workspace.engine.readStudyBundle(new TextEncoder().encode(text)));
        const [opened] = workspace.sessions;
        if (opened !== undefined) {
          workspace.activate(opened);
        }
      },
      new TextDecoder().decode(await engine.writeStudyBundle(bundle)),
    );
    const about = await openSection(page, "case");
    await eventually.match(
      t,
      () => about.innerText(),
      /Reset is unavailable: this Study was saved without its base input\./,
    );
    t.equal(await about.getByRole("button", { name: "Reset to the base case" }).count(), 0);
    t.strictSame(complaints, []);
  });

  await t.test("a plan is made, approved by a click and applied", async (t) => {
    const { page, complaints } = await pages(340);
    await openCongested(page, text);
    const plan = await openSection(page, "plan");
    const run = plan.locator('[data-action="plan"]');
    t.ok(await run.isDisabled(), "without candidates there is nothing to plan");
    await plan.getByRole("button", { name: `+ ${pageText("bindingLines")} (1)` }).click();
    await eventually.match(
      t,
      () => plan.locator(".wb-Plan-candidates tbody").innerText(),
      /Line 2 \(2 to 3\)\s*\u00d7\s*40\.0/,
    );
    for (const [key, value] of [
      ["increment", "5"],
      ["mostPerLine", "10"],
      ["budget", "10"],
    ] as const) {
      await plan.getByRole("textbox", { name: pageText(key) }).fill(value);
    }
    await run.click();
    await eventually.equal(t, () => plan.locator(".wb-Plan").getAttribute("data-plan"), "done");
    await eventually.equal(t, () => plan.locator('.wb-Plan-trials [data-outcome="accepted"]').count(), 2);
    const outcome = await plan.locator(".wb-Plan-outcome").innerText();
    t.match(
      outcome,
      spaced(pageText("bestVerified"), "30.10 \u2192 11.80 $/MWh (\u221218.30)"),
      "all demand is at bus 2",
    );
    t.match(outcome, pageText("planUsed", "10.0", "10.0", "MW", 1, 5, 3, 16));
    const changes = plan.locator(".wb-Plan-changes tbody");
    t.match(await changes.innerText(), /Line 2 \(2 to 3\)\s*40\.0\s*50\.0\s*\+10\.0/);
    t.equal(await revision(page), 1, "nothing is applied");
    const [approve, apply] = [plan.locator('[data-action="approve"]'), plan.locator('[data-action="apply"]')];
    t.ok(await apply.isDisabled());
    await plan.locator('[data-armed="true"]').waitFor();
    await approve.evaluate((button: HTMLButtonElement) => button.click());
    await eventually.match(t, () => plan.getByRole("alert").innerText(), pageText("onlyAPerson"));
    t.ok(await apply.isDisabled(), "a script approves nothing");
    await approve.click();
    await eventually.ok(t, () => apply.isEnabled());
    await apply.click();
    await page.locator('.wb-Panel-head[data-revision="2"]').waitFor();
    await eventually.match(t, () => plan.locator(".wb-Plan-proposal").innerText(), pageText("appliedIsLive"));
    const rates = await page.evaluate(() => globalThis.panel.workspace.active?.live.edits.rates);
    t.strictSame(rates, { 2: -200 });
    const history = await openSection(page, "history");
    const marks = history.locator('[data-state="2"] .wb-StateMark');
    await eventually.strictSame(t, () => marks.allInnerTexts(), [pageText("recommended"), pageText("applied")]);
    const activity = await openSection(page, "activity");
    await eventually.match(
      t,
      () => activity.innerText(),
      inOrder(
        spaced(pageText("decision"), pageText("proposalApplied")),
        spaced(pageText("decision"), pageText("proposalApproved")),
      ),
    );
    t.match(
      await activity.innerText(),
      spaced(pageText("planningTrial"), "Line 2 (2 to 3) rating +5.0 MW", pageText("accepted")),
    );
    t.strictSame(complaints, []);
  });

  await t.test("demand moves from the expensive to the cheap bus with a constant total", async (t) => {
    const { page, complaints } = await pages(340);
    await openCongested(page, text);
    const plan = await openSection(page, "plan");
    await plan.locator('[data-plan="decision"]').selectOption("demand_redistribution");
    await plan.getByRole("button", { name: `+ ${pageText("bindingEnds")} (2)` }).click();
    await eventually.match(
      t,
      () => plan.locator(".wb-Plan-candidates tbody").innerText(),
      /Bus 2\s*\u00d7\s*90\.0\s*30\.10\s*Bus 3/,
    );
    for (const [key, value] of [
      ["increment", "5"],
      ["mostPerBus", "20"],
      ["mostMoved", "20"],
    ] as const) {
      await plan.getByRole("textbox", { name: pageText(key) }).fill(value);
    }
    await plan.locator('[data-action="plan"]').click();
    await eventually.equal(t, () => plan.locator('.wb-Plan-trials [data-outcome="accepted"]').count(), 4);
    t.match(
      await plan.locator(".wb-Plan-trials tbody").first().innerText(),
      spaced("Bus 2 \u2192 Bus 3 5.0 MW", pageText("accepted")),
    );
    const changes = plan.locator(".wb-Plan-changes");
    t.match(await changes.innerText(), /Bus 2\s*90\.0\s*70\.0\s*\u221220\.0\s*Bus 3\s*0\.0\s*20\.0\s*\+20\.0/);
    await plan.locator('[data-action="approve"]').click();
    await plan.locator('[data-action="apply"]').click();
    await page.locator('.wb-Panel-head[data-revision="2"]').waitFor();
    const deltas = await page.evaluate(() => globalThis.panel.workspace.active?.live.edits.deltas);
    t.strictSame(deltas, { 2: -20, 3: 20 });
    const activity = await openSection(page, "activity");
    t.match(
      await activity.innerText(),
      spaced(pageText("planningTrial"), pageText("demandMoved", "5.0 MW", "bus 2", "bus 3"), pageText("accepted")),
    );
    t.strictSame(complaints, []);
  });

  await t.test("candidates are chosen by a box on the map", async (t) => {
    const { page, complaints } = await pages(340);
    await openCongested(page, text);
    const plan = await openSection(page, "plan");
    const box = plan.locator('[data-action="box"]');
    await box.click();
    await eventually.match(t, () => plan.getByRole("alert").innerText(), /No map of this case is visible/);
    t.equal(await box.getAttribute("aria-pressed"), "false");
    await page.evaluate(() => {
      globalThis.panel.workspace.active?.boxPick.changed.connect((pick) => void pick.claim()); // like a map
    });
    await box.click();
    await eventually.equal(t, () => box.getAttribute("aria-pressed"), "true");
    t.equal(await plan.getByRole("alert").count(), 0);
    await page.evaluate(() => globalThis.panel.workspace.active?.boxPick.take([3, 2]));
    const candidates = plan.locator(".wb-Plan-candidates tbody th");
    await eventually.match(t, async () => (await candidates.allInnerTexts()).join(), /^Line 2[^]*Line 3/);
    t.equal(await box.getAttribute("aria-pressed"), "false");
    t.ok(await box.evaluate((button) => document.activeElement === button), "the focus comes back");
    await box.click();
    await page.evaluate(() => globalThis.panel.workspace.active?.boxPick.take([1]));
    await eventually.equal(t, () => candidates.count(), 3, "a further box adds");
    await box.click();
    await eventually.equal(t, () => box.getAttribute("aria-pressed"), "true");
    await plan.locator('[data-plan="decision"]').selectOption("demand_placement");
    await eventually.equal(t, () => box.getAttribute("aria-pressed"), "false", "the request for lines is cancelled");
    t.equal(await page.evaluate(() => globalThis.panel.workspace.active?.boxPick.request), null);
    t.strictSame(complaints, []);
  });

  await t.test("a plan lowers the prices of an area or of the selected equipment", async (t) => {
    const { page, complaints } = await pages(340);
    // Bus 3 is a separate area.
    await openCongested(page, text.replace("3\t2\t0\t0\t0\t0\t1\t", "3\t2\t0\t0\t0\t0\t7\t"));
    const plan = await openSection(page, "plan");
    const goals = (): Promise<unknown> =>
      page.evaluate(() =>
        globalThis.panel.workspace.active?.plans.goals.map(({ scope, spec }) => [scope, spec.objective.weights]),
      );
    const run = async (): Promise<void> => {
      await plan.locator('[data-action="plan"]').click();
      await eventually.equal(t, () => plan.locator(".wb-Plan").getAttribute("data-plan"), "done");
    };
    await plan.getByRole("button", { name: /^\+ Binding lines/ }).click();
    await run();
    const whose = plan.getByLabel("Whose prices");
    t.strictSame(await whose.locator("option").allInnerTexts(), [
      "Whole network",
      "Area 1",
      "Area 7",
      "Selected equipment",
    ]);
    await whose.selectOption("area 7");
    t.match(await plan.innerText(), /These buses have no demand/);
    t.ok(await plan.locator('[data-action="plan"]').isDisabled());
    await plan.getByLabel("Weights of the prices").selectOption("equal");
    await run();
    await page.evaluate(() => globalThis.panel.workspace.active?.select({ kind: "branch", id: 1 }));
    await whose.selectOption("buses");
    t.match(await plan.innerText(), /Mean price of 2 buses/, "the ends of line 1");
    await run();
    t.strictSame(await goals(), [
      [{ kind: "network" }, [{ bus: 2, weight: 1 }]],
      [{ kind: "area", area: 7 }, [{ bus: 3, weight: 1 }]],
      [
        {
          kind: "elements",
          elements: [
            { kind: "bus", id: 1 },
            { kind: "bus", id: 2 },
          ],
        },
        [
          { bus: 1, weight: 0.5 },
          { bus: 2, weight: 0.5 },
        ],
      ],
    ]);
    t.strictSame(complaints, []);
  });

  await t.test("an edit makes a proposal obsolete", async (t) => {
    const { page } = await pages(340);
    await openCongested(page, text);
    const plan = await openSection(page, "plan");
    await plan.getByRole("button", { name: `+ ${pageText("bindingLines")}` }).click();
    await plan.locator('[data-action="plan"]').click();
    await plan.locator('[data-action="approve"]').click();
    await page.evaluate(() => globalThis.panel.workspace.active?.edit([{ element: { kind: "bus", id: 2 }, mw: 1 }]));
    await eventually.match(t, () => plan.locator(".wb-Plan-proposal").innerText(), pageText("proposalExpired"));
    t.equal(await plan.locator('[data-action="apply"]').count(), 0);
  });
});
