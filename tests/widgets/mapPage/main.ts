// The page of the map's tests and benchmark: maps over the real engine, nothing of Jupyter.
import { configureEngine, engine } from "@service/engine";
import {
  basemapOf,
  basemapServers,
  Camera,
  CaseMap,
  type CaseMapView,
  libreProjection,
  libreView,
  loadLibrary,
  mapSettings,
  mercator,
  overlaysOf,
  unproject,
} from "@service/widgets/map";
import { type CaseSession, OpenedCase, Workspace } from "@service/widgets/workspace";
import { frames, pretendCard, recolour, rendererName } from "./frames.ts";

configureEngine({
  wasmUrl: new URL("/engine/wasm/wattbook_engine_bg.wasm", location.href),
  workerUrl: new URL("/engine/lib/engine.worker.js", location.href),
});
const workspace = new Workspace(engine);
// The plain picture, even with a simulated card: tests of the other ground set it.
mapSettings.ground = "never";
let cases = 0;
let latest: CaseMap | null = null;

/** Opens a case from its bytes, with a layer of bus positions where there is one. */
async function openSession(address: string, format: string, places?: string): Promise<CaseSession> {
  const bytes = async (path: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(path)).arrayBuffer());
  const content = await bytes(address);
  const ingested =
    format === "module"
      ? await engine.inspectModule(new TextDecoder().decode(content))
      : await engine.ingestCase(content, format);
  const opened = OpenedCase.of(ingested, engine);
  if (places !== undefined) {
    await opened.geography.applyLayer(await bytes(places), "places.csv");
  }
  cases += 1;
  return workspace.openSession({ opened, caseId: `case-${cases}`, caseName: ingested.name, formulation: "dcopf" });
}

/** Shows a map of a session in a new element. */
function showMap(session: CaseSession, view: CaseMapView, host = document.createElement("div")): CaseMap {
  const map = new CaseMap(workspace, session, view);
  host.append(map.node);
  document.body.append(host);
  map.attached();
  latest = map;
  return map;
}

/** A view to compare with MapLibre's. */
export interface ComparedView {
  lon: number;
  lat: number;
  scale: number;
  bearing: number;
  pitch?: number;
  globe?: boolean;
}

/**
 * Distance between MapLibre's camera and ours at a view, pixels: the largest of 49 points of the screen, there and
 * back; points beside a globe are ignored.
 */
async function cameraError(view: ComparedView): Promise<{ worst: number; compared: number }> {
  const [width, height] = [900, 500];
  const container = document.createElement("div");
  Object.assign(container.style, { width: `${width}px`, height: `${height}px` });
  document.body.append(container);
  const { Map } = await loadLibrary();
  const camera = new Camera();
  camera.resize(width, height);
  const [x, y] = mercator([view.lon, view.lat]);
  camera.view = { ...view, x, y, fitScale: view.scale };
  const map = new Map({
    ...{ container, interactive: false, attributionControl: false, renderWorldCopies: false, minZoom: -2, maxZoom: 24 },
    style: { version: 8, sources: {}, layers: [] },
    transformConstrain: (center, zoom) => ({ center, zoom }),
    ...libreView(camera),
  });
  await map.once("style.load");
  map.setProjection({ type: libreProjection(camera) });
  map.jumpTo(libreView(camera));
  let [worst, compared] = [0, 0];
  for (let k = 0; k < 49; k += 1) {
    const [sx, sy] = [((k % 7) * width) / 6, (Math.floor(k / 7) * height) / 6];
    const [wx, wy] = [camera.worldX(sx, sy), camera.worldY(sx, sy)];
    if (Number.isFinite(wx + wy)) {
      const at = map.project(unproject(wx, wy));
      const back = Math.hypot(camera.screenX(wx, wy) - sx, camera.screenY(wx, wy) - sy);
      worst = Math.max(worst, Math.hypot(at.x - sx, at.y - sy), back);
      compared += 1;
    }
  }
  map.remove();
  container.remove();
  return { worst, compared };
}

/** The interface of the page for tests. */
export interface MapPage {
  workspace: Workspace;
  openSession: typeof openSession;
  showMap: typeof showMap;
  frames: typeof frames;
  pretendCard: typeof pretendCard;
  recolour: typeof recolour;
  rendererName: typeof rendererName;
  mapSettings: typeof mapSettings;
  basemapServers: typeof basemapServers;
  basemapOf: typeof basemapOf;
  overlaysOf: typeof overlaysOf;
  /** The map shown last. */
  latest(): CaseMap | null;
  cameraError: typeof cameraError;
}

const mapPage: MapPage = {
  ...{ workspace, openSession, showMap, frames, pretendCard, recolour, rendererName },
  latest: () => latest,
  ...{ mapSettings, basemapServers, basemapOf, overlaysOf, cameraError },
};
Object.assign(window, { mapPage });
