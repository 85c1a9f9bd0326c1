// The front end of maps without a JupyterLab extension: the module `@service/jupyterlab` as ipywidgets' own loaders
// expect it, for instance in a page of `ipywidgets.embed`. build.mjs bundles it as AMD; worker, WebAssembly and map
// data are beside it.
import { configureEngine, engine } from "@service/engine";
import { Workspace } from "../workspace/index.ts";
import { notebookExports, WIDGET_VERSION } from "./index.ts";
import styles from "wattbook:styles";

configureEngine({
  wasmUrl: new URL("@service/engine/wasm/wattbook_engine_bg.wasm", import.meta.url),
  workerUrl: new URL("@service/engine/worker", import.meta.url),
});

const sheet = document.createElement("style");
sheet.textContent = styles;
document.head.prepend(sheet); // the page's own styles prevail

const nobody = { add: (): void => undefined, changed: (): void => undefined, remove: (): void => undefined };
const { CaseMapModel, CaseMapView } = notebookExports(new Workspace(engine), nobody);

export { CaseMapModel, CaseMapView, WIDGET_VERSION as version };
