// The edit bar at the ends of its range, and its notes on estimates and on prices that are not unique.
import t from "tap";
import { eventually } from "../../../eventually.ts";
import type { MapPage } from "../../mapPage/main.ts";
import { BUS_2, edits, LINE_2, revision, row, show, startEditBarPage } from "./editBarPage.ts";

declare const window: Window & { mapPage: MapPage; hostHeard: string[] };

t.setTimeout(300_000);
const server = await startEditBarPage(t);

t.test("Home and End move to the limits of feasibility", async (t) => {
  const { page } = await server.open();
  await show(page, "three_bus.m", [BUS_2]);
  await page.locator(".wb-EditBar").getByRole("slider").focus();
  await page.keyboard.press("Home");
  await revision(page, 1);
  await eventually.strictSame(
    t,
    () => edits(page),
    { deltas: { 2: -70 }, rates: {} },
    "the least output of the two units is 20 MW",
  );
  await page.keyboard.press("End");
  await revision(page, 2);
  const most = await page.evaluate(() => window.mapPage.workspace.sessions[0]?.state.edits.deltas[2] ?? NaN);
  t.ok(Math.abs(most - 410) < 1e-9, "what units and lines can bring");
  await page.close();
});

t.test("the slider of an element that is not the primary one ends at the limit of feasibility", async (t) => {
  const { page, complaints } = await server.open("light", { width: 1100, height: 760 });
  await show(page, "three_bus.m", [BUS_2, LINE_2]);
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.commitElement({ kind: "branch", id: 2 }, -210));
  const bus = row(page, BUS_2);
  await bus.getByText("Infeasible above +20.0 MW").waitFor();
  await eventually.ok(t, async () => Math.abs(Number(await bus.getByRole("slider").getAttribute("max")) - 20) < 1e-6);
  const entry = bus.getByRole("textbox");
  await entry.fill("140");
  await entry.press("Enter");
  await page.locator('.wb-Map[data-status="failed"]').waitFor();
  // Line 2 at 40 MW carries a third of the output at bus 1: bus 2 can take 20 MW more, and 140 is 120 too many.
  const readout = (): Promise<string> => page.locator(".wb-EditBar-readout").innerText();
  await eventually.match(t, readout, /No solution at \+140\.0 MW\. At most \+20\.0 MW\.$/);
  const details = page.locator(".wb-EditBar-why");
  await details.locator("p", { hasText: "Minimum relaxation" }).waitFor({ state: "attached" });
  t.notOk(await details.locator("p").isVisible(), "folded");
  await details.locator("summary").click();
  await eventually.match(t, () => details.innerText(), /cannot be met .* 110\.0 MW\. Minimum relaxation: /, "whole");
  await eventually.match(
    t,
    () => page.locator(".wb-Pill").innerText(),
    /^No solution: the limit of line 2 .* at its minimum output\.$/,
    "in short",
  );
  await eventually.match(t, () => page.locator(".wb-Pill").getAttribute("title"), "Minimum relaxation");
  await page.locator(".wb-EditBar-limit", { hasText: "Set +20.0 MW" }).click();
  await page.locator('.wb-Map[data-status="ready"]').waitFor();
  await eventually.strictSame(
    t,
    () => edits(page),
    { deltas: { 2: 20 }, rates: { 2: -210 } },
    "the button sets what helps",
  );
  t.notOk(await page.locator(".wb-EditBar-limit").isVisible());
  t.strictSame(complaints, []);
  await page.close();
});

t.test("during a linear estimate the legend states that its lines show the previous state", async (t) => {
  const { page, complaints } = await server.open("light", { width: 900, height: 760 });
  await show(page, "three_bus.m", [LINE_2]);
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.commitElement({ kind: "branch", id: 2 }, -210));
  const legend = page.locator(".wb-Legend-lines");
  await legend.getByText("1 binding").waitFor();
  await eventually.notMatch(t, () => legend.innerText(), "before the edit");
  await page.evaluate(() => {
    const [session] = window.mapPage.workspace.sessions;
    if (session !== undefined) {
      session.previewMode = "first_order";
      session.preview(-205);
    }
  });
  await legend.getByText("before the edit").waitFor();
  await eventually.match(t, () => legend.innerText(), "1 binding");
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.commitElement({ kind: "branch", id: 2 }, -205));
  await legend.getByText("before the edit").waitFor({ state: "detached" });
  await eventually.match(t, () => page.locator(".wb-Pill").innerText(), /^Optimal, [\d.]+ (ms|s)$/);
  await eventually.match(
    t,
    () => page.locator(".wb-Pill").getAttribute("title"),
    "largest difference between power in and power out",
  );
  t.strictSame(complaints, []);
  await page.close();
});

t.test("a price that is not unique is marked where it is shown", async (t) => {
  const { page, complaints } = await server.open();
  await show(page, "three_bus.m", [BUS_2]);
  // At 480 MW line 2 is just full: another MW costs 4.10 $ more than the last one saved (closed form, tests/engine/solve/tracks.test.ts).
  await page.locator(".wb-EditBar .wb-Entry").fill("390");
  await page.keyboard.press("Enter");
  await revision(page, 1);
  await page.locator(".wb-EditBar-readout", { hasText: "one-sided" }).waitFor();
  await eventually.match(
    t,
    () => page.locator(".wb-EditBar-readout").innerText(),
    "The price here is not unique: one MW less saves up to 51.20 $/h, one MW more costs at least 55.30 $/h.",
  );
  await page.locator(".wb-Canvas").focus();
  await page.keyboard.press("/");
  await page.keyboard.type("bus 2");
  await page.keyboard.press("Enter"); // which centres it
  await page.waitForTimeout(600);
  const box = await page.locator(".wb-Canvas").boundingBox();
  const card = page.locator(".wb-Card", { hasText: "Bus 2" });
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
  await card.filter({ hasText: "one MW more costs" }).waitFor();
  await eventually.match(
    t,
    () => card.innerText(),
    /Not unique: one MW less saves\s+up to 51\.20 \$\/h\s+one MW more costs\s+at least 55\.30 \$\/h/,
  );
  t.strictSame(complaints, []);
  await page.close();
});
