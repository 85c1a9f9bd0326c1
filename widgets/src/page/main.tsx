// The stand-alone page: the same workspace, map and panel as in JupyterLab, over the engine in its worker.
import { configureEngine, engine } from "@service/engine";
import { createRoot } from "react-dom/client";
import { Workspace } from "../workspace/index.ts";
import { CaseService } from "./catalogue/caseService.ts";
import { Catalogue } from "./catalogue/catalogue.ts";
import { Documents } from "./documents/documents.ts";
import { servedCases } from "./documents/servedCases.ts";
import { FirstFrame } from "./documents/firstFrame.ts";
import { routeOf } from "./address/route.ts";
import { StoredStudies } from "./storage/storedStudies.ts";
import { PageLayout } from "./frame/layout.ts";
import { Navigation } from "./address/navigation.ts";
import { Page } from "./Page.tsx";
import { routePageKeys } from "./frame/pageKeys.ts";
import { showTheme, storedTheme, themeOf } from "./frame/themeChoice.ts";

configureEngine({
  wasmUrl: new URL("@service/engine/wasm/wattbook_engine_bg.wasm", import.meta.url),
  workerUrl: new URL("@service/engine/worker", import.meta.url),
});
const firstFrame = new FirstFrame(routeOf(location).kind === "case");
// The engine starts while the user looks at the list or the first picture. The case that needs the engine reports a
// failure and tries again.
void firstFrame.shown.then(() => engine.preloadEngine()).catch(() => undefined);

/** The cases of this page, for tools outside it. */
export const workspace = new Workspace(engine);
const service = new CaseService(document.baseURI);
const catalogue = new Catalogue(service);
const documents = new Documents(workspace, service, firstFrame);
workspace.catalogue = servedCases(catalogue, documents);
const stored = new StoredStudies(workspace, documents);
const navigation = new Navigation(documents, catalogue, (id, title) => stored.open(id, title));
const layout = new PageLayout();

showTheme(themeOf(storedTheme()));
routePageKeys();
createRoot(document.getElementById("page") as HTMLElement).render(
  <Page {...{ workspace, service, catalogue, documents, stored, navigation, layout }} />,
);
navigation.start();
void catalogue.load();
void stored.load();
