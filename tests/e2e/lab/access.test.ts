// Map, edit bar and panel in a real JupyterLab for people with a keyboard alone, a screen reader, or another theme.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { seriousFindings } from "../axe.ts";
import { openNotebook, startLab } from "../lab.ts";
import { atRevision, notebookOf, openSection, runCommand, theMap } from "../notebook.ts";

const lab = await startLab(["tests/fixtures/three_bus.m"]);
t.teardown(() => lab.stop());
const code = 'import wattbook as wb\nwb.open_case("carolina").study().map(bus=25)';
await writeFile(join(lab.folder, "access.ipynb"), notebookOf(code));
const { page, complaints } = await openNotebook(lab, "access.ipynb");
await runCommand(page, "notebook:run-all-cells");
const map = await theMap(page);

/** The focused element: its class names and its name. */
const focused = (): Promise<{ classes: string; name: string }> =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    const label = at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : null;
    return { classes: at?.className ?? "", name: at?.getAttribute("aria-label") ?? label ?? at?.textContent ?? "" };
  });

/** The classes that the Tab key passes from here to `wanted`. */
async function tabTo(wanted: string): Promise<string[]> {
  const passed: string[] = [];
  for (let k = 0; k < 60; k += 1) {
    await page.keyboard.press("Tab");
    const { classes, name } = await focused();
    passed.push(classes);
    if (classes.split(" ").includes(wanted)) {
      return passed;
    }
    if (name === "") {
      throw new Error(`Tab left the map for ${classes}, after ${passed.join(", ")}`);
    }
  }
  throw new Error(`Tab does not reach ${wanted}: ${passed.join(", ")}`);
}

t.test("the keyboard reaches search, edit bar and slider, and Escape returns", async (t) => {
  await map.locator(".wb-Canvas").focus();
  await page.keyboard.press("/");
  await eventually.equal(t, () => page.evaluate(() => document.activeElement?.tagName), "INPUT", "/ is the search");
  await page.keyboard.type("charleston");
  await page.keyboard.press("Enter");
  await map.locator(".wb-EditBar-name", { hasText: /charleston/i }).waitFor();
  await map.locator(".wb-Canvas").focus();
  await tabTo("wb-Slider");
  await page.keyboard.press("ArrowRight");
  await atRevision(map, 1);
  await eventually.match(t, () => map.locator(".wb-EditBar-change").innerText(), /MW/);
  await page.keyboard.press("ArrowLeft");
  await atRevision(map, 2);
  await tabTo("wb-Entry");
  await map.locator(".wb-Canvas").focus();
  await page.keyboard.press("Escape");
  await map.locator(".wb-EditBar").waitFor({ state: "hidden" });
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await eventually.equal(t, () => page.getByRole("dialog", { name: "Shortcuts" }).count(), 0);
});

t.test("the keyboard opens and closes sections of the panel", async (t) => {
  await runCommand(page, "wattbook:show-study-panel");
  const head = page.locator('.wb-Section[data-section="tables"] .wb-Section-head');
  await head.focus();
  const was = await head.getAttribute("aria-expanded");
  await page.keyboard.press("Enter");
  await eventually.not(t, () => head.getAttribute("aria-expanded"), was);
});

t.test("no serious finding of axe-core on map, edit bar and panel in the themes of JupyterLab", async (t) => {
  await runCommand(page, "wattbook:select-element", { kind: "bus", id: 25 });
  const sections = await page
    .locator(".wb-Section")
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("data-section") ?? ""));
  t.ok(sections.length >= 7, sections.join());
  for (const section of sections) {
    await openSection(page, section);
  }
  await map.locator(".wb-Slider").first().waitFor();
  for (const theme of ["JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast"]) {
    await runCommand(page, "apputils:change-theme", { theme });
    await page.locator(`body[data-jp-theme-name="${theme}"]`).waitFor({ state: "attached" });
    await page.waitForTimeout(500);
    t.strictSame(await seriousFindings(page, ".wb-Map"), [], `${theme}: map and edit bar`);
    t.strictSame(await seriousFindings(page, ".wb-Panel-root"), [], `${theme}: panel`);
  }
  await runCommand(page, "apputils:change-theme", { theme: "JupyterLab Light" });
});

t.test("a case in a tab, and a table of the panel opened large", async (t) => {
  await page.locator('.wb-Section[data-section="tables"]').getByRole("button", { name: "Open large" }).click();
  const large = page.locator(".wb-LargeTab:visible");
  await large.locator(".wb-Tables").waitFor();
  t.strictSame(await seriousFindings(page, ".wb-LargeTab"), []);
  const [box, place] = [await large.locator(".wb-Tables").boundingBox(), await large.boundingBox()];
  t.ok(box !== null && place !== null && box.height > 0.9 * place.height, "it fills its tab");
  await runCommand(page, "docmanager:open", { path: "three_bus.m", factory: "Case map" });
  await page.locator(".wb-CaseDocument:visible .wb-Stage[data-placed]").waitFor();
  t.strictSame(await seriousFindings(page, ".wb-CaseDocument"), []);
});

t.test("no errors occurred", async (t) => {
  t.strictSame(complaints, []);
});
