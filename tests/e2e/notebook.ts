// Actions of a person on a notebook and its map, for tests.
import type { Locator, Page } from "playwright-core";

interface LabCell {
  model: {
    sharedModel: { getSource(): string; setSource(source: string): void };
    outputs?: { toJSON(): unknown };
  };
}

interface LabNotebook {
  activeCell: LabCell;
  widgets: LabCell[];
  scrollToItem(index: number, align: string): Promise<void>;
}

interface LabWindow {
  jupyterapp: {
    commands: { execute(id: string, args?: object): Promise<unknown> };
    shell: { currentWidget: { content: LabNotebook } };
    serviceManager: {
      settings: { save(id: string, raw: string): Promise<unknown> };
      sessions: { shutdownAll(): Promise<void> };
    };
  };
}

/** A notebook of code cells. */
export function notebookOf(...sources: string[]): string {
  const cells = sources.map((source, k) => {
    return { cell_type: "code", id: `code${k}`, execution_count: null, metadata: {}, outputs: [], source };
  });
  const kernelspec = { display_name: "Python 3 (ipykernel)", language: "python", name: "python3" };
  return JSON.stringify({ cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 });
}

/** Saves the settings of a plugin for pages opened from now on. */
export async function saveSettings(page: Page, plugin: string, settings: object): Promise<void> {
  await page.evaluate(
    async ([id, raw]) => {
      await (window as unknown as LabWindow).jupyterapp.serviceManager.settings.save(id, raw);
    },
    [plugin, JSON.stringify(settings)] as const,
  );
}

/** Runs a command of JupyterLab. */
export async function runCommand(page: Page, id: string, args: object = {}): Promise<void> {
  await page.evaluate(
    async ([name, values]) => {
      await (window as unknown as LabWindow).jupyterapp.commands.execute(name, values);
    },
    [id, args] as const,
  );
}

/** Ends all kernels. */
export async function shutDownKernels(page: Page): Promise<void> {
  await page.evaluate(() => (window as unknown as LabWindow).jupyterapp.serviceManager.sessions.shutdownAll());
}

/** Runs code in a new cell below the active one and returns its output. */
export async function runCode(page: Page, source: string): Promise<string> {
  await writeCell(page, source);
  return runCell(page);
}

/** Adds a cell below the active one, which becomes the active one. */
export async function writeCell(page: Page, source: string): Promise<void> {
  await page.evaluate(async (code) => {
    const { commands, shell } = (window as unknown as LabWindow).jupyterapp;
    await commands.execute("notebook:insert-cell-below");
    shell.currentWidget.content.activeCell.model.sharedModel.setSource(code);
  }, source);
}

/** Runs the active cell and returns its output. Throws the cell's error. */
export async function runCell(page: Page): Promise<string> {
  const outputs = await page.evaluate(async () => {
    const { commands, shell } = (window as unknown as LabWindow).jupyterapp;
    const cell = shell.currentWidget.content.activeCell;
    await commands.execute("notebook:run-cell");
    return cell.model.outputs?.toJSON() as { text?: string | string[]; ename?: string; evalue?: string }[];
  });
  const error = outputs.find(({ ename }) => ename !== undefined);
  if (error !== undefined) {
    throw new Error(`${error.ename}: ${error.evalue}`);
  }
  return outputs
    .map(({ text = "" }) => (Array.isArray(text) ? text.join("") : text))
    .join("")
    .trim();
}

/** Scrolls to the cell whose source contains `code`: JupyterLab removes cells far from view from the page. */
export async function showCell(page: Page, code: string): Promise<void> {
  await page.evaluate(async (part) => {
    const { content } = (window as unknown as LabWindow).jupyterapp.shell.currentWidget;
    const index = content.widgets.findIndex(({ model }) => model.sharedModel.getSource().includes(part));
    await content.scrollToItem(index, "start");
  }, code);
}

/** The map on screen, once its picture is drawn. */
export async function theMap(page: Page): Promise<Locator> {
  await showCell(page, ".map(");
  const map = page.locator(".wb-Map").first();
  try {
    await map.locator(".wb-Stage[data-placed]").waitFor({ timeout: 60_000 });
  } catch (error) {
    const outputs = await page.locator(".jp-OutputArea").allInnerTexts();
    throw new Error(`There is no map. The cells show:\n${outputs.join("\n")}`, { cause: error });
  }
  return map;
}

/** Opens a section of the Study panel by its id, unless it is open. */
export async function openSection(page: Page, id: string): Promise<void> {
  const head = page.locator(`.wb-Section[data-section="${id}"] .wb-Section-head`);
  if ((await head.getAttribute("aria-expanded")) === "false") {
    await head.click();
  }
}

/** Waits until a map shows a revision as an exact state. */
export async function atRevision(map: Locator, revision: number): Promise<void> {
  await map.and(map.page().locator(`[data-revision="${revision}"][data-status="ready"]`)).waitFor();
}

/** The pixels of the picture as one number; pictures with equal numbers count as equal. */
export function pixels(map: Locator): Promise<number> {
  return map.locator("canvas").evaluate((canvas: HTMLCanvasElement) => {
    const { data = new Uint8ClampedArray() } =
      canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
    return data.reduce((hash, byte) => (Math.imul(hash, 31) + byte) | 0, 7);
  });
}

/** Drags the slider's thumb to a share of its track; `release` ends the drag. */
export async function dragSlider(map: Locator, share: number): Promise<{ release(): Promise<void> }> {
  const slider = map.locator(".wb-Slider");
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  if (box === null) {
    throw new Error("The slider is not on screen.");
  }
  const now = await slider.evaluate(({ value, min, max }: HTMLInputElement) => (+value - +min) / (+max - +min));
  const x = (part: number): number => box.x + 8 + (box.width - 16) * part;
  const { mouse } = map.page();
  await mouse.move(x(now), box.y + box.height / 2);
  await mouse.down();
  await mouse.move(x(share), box.y + box.height / 2, { steps: 12 });
  return { release: () => mouse.up() };
}
