// Formulations in a real JupyterLab: a case from a file changes to the AC power flow and back, and its edits stay.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { fixture } from "../../fixtures/cases.ts";
import { accessibilityProblems, dropFiles } from "../files.ts";
import { openLab, startLab } from "../lab.ts";
import { atRevision, openSection, runCommand } from "../notebook.ts";

const lab = await startLab([]);
t.teardown(() => lab.stop());
const { page, complaints } = await openLab(lab);
await runCommand(page, "wattbook:show-study-panel");
const panel = page.locator(".wb-Panel-root");
await panel.waitFor();
await dropFiles(panel, [
  { name: "three_bus.m", bytes: await fixture("three_bus.m") },
  { name: "places.csv", bytes: new TextEncoder().encode("bus,lat,lon\n1,40,-105\n2,40.5,-104\n3,39.5,-104.5\n") },
]);

/** The map in front, and its choice of the formulation. */
const map = page.locator(".wb-CaseTab:visible .wb-Map");
const choice = map.getByRole("combobox", { name: "Formulation" });
const words = (selector: string): Promise<string> => map.locator(selector).innerText();
const result = (): Promise<string> => panel.locator('[data-section="result"]').innerText();

t.test("an edited state in the AC power flow has voltages in place of prices and the same edit", async (t) => {
  await map.locator(".wb-Stage[data-placed]").waitFor();
  await map.getByRole("button", { name: "Table of buses" }).click();
  await map.locator('tr[data-bus="2"] button').click();
  await map.getByRole("button", { name: "Table of buses" }).click();
  await map.locator(".wb-Entry").fill("10");
  await map.locator(".wb-Entry").press("Enter");
  await atRevision(map, 1);
  await eventually.match(t, () => words(".wb-EditBar-value"), "Price 12.45 $/MWh");

  await choice.focus();
  await choice.selectOption({ label: "AC power flow" });
  await atRevision(map, 2);
  await eventually.match(t, () => words(".wb-Status"), /^Solved, /);
  t.equal(await map.locator(".wb-Status-live").getAttribute("aria-live"), "polite", "which is a live region");
  await eventually.match(t, () => words(".wb-Legend"), /Voltage magnitude/);
  await eventually.match(t, () => words(".wb-EditBar-change"), /90\.0 \u2192 100\.0 MW/);
  await eventually.match(t, () => words(".wb-EditBar-value"), /^Voltage \d\.\d{4} pu\b/);
  await eventually.match(t, result, /Voltages\s+Lowest/);
  t.notMatch(await panel.innerText(), /\$\/MWh/, "no price is named");
  t.ok(await choice.evaluate((select) => select === document.activeElement), "the focus stays on the choice");

  await map.locator(".wb-Entry").fill("12");
  await map.locator(".wb-Entry").press("Enter");
  await atRevision(map, 3);
  await eventually.match(t, () => words(".wb-Status"), /^Solved/);
  t.strictSame(await accessibilityProblems(map), []);
});

t.test("history names the formulation, and undo returns to the optimum", async (t) => {
  await openSection(page, "history");
  await eventually.match(t, () => panel.locator('[data-section="history"]').innerText(), "Formulation: AC power flow");
  await map.getByRole("button", { name: /^Undo/ }).click();
  await eventually.match(t, () => words(".wb-EditBar-change"), /100\.0 MW/);
  await map.getByRole("button", { name: /^Undo/ }).click();
  await eventually.equal(t, () => choice.inputValue(), "dcopf");
  await eventually.match(t, () => words(".wb-EditBar-value"), "Price 12.45 $/MWh");
  t.strictSame(complaints, []);
});
