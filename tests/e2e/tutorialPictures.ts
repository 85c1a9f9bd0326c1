// Makes the pictures of the tutorial: its own code in a notebook, and the steps it describes, as far as pictures show
// them.
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { openNotebook, startLab } from "./lab.ts";
import { atRevision, dragSlider, notebookOf, openSection, runCode, runCommand, theMap } from "./notebook.ts";
import { smallPng } from "./smallPng.ts";

/** The blocks of Python of the tutorial `page`, in their order. */
export function blocksOf(page: string): string[] {
  return [...readFileSync(page, "utf8").matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code.trim());
}

/** Names of the pictures, as the tutorial shows them. */
export const PICTURES = ["tutorial-look", "tutorial-ask", "tutorial-drag", "tutorial-line"] as const;

const BUS = "241";
/** Space around the map in a picture, px. */
const EDGE = 8;

/** Writes the pictures of the tutorial, the page `tutorial`, into `folder`, from a JupyterLab of its own. */
export async function tutorialPictures(tutorial: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const lab = await startLab([]);
  try {
    const [open = ""] = blocksOf(tutorial);
    await writeFile(join(lab.folder, "tutorial.ipynb"), notebookOf(open));
    const { page } = await openNotebook(lab, "tutorial.ipynb");
    await page.setViewportSize({ width: 1100, height: 900 });
    await runCommand(page, "application:toggle-left-area").catch(() => undefined);
    await runCommand(page, "notebook:run-all-cells");
    const map = await theMap(page);
    await drawn(map);
    await shot(map, folder, "tutorial-look");

    await search(map, "Holly Hill");
    await map.locator(`.wb-EditBar-name`, { hasText: BUS }).waitFor();
    await showAll(map);
    await drawn(map);
    await shot(map, folder, "tutorial-ask");

    await map.getByRole("button", { name: "Price", exact: true }).click();
    const hand = await dragSlider(map, 0.8);
    await page.locator(".wb-Map[data-status=previewing]").first().waitFor();
    await drawn(map);
    await shot(map, folder, "tutorial-drag");
    await hand.release();
    await atRevision(map, 1);

    await runCode(page, "_ = study.commit({241: 80}, {280: 173})");
    await theMap(page);
    await atRevision(map, 2);
    await runCommand(page, "wattbook:show-study-panel");
    await page.locator('.wb-Section[data-section="case"] .wb-Section-head').click();
    await openSection(page, "result");
    await showAll(map);
    await drawn(map);
    await save(page, folder, "tutorial-line", await page.screenshot());
  } finally {
    await lab.stop();
  }
}

async function search(map: Locator, text: string): Promise<void> {
  await map.locator(".wb-Stage").click({ position: { x: 4, y: 4 } });
  await map.page().keyboard.press("/");
  await map.page().keyboard.type(text);
  await map.page().keyboard.press("Enter");
}

async function showAll(map: Locator): Promise<void> {
  await map.getByRole("button", { name: "Show everything" }).click();
}

/** Waits until the picture is complete: ground, labels and numbers. */
async function drawn(map: Locator): Promise<void> {
  await map.locator(".wb-Attribution:not([hidden])").waitFor();
  await map.page().waitForTimeout(1500);
}

/** A picture of the map with its edit bar. */
async function shot(map: Locator, folder: string, name: (typeof PICTURES)[number]): Promise<void> {
  const page = map.page();
  const bar = map.locator(".wb-EditBar");
  if (await bar.isVisible()) {
    await bar.scrollIntoViewIfNeeded();
  }
  const box = await map.boundingBox();
  if (box === null) {
    throw new Error("The map is not on the page.");
  }
  const clip = { x: box.x - EDGE, y: box.y - EDGE, width: box.width + 2 * EDGE, height: box.height + 2 * EDGE };
  await save(page, folder, name, await page.screenshot({ clip }));
}

async function save(page: Page, folder: string, name: (typeof PICTURES)[number], picture: Buffer): Promise<void> {
  await writeFile(join(folder, `${name}.png`), await smallPng(page, picture));
}
