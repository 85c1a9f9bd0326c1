// Mermaid pictures of the pages, drawn in the browser by a library beside the pages.
import { copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { JSX, RendererEvent } from "typedoc";

const LIBRARY = "mermaid.tiny.js";

/** Turns blocks of the language `mermaid` into pictures, shown as text in a browser without scripts. */
export function readPictures(parser) {
  const written = parser.renderer.rules.fence;
  parser.renderer.rules.fence = (tokens, index, ...more) =>
    tokens[index].info.trim() === "mermaid"
      ? `<pre class="mermaid">${parser.utils.escapeHtml(tokens[index].content)}</pre>\n`
      : written(tokens, index, ...more);
}

/** Copies the library to the pages with pictures. */
export function drawPictures(app) {
  app.renderer.on(RendererEvent.END, ({ outputDirectory }) =>
    copyFileSync(
      createRequire(import.meta.url).resolve("@mermaid-js/tiny/dist/mermaid.tiny.js"),
      join(outputDirectory, "assets", LIBRARY),
    ),
  );
  app.renderer.hooks.on("body.end", (context) =>
    hasPicture(context.page)
      ? JSX.createElement(
          JSX.Fragment,
          null,
          JSX.createElement("script", { src: context.relativeURL(`assets/${LIBRARY}`) }),
          JSX.createElement("script", null, JSX.createElement(JSX.Raw, { html: drawing })),
        )
      : JSX.createElement(JSX.Fragment, null),
  );
}

function hasPicture(page) {
  return (page.model.content ?? []).some(({ text }) => /^```mermaid$/m.test(text));
}

/** In the colours of the site's theme; a change of the theme redraws it. */
const drawing = `
  const pictures = [...document.querySelectorAll("pre.mermaid")].map((node) => [node, node.textContent]);
  async function draw() {
    const chosen = document.documentElement.dataset.theme;
    const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    mermaid.initialize({ startOnLoad: false, theme: isDark ? "dark" : "neutral" });
    for (const [node, text] of pictures) {
      node.removeAttribute("data-processed");
      node.textContent = text;
    }
    await mermaid.run({ nodes: pictures.map(([node]) => node) });
  }
  void draw();
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
`;
