// Exact prices at drag rate in a real JupyterLab: band and ticks, exact while dragging, the preview beside the exact result,
// and the N-1 table. The three-bus network has its breakpoints in closed form; the 500-bus one has many.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { accessibilityProblems } from "../files.ts";
import { openNotebook, startLab } from "../lab.ts";
import { atRevision, dragSlider, notebookOf, openSection, runCode, runCommand, theMap } from "../notebook.ts";

const CASE = "three_bus.m";
const lab = await startLab([`tests/fixtures/${CASE}`]);
t.teardown(() => lab.stop());
const code = `import wattbook as wb
case = wb.open_case("${CASE}")
view = case.study().map(bus=2)
view`;
await writeFile(join(lab.folder, "exact.ipynb"), notebookOf(code));
const { page, complaints } = await openNotebook(lab, "exact.ipynb");
await runCommand(page, "notebook:run-all-cells");
const map = await theMap(page);
const text = (selector: string): Promise<string> => map.locator(selector).innerText();

interface Frame {
  mw: number;
  lmp: number[];
}

/** The values on the map: the position they belong to, MW, and prices, $/MWh. */
function frame(): Promise<Frame> {
  return page.evaluate(async () => {
    interface Module {
      IWorkspace: unknown;
    }
    interface Session {
      shownMw: number | null;
      store: { shown(name: string): Float64Array | null };
    }
    const page = window as unknown as {
      _JUPYTERLAB: Record<string, { get(name: string): Promise<() => Module> }>;
      jupyterapp: { resolveRequiredService(token: unknown): Promise<{ active: Session | null }> };
    };
    const extension = await page._JUPYTERLAB["@service/jupyterlab"]?.get("./index");
    const { active } = await page.jupyterapp.resolveRequiredService(extension?.().IWorkspace);
    return { mw: active?.shownMw ?? NaN, lmp: [...(active?.store.shown("lmp") ?? [])] };
  });
}

/** Prices in the kernel with a change of the demand of bus 2, from a separate Study. */
async function pricesInKernel(mw: number): Promise<number[]> {
  const printed = await runCode(
    page,
    `import json
s = case.study(); s.commit({2: ${mw}})
print(json.dumps([float(p) for p in s.solution.buses["lmp"]]))`,
  );
  await theMap(page);
  return JSON.parse(printed) as number[];
}

t.test("band, breakpoints and feasible ends are shown before a move", async (t) => {
  await map.locator(".wb-Plot:not([hidden])").waitFor();
  await map.locator(".wb-Band-exact:not([hidden])").waitFor();
  const ticks = await map
    .locator(".wb-Band-tick")
    .evaluateAll((marks) => marks.map((mark) => [mark.getAttribute("data-mw"), mark.getAttribute("title")]));
  // Generator 1 at its minimum, generator 2 at its maximum, line 2 full: see tests/widgets/workspace/preview/elementPath.test.ts.
  t.strictSame(
    ticks.map(([mw]) => Number(mw).toFixed(4)),
    ["-44.7059", "371.3636", "390.0000"],
  );
  t.match(ticks[2]?.[1], "line 2 (2 to 3) binds; the price jumps by +4.10 $/MWh from 51.20 to 55.30");
  await eventually.match(
    t,
    () => text(".wb-Axis"),
    /Infeasible below \u221270\.0 MW[^]*Change of demand, MW[^]*Infeasible above \+410\.0 MW/,
  );
  await eventually.match(
    t,
    () => text(".wb-EditBar-readout"),
    "The linear estimate is exact up to +371.4 MW, then generator 2 at bus 3 reaches its maximum",
  );
  await eventually.match(
    t,
    () => map.locator(".wb-Plot svg").getAttribute("aria-label"),
    /2\.90 to 76\.30 \$\/MWh, 3 breakpoints/,
  );
});

t.test("the path is a table for the keyboard", async (t) => {
  const summary = map.locator(".wb-Path summary");
  await summary.focus();
  await summary.press("Enter");
  await map.locator(".wb-Path tbody tr").first().waitFor();
  const rows = await map.locator(".wb-Path tbody tr").allInnerTexts();
  t.equal(rows.length, 4);
  t.match(rows[1], /11\.49|7\.20/);
  t.match(rows[3], "No solution above");
  await summary.press("Enter");
});

t.test("exact while dragging: each frame equals a commit of the kernel, and nothing is committed", async (t) => {
  t.ok(await map.getByRole("switch", { name: "Exact while dragging" }).isChecked(), "which is how maps begin");
  const hand = await dragSlider(map, 0.97);
  await map.and(page.locator('[data-status="previewing"][data-exact="true"]')).waitFor();
  await page.waitForTimeout(200);
  await eventually.match(t, () => text(".wb-Status"), "Previewing, exact");
  await eventually.match(t, () => text(".wb-EditBar-readout"), "Exact until +410.0 MW");
  const shown = await frame();
  t.ok(shown.mw > 390 && shown.mw < 410, "beyond the line's limit");
  await eventually.equal(t, () => map.getAttribute("data-revision"), "0");
  await hand.release();
  await atRevision(map, 1);
  const wanted = await pricesInKernel(shown.mw);
  t.equal(wanted.length, shown.lmp.length);
  wanted.forEach((price, row) => t.ok(Math.abs(price - (shown.lmp[row] ?? NaN)) < 1e-9, `bus ${row + 1}: ${price}`));
  await eventually.match(t, () => text(".wb-EditBar-readout"), /^Preview = exact: \d+\.\d\d \$\/MWh\. /);
  t.equal(await runCode(page, "print(view.preview_mode)"), "exact", "the kernel knows the mode");
  await theMap(page);
});

