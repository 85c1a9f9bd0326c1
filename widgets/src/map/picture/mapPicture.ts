import { basemapStore } from "../basemap/loadBasemap.ts";
import { BasemapLayer } from "../basemap/basemapLayer.ts";
import { drawGlobeEdge } from "../perspective/globeDisc.ts";
import { SCALES } from "../basemap/basemapStyle.ts";
import type { Camera } from "../view/camera.ts";
import { ATTRIBUTION } from "../chrome/scaleBar.ts";
import { MapOverlays } from "../overlay/mapOverlays.ts";
import { drawOverlays } from "../overlay/overlayPaint.ts";
import { ChosenBasemap } from "../userBasemap/chosenBasemap.ts";
import { GroundMap } from "../ground/groundMap.ts";
import type { Geometry } from "../view/geometry.ts";
import { basemapWishes, type LabelBox, LabelPainter, type LabelWish, type PlacedLabel, placeLabels } from "./labels.ts";
import type { Pixels } from "../raster/pixels.ts";
import { mapSettings } from "../ground/mapSettings.ts";
import type { Plane } from "../view/scene.ts";
import type { SceneModel } from "../view/sceneModel.ts";
import { NetworkLayer } from "../webgl/networkLayer.ts";
import type { Frame, PictureParts, PictureSize, SavedGround } from "./frame.ts";
import { busRadius } from "./busMarks.ts";

/** With more buses on screen than this none is labelled. */
const NAMED_BUSES = 140;
/** Extent of the county lines, degrees. */
const COUNTIES = { x0: -125, x1: -66, y0: -54, y1: -26 };

/** The map's additions to the picture of a network: the basemap, WebGL for the network, and labels. */
export class MapParts implements PictureParts {
  /** Boxes covered by overlays, which labels avoid. */
  covered: readonly LabelBox[] = [];
  readonly #model: SceneModel;
  readonly #plane: () => Plane;
  readonly #again: () => void;
  readonly #basemap = new BasemapLayer();
  /** The user's choice of basemap. */
  readonly chosen = new ChosenBasemap();
  /** The user's layers between basemap and network. */
  readonly overlays = new MapOverlays();
  readonly #earth: GroundMap;
  readonly #network: NetworkLayer;
  readonly #painter = new LabelPainter();
  #grounds = 0;
  /** Whether MapLibre drew the last ground. */
  #byLibrary = false;
  /** The last placed labels and their key: they are reused while only prices change. */
  #placed: { key: readonly unknown[]; labels: PlacedLabel[] } = { key: [], labels: [] };

