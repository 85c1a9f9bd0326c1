// The page of the map's tests and benchmark: maps over the real engine, nothing of Jupyter.
import { configureEngine, engine } from "@service/engine";
import { CaseMap, type CaseMapView } from "@service/widgets/map";
import { type CaseSession, OpenedCase, Workspace } from "@service/widgets/workspace";
import { frames, pretendCard, recolour, rendererName } from "./frames.ts";

configureEngine({
  wasmUrl: new URL("/engine/wasm/wattbook_engine_bg.wasm", location.href),
  workerUrl: new URL("/engine/lib/engine.worker.js", location.href),
});
const workspace = new Workspace(engine);
let cases = 0;

/** Opens a case from its bytes, with a layer of bus positions where there is one. */
async function openSession(address: string, format: string, places?: string): Promise<CaseSession> {
  const bytes = async (path: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(path)).arrayBuffer());
  const content = await bytes(address);
  const ingested =
    format === "module"
      ? await engine.inspectModule(new TextDecoder().decode(content))
      : await engine.ingestCase(content, format);
  const opened = new OpenedCase(ingested, engine);
  if (places !== undefined) {
    await opened.geography.applyLayer(await bytes(places), "places.csv");
  }
  cases += 1;
  return workspace.openSession({ opened, caseId: `case-${cases}`, caseName: ingested.name, formulation: "dcopf" });
}

/** Puts a map of a session into an element of its own. */
function showMap(session: CaseSession, view: CaseMapView, host = document.createElement("div")): CaseMap {
  const map = new CaseMap(workspace, session, view);
  host.append(map.node);
  document.body.append(host);
  map.attached();
  return map;
}

/** What the tests work with, in the page. */
export interface MapPage {
  workspace: Workspace;
  openSession: typeof openSession;
  showMap: typeof showMap;
  frames: typeof frames;
  pretendCard: typeof pretendCard;
  recolour: typeof recolour;
  rendererName: typeof rendererName;
}

const mapPage: MapPage = { workspace, openSession, showMap, frames, pretendCard, recolour, rendererName };
Object.assign(window, { mapPage });