t.test("linear estimate: the error is shown on release", async (t) => {
  await runCode(page, 'view.preview_mode = "first_order"');
  await theMap(page);
  await map.and(page.locator('[data-preview-mode="first_order"]')).waitFor();
  await eventually.notOk(
    t,
    () => map.getByRole("switch", { name: "Exact while dragging" }).isChecked(),
    "the switch follows the kernel",
  );
  const hand = await dragSlider(map, 0.15);
  await map.and(page.locator('[data-status="previewing"][data-exact="false"]')).waitFor();
  await eventually.match(t, () => text(".wb-EditBar-readout"), "Linear estimate, approximate beyond +390.0 MW");
  await hand.release();
  await atRevision(map, 2);
  const found = /^Preview (\S+), exact (\S+) \$\/MWh, error (\S+), \S+ % of the change\. /.exec(
    await text(".wb-EditBar-readout"),
  );
  t.ok(found !== null);
  const [, preview = "", exact = "", error = ""] = found ?? [];
  const number = (word: string): number => Number(word.replace("\u2212", "-"));
  t.ok(Math.abs(Math.abs(number(preview) - number(exact)) - number(error)) < 1e-9, "as the numbers shown say");
  t.ok(number(error) > 1);
});

t.test("Home, End and breakpoints of the table move the slider", async (t) => {
  const slider = map.locator(".wb-Slider");
  await slider.press("End");
  await atRevision(map, 3);
  await eventually.match(t, () => text(".wb-EditBar-change"), "90.0 \u2192 500.0 MW");
  await eventually.match(t, () => text(".wb-EditBar-value"), "Price 76.30 $/MWh");
  await slider.press("Home");
  await atRevision(map, 4);
  await eventually.match(t, () => text(".wb-EditBar-change"), "90.0 \u2192 20.0 MW");
  await map.locator(".wb-Path summary").click();
  await map.locator(".wb-Path tbody").getByRole("button", { name: "Go to +390.0 MW" }).press("Enter");
  await atRevision(map, 5);
  await eventually.match(
    t,
    () => text(".wb-EditBar-readout"),
    "At a breakpoint the derivative is one-sided: left 0.220, right 1.05 ($/MWh)/MW",
  );
  await map.locator(".wb-Path summary").click();
});

t.test("a change without a solution is reported with names", async (t) => {
  await map.locator(".wb-Entry").fill("450");
  await map.locator(".wb-Entry").press("Enter");
  await map.and(page.locator('[data-status="failed"]')).waitFor();
  await eventually.match(t, () => text(".wb-EditBar-readout"), /^No solution at \+450\.0 MW\. At most \+410\.0 MW\.$/);
  await eventually.equal(t, () => map.getAttribute("data-revision"), "5");
});

t.test("N-1: a row for every branch in service, sorted, linked with the map, copied", async (t) => {
  await map.locator(".wb-Entry").fill("0");
  await map.locator(".wb-Entry").press("Enter");
  await atRevision(map, 6);
  await runCommand(page, "wattbook:show-study-panel");
  await openSection(page, "outages");
  const section = page.locator(".wb-Outages");
  await section.getByRole("button", { name: "Run N-1" }).click();
  await section.and(page.locator('[data-state="done"]')).waitFor();
  const [status] = await section.getByRole("status").allInnerTexts();
  t.match(status, "3 outages: none overloads a line, none splits the network.");
  await eventually.equal(t, () => section.locator("table").getAttribute("aria-rowcount"), "4");
  await eventually.equal(t, () => section.locator("tbody tr[data-branch]").count(), 3);
  await section.getByRole("button", { name: "Outage", exact: true }).click();
  const sorted = await section
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset["branch"]));
  t.strictSame(sorted, ["1", "2", "3"]);
  await section.locator('tr[data-branch="2"] th button').first().click();
  await map.locator(".wb-EditBar-name", { hasText: "Line 2" }).waitFor();
  await section.locator('tr[data-branch="2"][aria-selected="true"]').waitFor();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await section.getByRole("button", { name: "Copy as CSV" }).click();
  await section.getByText("3 rows copied").waitFor();
  const csv = await page.evaluate(() => navigator.clipboard.readText());
  t.equal(csv.trim().split(/\r?\n/).length, 4);
  t.strictSame(await accessibilityProblems(section), []);
});

t.test("a line shows the price that its rating moves most", async (t) => {
  await map.locator(".wb-Plot:not([hidden])").waitFor();
  await eventually.match(
    t,
    () => map.locator(".wb-Plot svg").getAttribute("aria-label"),
    "Exact price at bus 2 against the change of the rating",
  );
  await eventually.match(t, () => text(".wb-Axis"), "Change of rating, MW");
  t.strictSame(await accessibilityProblems(map), []);
});

t.test("no errors occurred", async (t) => {
  t.strictSame(complaints, []);
});
