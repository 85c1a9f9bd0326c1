// Hostile texts of files, and a search of a whole page for one that was not shown as text.
import type { Page } from "playwright-core";

/** Markup, terminal controls, and characters that reverse the text around them or are invisible. */
export const HOSTILE = "<wb-evil onclick=alert(1)>&amp;\u001b[31m\u202egnp.exe\u2066\u200b";
/** The visible rest of it, as text. */
export const SEEN = "<wb-evil onclick=alert(1)>&amp;[31mgnp.exe";

/** The three-bus network with a hostile name at every bus. */
export const hostileCase = (threeBus: string): string =>
  `${threeBus}\nmpc.bus_name = {\n${[1, 2, 3].map((bus) => `'=${HOSTILE} ${bus}';`).join("\n")}\n};\n`;

/**
 * Everything besides text that a page made of hostile texts: elements, attributes with scripts, and invisible
 * characters in texts, attributes, values of fields and the title. Shadow trees are searched. `within` selects our
 * parts, by default the page.
 */
export function harm(page: Page, within = "html"): Promise<string[]> {
  return page.evaluate((within) => {
    // eslint-disable-next-line no-control-regex -- the search is for these characters
    const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;
    const found: string[] = [];
    const look = (where: string, text: string): void => {
      if (unseen.test(text)) found.push(`${where}: ${JSON.stringify(text.slice(0, 120))}`);
    };
    const visit = (root: ParentNode): void => {
      for (const element of root.querySelectorAll("*")) {
        if (element.localName.includes("evil")) found.push(`an element ${element.localName}`);
        // JupyterLab's editor has its own marks in lines.
        if (element.closest(".cm-editor, script, style") !== null) continue;
        for (const { name, value } of element.attributes) {
          if (name.startsWith("on")) found.push(`${element.localName} has ${name}`);
          if (/^\s*javascript:/i.test(value)) found.push(`${element.localName} has a script in ${name}`);
          if (value.length < 5000) look(`${element.localName} ${name}`, value);
        }
        if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) look("field", element.value);
        for (const node of element.childNodes) {
          // Empty cells of JupyterLab contain a zero-width space.
          if (node instanceof Text && node.data.trim() !== "\u200b") look(element.localName, node.data);
        }
        if (element.shadowRoot !== null) visit(element.shadowRoot);
      }
    };
    const parts = [...document.querySelectorAll(within)];
    if (parts.length === 0) found.push("nothing to look at");
    // The parts with their attributes.
    parts.forEach((part) => visit({ querySelectorAll: () => [part, ...part.querySelectorAll("*")] } as never));
    if (within === "html") look("title", document.title);
    return [...new Set(found)];
  }, within);
}
