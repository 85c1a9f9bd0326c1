// axe-core on parts of a page.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Serious and critical findings within the elements of a selector, as `rule: element`. */
export async function seriousFindings(page: Page, selector: string): Promise<string[]> {
  await page.evaluate(axe); // evaluated by the debugger: a page's policy would block it as a script
  return page.evaluate(async (within) => {
    interface Finding {
      id: string;
      impact: string | null;
      nodes: { html: string; failureSummary?: string }[];
    }
    const { axe } = window as unknown as { axe: { run(where: object): Promise<{ violations: Finding[] }> } };
    if (document.querySelector(within) === null) {
      throw new Error(`The page has no ${within}.`);
    }
    const { violations } = await axe.run({ include: [within] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary = "" }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 200)}`),
      );
  }, selector);
}