  /** `again` is called when the picture has to be redrawn. */
  constructor(model: SceneModel, plane: () => Plane, again: () => void) {
    this.#model = model;
    this.#plane = plane;
    this.#again = again;
    this.#network = new NetworkLayer(again);
    this.#earth = new GroundMap({
      again: () => this.#groundChanged(),
      blocked: (server) => this.chosen.blocked(server),
      drawn: (basemap) => this.chosen.drawn(basemap),
      refused: (basemap, error) => this.chosen.refuse(basemap, error),
    });
    this.chosen.changed.connect(this.#basemapChanged, this);
    this.overlays.changed.connect(this.#groundChanged, this);
    this.#basemapChanged();
    mapSettings.changed.connect(this.#groundChanged, this);
    basemapStore.changed.connect(this.#groundChanged, this);
  }

  /** The node that the ground needs in the page, although it is invisible. */
  get node(): HTMLElement {
    return this.#earth.node;
  }

  /** Version of the background; null without one. */
  get ground(): number | null {
    return this.#plane() === "map" && basemapStore.basemap !== null ? this.#grounds : null;
  }

  /** The renderer of the last ground. */
  get groundBy(): "maplibre" | "canvas" {
    return this.#byLibrary ? "maplibre" : "canvas";
  }

  /** Requests the data that the picture needs. */
  prepare(): void {
    if (this.#plane() === "map") {
      void basemapStore.ensure("basemap");
    }
  }

  behind(context: CanvasRenderingContext2D, frame: Frame, size: PictureSize): boolean {
    const stale = this.#drawGround(context, frame, size);
    if (this.#plane() === "map") {
      drawGlobeEdge(context, frame.camera, frame.theme, size.ratio);
      drawOverlays(context, this.overlays.shown, frame.camera, size.ratio);
    }
    return stale;
  }

  #drawGround(context: CanvasRenderingContext2D, frame: Frame, size: PictureSize): boolean {
    const { basemap, counties } = basemapStore;
    const kind = this.basemapKind;
    if (this.#plane() !== "map" || basemap === null || kind === "none") {
      this.#byLibrary = false;
      return false;
    }
    this.#byLibrary = kind !== "plain" && this.#earth.draw(context, frame, size, this.#network.available);
    if (this.#byLibrary) {
      return false;
    }
    const { camera, theme } = frame;
    if (camera.scale >= SCALES.counties && overCounties(camera)) {
      void basemapStore.ensure("counties");
    }
    const stale = this.#basemap.draw(context, basemap, counties, { camera, theme, ...size, now: performance.now() });
    if (stale) {
      this.#again();
    }
    return stale;
  }

  copyBehind(pixels: Pixels, { camera, theme }: Frame, size: PictureSize): boolean {
    const { basemap, counties } = basemapStore;
    const kind = this.basemapKind;
    if (basemap === null || kind === "none" || this.#byLibrary || this.overlays.shown.length > 0) {
      return false;
    }
    if (kind !== "plain" && this.#earth.asks(this.#network.available)) {
      return false;
    }
    return this.#basemap.copyTo(pixels, basemap, counties, { camera, theme, ...size });
  }

  /** Attribution of the basemap; empty without one. */
  get attribution(): string {
    if (this.#plane() !== "map" || basemapStore.basemap === null || this.basemapKind === "none") {
      return "";
    }
    return this.basemapKind === "chosen" && this.#byLibrary ? this.#earth.attribution : ATTRIBUTION;
  }

  /** The last drawn background, to be saved; an image of it has `ratio` pixels per screen pixel. */
  saved(ratio: number): SavedGround {
    const { basemap, counties } = basemapStore;
    const { attribution } = this;
    const onMap = this.#plane() === "map";
    if (!onMap || basemap === null || this.basemapKind === "none") {
      return { drawn: null, attribution, onMap };
    }
    return { drawn: this.#byLibrary ? { image: this.#earth.still(ratio) } : { basemap, counties }, attribution, onMap };
  }

  /** The basemap: a bundled ground, or a chosen one. */
  get basemapKind(): "natural_earth" | "plain" | "none" | "chosen" {
    const { shown } = this.chosen;
    return "kind" in shown ? shown.kind : "chosen";
  }

  /** Whether the bundled place names are shown; a user's basemap has its own. */
  get #named(): boolean {
    const drawn =
      this.basemapKind === "natural_earth" ||
      this.basemapKind === "plain" ||
      (this.basemapKind === "chosen" && !this.#byLibrary);
    return this.#plane() === "map" && drawn;
  }

  /** Whether a graphics card draws the network. A diagram is a plain canvas, as is a map without a graphics card. */
  accelerated(): boolean {
    return this.#plane() === "map" && this.#network.available;
  }

  network(context: CanvasRenderingContext2D, frame: Frame, { width, height, ratio }: PictureSize): void {
    this.#network.draw(frame, context, width, height, ratio);
  }

  before(context: CanvasRenderingContext2D, frame: Frame): void {
    const onMap = this.#plane() === "map" && basemapStore.basemap !== null;
    this.#model.detail?.draw(context, frame, onMap ? frame.theme.land : frame.theme.ground);
    this.#painter.draw(context, this.labels(context, frame), frame.theme);
  }

  /** The labels of a frame with their positions. */
  labels(context: CanvasRenderingContext2D, frame: Frame): PlacedLabel[] {
    const { camera, geometry, theme, selection, sizes, places } = frame;
    const key = [
      ...[camera.width, camera.height, ...Object.values(camera.view)],
      ...[geometry, theme, sizes, places.length, selection.map(({ kind, row }) => `${kind} ${row}`).join()],
      ...[this.covered, this.#plane(), basemapStore.basemap, this.#named],
    ];
    const last = this.#placed;
    if (key.length !== last.key.length || key.some((value, k) => value !== last.key[k])) {
      const widthOf = (wish: LabelWish): number => this.#painter.widthOf(context, wish, theme);
      const { taken = [], avoided = [] } = this.#model.detail ?? {};
      const occupied = [...this.covered, ...taken, ...this.#dots(frame)];
      this.#placed = { key, labels: placeLabels(this.#wishes(frame), camera, widthOf, { taken: occupied, avoided }) };
    }
    return this.#placed.labels;
  }

  /** The labelled buses, which no label may cover. */
  #dots(frame: Frame): LabelBox[] {
    const { camera, geometry, sizes, places } = frame;
    const rows = places.length > 0 ? rowsOnScreen(geometry, camera, NAMED_BUSES) : [];
    return rows.map((row) => {
      const [x, y] = [geometry.busX[row] ?? NaN, geometry.busY[row] ?? NaN];
      const [sx, sy] = [camera.screenX(x, y), camera.screenY(x, y)];
      const r = this.#radius(frame, sizes[row] ?? 1);
      return { x0: sx - r, x1: sx + r, y0: sy - r, y1: sy + r };
    });
  }

  #radius(frame: Pick<Frame, "camera" | "geometry">, size: number): number {
    return Math.max(busRadius(frame) * size, this.#model.detail?.busRadius ?? 0);
  }

  /** Frees what only the next frame needs. */
  release(): void {
    this.#basemap.release();
  }

  dispose(): void {
    basemapStore.changed.disconnect(this.#groundChanged, this);
    mapSettings.changed.disconnect(this.#groundChanged, this);
    this.chosen.dispose();
    this.overlays.changed.disconnect(this.#groundChanged, this);
    this.#earth.dispose();
    this.#network.dispose();
    this.#basemap.release();
  }

  *#wishes(frame: Frame): Generator<LabelWish> {
    yield* this.#busWishes(frame);
    if (this.#named && basemapStore.basemap !== null) {
      yield* basemapWishes(basemapStore.basemap.labels, frame.camera);
    }
  }

  /** Labels of buses: always that of the selected one, the others where few are on screen. */
  *#busWishes({ camera, geometry, sizes, selection, places }: Frame): Generator<LabelWish> {
    const wish = (row: number): LabelWish => ({
      text: this.#model.shortName(row),
      x: geometry.busX[row] ?? NaN,
      y: geometry.busY[row] ?? NaN,
      kind: "bus",
      gap: 4,
      offset: this.#radius({ camera, geometry }, sizes[row] || 1) + 5,
    });
    const selected = selection.filter(({ kind }) => kind === "bus").map(({ row }) => row);
    for (const row of selected.toReversed()) {
      yield wish(row);
    }
    if (places.length > 0) {
      const rows = rowsOnScreen(geometry, camera, NAMED_BUSES);
      const order = this.#model.importance;
      for (const row of rows.sort((a, b) => (order[b] ?? 0) - (order[a] ?? 0) || a - b)) {
        if (!selected.includes(row) && sizes[row] !== 0) {
          yield wish(row);
        }
      }
    }
  }

  #basemapChanged(): void {
    const { shown } = this.chosen;
    this.#earth.basemap = "kind" in shown ? null : shown;
    this.#groundChanged();
  }

  #groundChanged(): void {
    this.#grounds += 1;
    this.#again();
  }
}

/** Rows of the buses on screen; empty if they are more than `most`. */
function rowsOnScreen({ busX, busY }: Geometry, camera: Camera, most: number): number[] {
  const { width, height } = camera;
  const rows: number[] = [];
  for (let row = 0; row < busX.length; row += 1) {
    const [x, y] = [busX[row] ?? NaN, busY[row] ?? NaN];
    const [sx, sy] = [camera.screenX(x, y), camera.screenY(x, y)];
    if (sx >= 0 && sx <= width && sy >= 0 && sy <= height) {
      rows.push(row);
      if (rows.length > most) {
        return [];
      }
    }
  }
  return rows;
}

function overCounties(camera: Camera): boolean {
  const { x0, x1, y0, y1 } = camera.seen();
  return x1 > COUNTIES.x0 && x0 < COUNTIES.x1 && y1 > COUNTIES.y0 && y0 < COUNTIES.y1;
}
