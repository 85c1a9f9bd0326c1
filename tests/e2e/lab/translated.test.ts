// JupyterLab in another language: the pack is found, and all our texts in the page are translated.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { pseudo, textsOfPage, untranslated } from "../../fixtures/pseudo.ts";
import { openLab, openNotebook, startLab } from "../lab.ts";
import { pseudoLanguage } from "../languagePack.ts";
import { openSection, runCommand } from "../notebook.ts";

const lab = await startLab(["tests/fixtures/three_bus.m"], "lab", pseudoLanguage);
t.teardown(() => lab.stop());
await writeFile(join(lab.folder, "places.csv"), "bus,lat,lon\n1,40.0,-105.0\n2,40.5,-104.0\n3,39.5,-104.5\n");
const { page, complaints } = await openLab(lab);

/** Names of the case, of files and of the convention. */
const DATA = ["three_bus three_bus.m places.csv", "service"];

/** The reason why a slider ends comes from the engine in English. */
const ENGINE_WORDS = /^title of span\.wb-mod-limit /;

/** Names that JupyterLab gives its parts of a tab, which are not in our domain. */
const JUPYTERLABS = /^(More commands|main area (content|toolbar))$/;

/** Untranslated texts in parts of the page. */
async function plainIn(selector: string, where: Page = page): Promise<string[]> {
  const texts = await where.evaluate(textsOfPage, [selector, ".wb-Attribution"] as const);
  t.ok(texts.length > 0, `there is something to read in ${selector}`);
  return untranslated(
    texts.filter(({ text, where }) => !ENGINE_WORDS.test(where) && !JUPYTERLABS.test(text)),
    DATA,
  );
}

t.test("the language pack is found and chosen", async (t) => {
  const answer = await fetch(`${lab.url}lab/api/translations/eo`);
  const { data, message } = (await answer.json()) as { data: Record<string, unknown>; message: string };
  t.equal(message, "");
  t.strictSame(Object.keys(data).sort(), ["jupyterlab", "wattbook"]);
});

t.test("commands of the palette and menus", async (t) => {
  const words = await page.evaluate(() => {
    interface Commands {
      listCommands(): string[];
      label(id: string, args: object): string;
      caption(id: string, args: object): string;
    }
    const { commands } = (window as unknown as { jupyterapp: { commands: Commands } }).jupyterapp;
    return commands
      .listCommands()
      .filter((id) => id.startsWith("wattbook:"))
      .flatMap((id) => [commands.label(id, {}), commands.caption(id, {})].map((text) => ({ text, where: id })));
  });
  t.ok(words.length >= 12);
  t.strictSame(untranslated(words), []);
  // The palette closes when something else takes the focus, as the first tab of JupyterLab may at its start.
  await page.waitForFunction(
    async (label) => {
      const items = [...document.querySelectorAll(".lm-CommandPalette-item")];
      if (items.some((item) => item.textContent.includes(label))) {
        return true;
      }
      const { jupyterapp } = window as unknown as { jupyterapp: { commands: { execute(id: string): Promise<void> } } };
      await jupyterapp.commands.execute("apputils:activate-command-palette");
      return false;
    },
    pseudo("Show Study Panel"),
    { polling: 500 },
  );
  await page.keyboard.press("Escape");
});

t.test("map, panel and tables", async (t) => {
  await runCommand(page, "docmanager:open", { path: "three_bus.m", factory: "Case map" });
  const map = page.locator(".wb-CaseDocument:visible .wb-Map");
  await map.locator(".wb-Stage[data-placed]").waitFor();
  t.strictSame(await plainIn(".wb-CaseDocument"), [], "a case without coordinates");
  await runCommand(page, "wattbook:open-paths", { paths: ["places.csv"] });
  await runCommand(page, "wattbook:show-study-panel");
  await runCommand(page, "wattbook:select-element", { kind: "branch", id: 2 });
  await map.locator(".wb-EditBar .wb-Slider").first().focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await map.and(page.locator('[data-revision="1"]')).waitFor();
  for (const id of ["case", "edit", "result", "compare", "tables", "charts", "outages", "activity"]) {
    await openSection(page, id);
  }
  await page.locator(".wb-Outages button").first().click();
  await page.locator(".wb-Outages-box").waitFor();
  await page.locator(".wb-Chart svg.main-svg").first().waitFor();
  t.strictSame(await plainIn(".wb-CaseDocument, .wb-Panel-root"), []);
  const open = page.locator(".wb-Tables button", { hasText: pseudo("Open large") }).first();
  await open.click();
  await page.locator(".wb-LargeTab").waitFor();
  t.strictSame(await plainIn(".wb-LargeTab"), []);
  const tab = page.locator('.jp-SideBar [data-id="wattbook-study-panel"]');
  await eventually.match(t, () => tab.getAttribute("title"), pseudo("Study"));
});

t.test("a notebook: its saved picture, and the live map of its cell", async (t) => {
  const state = { case: { id: "three_bus", name: "three_bus" }, revision: 1, deltas: {}, rates: { "2": -210 } };
  const data = {
    "application/vnd.wattbook.study+json": { ...state, result_sha256: "0123456789ab" },
    "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>',
    "text/plain": "three_bus",
  };
  const source =
    'import wattbook as wb\nwb.open_case("three_bus.m").with_geography("places.csv").study().map(height=300)';
  const outputs = [{ output_type: "execute_result", execution_count: 1, data, metadata: {} }];
  const notebook = {
    cells: [{ cell_type: "code", id: "map", execution_count: 1, metadata: {}, outputs, source }],
    metadata: { kernelspec: { display_name: "Python 3 (ipykernel)", language: "python", name: "python3" } },
    nbformat: 4,
    nbformat_minor: 5,
  };
  await writeFile(join(lab.folder, "saved.ipynb"), JSON.stringify(notebook));
  const opened = await openNotebook(lab, "saved.ipynb");
  await opened.page.locator(".wb-SavedMap-picture img").waitFor();
  t.strictSame(await plainIn(".wb-SavedMap", opened.page), []);
  await runCommand(opened.page, "notebook:run-all-cells");
  await opened.page.locator(".wb-Widget .wb-Stage[data-placed]").waitFor({ timeout: 60_000 });
  t.strictSame(await plainIn(".wb-Widget", opened.page), []);
  t.strictSame(opened.complaints, []);
});

t.test("the settings, which the server translates", async (t) => {
  const answer = await fetch(`${lab.url}lab/api/settings/@service/jupyterlab:files`);
  const { schema } = (await answer.json()) as {
    schema: { title: string; properties: { previewMode: { title: string; description: string } } };
  };
  t.equal(schema.title, pseudo("Wattbook Case Files"));
  t.equal(schema.properties.previewMode.title, pseudo("While dragging"));
});

t.test("no errors occurred in the page", async (t) => {
  t.strictSame(complaints, []);
});
