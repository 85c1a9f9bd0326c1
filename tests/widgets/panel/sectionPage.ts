// Helpers for tests of the panel's sections.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Locator, Page } from "playwright-core";
import { fixture } from "../../fixtures/cases.ts";

/** The case of most tests. */
export const THREE_BUSES = new TextDecoder().decode(await fixture("three_bus.m"));

/** Opens a case in the panel of a page. */
export async function openCase(page: Page, text: string): Promise<void> {
  await page.evaluate(async (text) => void (await globalThis.panel.open(text, "Three buses")), text);
  await page.locator('[data-section="edit"]').waitFor();
}

/** Opens a section of the panel. */
export async function openSection(page: Page, id: string): Promise<Locator> {
  const section = page.locator(`[data-section="${id}"]`);
  const head = section.locator(".wb-Section-head");
  if ((await head.getAttribute("aria-expanded")) === "false") {
    await head.click();
  }
  return section;
}

/** A selected element in the section Edit, by kind and id. */
export const element = (page: Page, which: string): Locator => page.locator(`.wb-EditRow[data-element="${which}"]`);

/** A state in the section History. */
export const state = (page: Page, id: number): Locator => page.locator(`.wb-History [data-state="${id}"]`);

/** The text of a section. */
export const sectionText = (page: Page, id: string): Promise<string> =>
  page.locator(`[data-section="${id}"]`).innerText();

/** Line 2 held at 40 MW and bus 2 moved by 1 MW: prices 18.64, 31.15, 6.13 $/MWh. */
export function editTwo(): Promise<void> | undefined {
  const session = globalThis.panel.workspace.active;
  return session?.edit([
    { element: { kind: "branch", id: 2 }, mw: -210 },
    { element: { kind: "bus", id: 2 }, mw: 1 },
  ]);
}

/** Serious and critical findings of axe-core, as `rule: element`. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // Through the debugging protocol, because the page's policy forbids script elements.
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(node: Element): Promise<AxeResults> } };
    const { violations } = await axe.run(document.body);
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
  return found;
}
