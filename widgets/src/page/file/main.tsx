// The page of `study.map().to_html(...)`: one map with its Study panel, over the engine in a worker, from one file
// without a server.
import { configureEngine, engine } from "@service/engine";
import { createRoot } from "react-dom/client";
import { CaseService } from "../catalogue/caseService.ts";
import { Documents } from "../documents/documents.ts";
import { routePageKeys } from "../frame/pageKeys.ts";
import { PageLayout } from "../frame/layout.ts";
import { showTheme, storedTheme, themeOf } from "../frame/themeChoice.ts";
import { setTileExtract } from "../../map/index.ts";
import { Workspace } from "../../workspace/index.ts";
import { FilePage } from "./FilePage.tsx";
import type { PackedMap, PackedView } from "./packed.ts";

configureEngine({
  wasmUrl: new URL("@service/engine/wasm/wattbook_engine_bg.wasm", import.meta.url),
  workerUrl: new URL("@service/engine/worker", import.meta.url),
});

// The worker for the Study starts while another one reads the file. A failure is that of the Study, which tries again.
engine.preloadEngine().catch(() => undefined);

async function opened({ study, view }: PackedMap): Promise<PackedView> {
  const [bytes, shown] = await Promise.all([
    fetch(study).then((answer) => answer.arrayBuffer()),
    fetch(view).then((answer) => answer.json() as Promise<PackedView>),
  ]);
  setTileExtract(shown.tiles);
  const session = await workspace.openStudy(await engine.readStudyBundle(new Uint8Array(bytes)));
  await session.selectMany(shown.selected);
  return shown;
}

const workspace = new Workspace(engine);
const service = new CaseService(document.baseURI);
const documents = new Documents(workspace, service);

showTheme(themeOf(storedTheme()));
routePageKeys();
createRoot(document.getElementById("page") as HTMLElement).render(
  <FilePage
    {...{ workspace, service, documents }}
    layout={new PageLayout()}
    opened={opened(window.wattbookMap as PackedMap)}
  />,
);
