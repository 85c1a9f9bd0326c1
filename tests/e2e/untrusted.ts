// Texts of files that try to be more than text, and a look at a whole page for one that has succeeded.
import type { Page } from "playwright-core";

/** Markup, controls of terminals, and characters that turn what stands around them or cannot be seen. */
export const HOSTILE = "<wb-evil onclick=alert(1)>&amp;\u001b[31m\u202egnp.exe\u2066\u200b";
/** What is left of it, as text. */
export const SEEN = "<wb-evil onclick=alert(1)>&amp;[31mgnp.exe";

/** The three-bus network with a hostile name at every bus. */
export const hostileCase = (threeBus: string): string =>
  `${threeBus}\nmpc.bus_name = {\n${[1, 2, 3].map((bus) => `'=${HOSTILE} ${bus}';`).join("\n")}\n};\n`;

/**
 * What a page has made of hostile texts, besides text: elements, attributes with scripts, and characters that cannot be seen, in texts,
 * attributes, values of fields and the title. Shadow trees are looked into. `within` are the parts that are ours, by default the page.
 */
export function harm(page: Page, within = "html"): Promise<string[]> {
  return page.evaluate((within) => {
    // eslint-disable-next-line no-control-regex -- they are what is looked for
    const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;
    const found: string[] = [];
    const look = (where: string, text: string): void => {
      if (unseen.test(text)) found.push(`${where}: ${JSON.stringify(text.slice(0, 120))}`);
    };
    const visit = (root: ParentNode): void => {
      for (const element of root.querySelectorAll("*")) {
        if (element.localName.includes("evil")) found.push(`an element ${element.localName}`);
        // JupyterLab's editor has marks of its own in its lines.
        if (element.closest(".cm-editor, script, style") !== null) continue;
        for (const { name, value } of element.attributes) {
          if (name.startsWith("on")) found.push(`${element.localName} has ${name}`);
          if (/^\s*javascript:/i.test(value)) found.push(`${element.localName} has a script in ${name}`);
          if (value.length < 5000) look(`${element.localName} ${name}`, value);
        }
        if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) look("field", element.value);
        for (const node of element.childNodes) {
          // Empty cells of JupyterLab hold a space without width.
          if (node instanceof Text && node.data.trim() !== "\u200b") look(element.localName, node.data);
        }
        if (element.shadowRoot !== null) visit(element.shadowRoot);
      }
    };
    const parts = [...document.querySelectorAll(within)];
    if (parts.length === 0) found.push("nothing to look at");
    // With their own attributes.
    parts.forEach((part) => visit({ querySelectorAll: () => [part, ...part.querySelectorAll("*")] } as never));
    if (within === "html") look("title", document.title);
    return [...new Set(found)];
  }, within);
}
