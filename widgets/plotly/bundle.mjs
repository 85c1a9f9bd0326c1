// Bundles the part of plotly.js that the charts use into dist/plotly.js, which the page and the JupyterLab extension load:
//
//   node widgets/plotly/bundle.mjs
//
// plotly.js's authors publish such bundles too, but theirs do not tell which packages are inside, whose licences ask to be passed on.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { inputsOf, recordBundled } from "../../binder/notices/bundled.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Lines and points are part of the core. */
const ENTRY = `
import plotly from "plotly.js/lib/core";
import bars from "plotly.js/lib/bar";
plotly.register([bars]);
export default plotly;
`;

/** The core would add the styles of maps to every page. No chart is a map. */
const withoutMapStyles = {
  name: "without-map-styles",
  setup({ onLoad, onResolve }) {
    const namespace = "left-out";
    onResolve({ filter: /^maplibre-gl\/.*\.css$/ }, () => ({ path: "maplibre-gl.css", namespace }));
    onLoad({ filter: /.*/, namespace }, () => ({ contents: "" }));
  },
};

const { metafile } = await build({
  stdin: { contents: ENTRY, resolveDir: here("."), sourcefile: "plotly.js" },
  outfile: here("../dist/plotly.js"),
  bundle: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  // As its authors bundle it: a page may have an AMD loader, like JupyterLab.
  define: { global: "globalThis", "define.amd": "false" },
  plugins: [withoutMapStyles],
  // Minified here although page and extension are minified too, because only this removes the names of the modules.
  minify: true,
  sourcemap: true,
  metafile: true,
  logLevel: "warning",
});
recordBundled("plotly", [...inputsOf(metafile), createRequire(import.meta.url).resolve("esbuild")]);
