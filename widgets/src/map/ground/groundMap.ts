import type { Map as LibreMap } from "@service/widgets/maplibre";
import type { Frame, PictureSize } from "../picture/frame.ts";
import { h } from "../../ui/dom.ts";
import { BasemapError } from "../userBasemap/basemapError.ts";
import { basemapServers } from "../userBasemap/basemapServers.ts";
import { serverOf } from "../userBasemap/basemapChoice.ts";
import { loadLibrary } from "./groundLibrary.ts";
import { contextSettled, giveContext, type PooledGround, takeContext, usedContext } from "./groundPool.ts";
import { libreProjection, libreView } from "./libreView.ts";
import { ownStyle } from "./groundStyle.ts";
import { MOST_PITCH } from "../view/camera.ts";
import { drawGlobeDisc } from "../perspective/globeDisc.ts";
import { mapSettings } from "./mapSettings.ts";
import type { OpenBasemap } from "../userBasemap/openBasemap.ts";
import { ownExtract, ownTiles } from "./tileArchives.ts";
import { TileTally } from "./tileTally.ts";
import { unanswered } from "../userBasemap/unanswered.ts";
import { trans } from "../../text/index.ts";

/**
 * MapLibre draws no frame and never becomes idle after a missing tile, so it is polled at this interval until it first
 * becomes idle, ms.
 */
const ASK_AGAIN_MS = 500;

/** Events of a ground with a basemap that the user chose. */
export interface GroundEvents {
  /** The picture has to be redrawn. */
  again(): void;
  /** A request to a server that is not allowed was blocked. */
  blocked(server: string): void;
  /** The chosen basemap was drawn for the first time. */
  drawn(basemap: OpenBasemap): void;
  refused(basemap: OpenBasemap, error: BasemapError): void;
}

/** The bundled ground. */
const OWN: OpenBasemap = { style: (theme) => ownStyle(theme, ownTiles(), ownExtract()), attribution: null };

/** Why no requested tile arrived. */
async function whyNothingCame({ unanswered: url }: TileTally): Promise<BasemapError> {
  return url === null
    ? new BasemapError("BASEMAP.TILES", trans.__("The server has no tiles for this view."))
    : unanswered(url);
}

/** A map that lost its context this often draws without WebGL from then on. */
const MOST_LOSSES = 3;

/**
 * The ground of one map as drawn by MapLibre, below a camera that always equals the picture's: it draws into a hidden
 * canvas, which the picture copies in the same frame. Until the first ground is ready, and wherever it is not
 * available, other layers draw the ground.
 */
export class GroundMap implements PooledGround {
  /** The container of MapLibre, which needs an element of its size in the page. */
  readonly node = h("div", { class: "wb-Ground", attributes: { "aria-hidden": "true", inert: "" } });
  readonly #events: GroundEvents;
  readonly #again: () => void;
  readonly #stored = document.createElement("canvas");
  /** The key of the stored picture; empty without one. */
  #storedKey: readonly unknown[] = [];
  #map: LibreMap | null = null;
  #starting = false;
  #ready = false;
  #drawing = false;
  #disposed = false;
  #wanted = false;
  #losses = 0;
  #failed = false;
  #key: readonly unknown[] = [];
  #styled: Frame["theme"] | null = null;
  #basemap = OWN;
  #projection: ReturnType<typeof libreProjection> = "mercator";

  constructor(events: GroundEvents) {
    this.#events = events;
    this.#again = () => events.again();
  }

  /** Draws the user's basemap from now on; null draws the bundled ground. */
  set basemap(chosen: OpenBasemap | null) {
    const basemap = chosen ?? OWN;
    if (basemap !== this.#basemap) {
      this.#basemap = basemap;
      this.#failed = false;
      this.#storedKey = [];
      this.#end();
      this.#again();
    }
  }

  /** The attribution of the basemap: its own, or else that of its sources. */
  get attribution(): string {
    const { attribution } = this.#basemap;
    return attribution ?? (this.#map === null ? "" : creditsOf(this.#map));
  }

  get settled(): boolean {
    return this.#ready && this.#key.length > 0 && this.#map?.loaded() === true;
  }

  /** Whether a new frame should request the ground; `card` is true with a graphics card. */
  asks(card: boolean): boolean {
    const { ground } = mapSettings;
    const own = this.#basemap === OWN;
    const able = own ? ground === "always" || (ground === "auto" && card) : ground !== "never";
    this.#wanted = able && !this.#failed && !this.#disposed;
    return this.#wanted && !this.#starting && (this.#map === null || this.#ready);
  }

  /** Draws the ground on a picture; false where another layer has to draw it. */
  draw(context: CanvasRenderingContext2D, frame: Frame, size: PictureSize, card: boolean): boolean {
    this.asks(card);
    if (!this.#wanted) {
      if (this.#map !== null) {
        this.#end();
      }
      return false;
    }
    const key = [...Object.values(frame.camera.view), frame.theme, size.width, size.height, size.ratio];
    if (this.#map === null && same(key, this.#storedKey)) {
      context.drawImage(this.#stored, 0, 0, size.width, size.height);
      return true;
    }
    if (this.#map === null) {
      this.#start(frame, size);
      return false;
    }
    usedContext(this);
    this.#follow(this.#map, frame, size, key);
    if (!this.#ready) {
      return false;
    }
    if (this.#basemap === OWN) {
      drawGlobeDisc(context, frame.camera, frame.theme, size.ratio); // there are gaps between tiles of different zooms
    }
    context.drawImage(this.#map.getCanvas(), 0, 0, size.width, size.height);
    return true;
  }

  sleep(): void {
    const map = this.#map;
    if (map !== null && this.#ready) {
      const { width, height } = map.getCanvas();
      [this.#stored.width, this.#stored.height] = [width, height];
      map.redraw();
      this.#stored.getContext("2d")?.drawImage(map.getCanvas(), 0, 0);
      this.#storedKey = this.#key;
    }
    this.#end();
  }

  /** The last ground as a PNG data URL, with `ratio` pixels per screen pixel where it can still be drawn. */
  still(ratio: number): string {
    const map = this.#map;
    if (map === null) {
      return this.#stored.toDataURL("image/png");
    }
    const usual = map.getPixelRatio();
    this.#drawing = true;
    try {
      map.setPixelRatio(ratio);
      map.redraw();
      return map.getCanvas().toDataURL("image/png");
    } finally {
      map.setPixelRatio(usual);
      map.redraw();
      this.#drawing = false;
    }
  }

  roomMade(): void {
    this.#again();
  }

  dispose(): void {
    this.#disposed = true;
    this.#end();
    this.#stored.width = this.#stored.height = 0;
    this.node.remove();
  }

  #start(frame: Frame, size: PictureSize): void {
    if (this.#starting || !this.node.isConnected || !takeContext(this)) {
      return;
    }
    this.#starting = true;
    const { theme } = frame;
    const basemap = this.#basemap;
    const view = libreView(frame.camera);
    loadLibrary()
      .then(({ Map }) => {
        if (this.#disposed || !this.#wanted || basemap !== this.#basemap) {
          giveContext(this);
          this.#again();
          return;
        }
        this.#resize(frame);
        const tally = new TileTally();
        const map = new Map({
          container: this.node,
          style: basemap.style(theme),
          transformRequest: (url, kind) => this.#request(url, kind, tally),
          ...view,
          pixelRatio: size.ratio,
          interactive: false,
          attributionControl: false,
          fadeDuration: 0,
          renderWorldCopies: false,
          trackResize: false,
          minZoom: -2,
          maxZoom: 24,
          maxPitch: MOST_PITCH,
          // The picture's camera limits the zoom.
          transformConstrain: (center, zoom) => ({ center, zoom }),
          canvasContextAttributes: {
            antialias: false,
            preserveDrawingBuffer: true,
            powerPreference: "high-performance",
          },
        });
        this.#styled = theme;
        this.#projection = libreProjection(frame.camera);
        this.#map = map;
        this.#listen(map, basemap, tally);
      })
      .catch((error: unknown) => this.#fail(basemap, error, "BASEMAP.WEBGL"))
      .finally(() => (this.#starting = false));
  }

  /** Admits a request to an allowed server only. */
  #request(url: string, kind: string | undefined, tally: TileTally): { url: string } {
    const server = serverOf(url);
    if (server !== null && !basemapServers.allows(server)) {
      tally.blocked = true;
      this.#events.blocked(server);
      throw new BasemapError("BASEMAP.SERVER", trans.__("Requests to %1 are not allowed.", server));
    }
    tally.requested(kind, url);
    return { url };
  }

  #listen(map: LibreMap, basemap: OpenBasemap, tally: TileTally): void {
    tally.listen(map);
    // The projection belongs to the style, so it is set again with each style.
    map.once("style.load", () => {
      this.#project(map);
      map.on("styledata", () => this.#project(map));
    });
    const asking = setInterval(() => map.triggerRepaint(), ASK_AGAIN_MS);
    map.once("remove", () => clearInterval(asking));
    map.once("idle", () => {
      clearInterval(asking);
      if (this.#map === map && basemap !== OWN && tally.nothingCame) {
        void whyNothingCame(tally).then((error) => this.#fail(basemap, error, error.code));
      } else if (this.#map === map) {
        this.#ready = true;
        this.#storedKey = [];
        this.#stored.width = this.#stored.height = 0;
        this.node.dataset["ready"] = "";
        if (basemap !== OWN) {
          this.#events.drawn(basemap);
        }
        this.#again();
      }
    });
    map.on("idle", contextSettled);
    map.on("render", () => {
      if (!this.#drawing && this.#ready) {
        this.#again();
      }
    });
    map.on("error", ({ error }) => {
      tally.failed(error);
      // A few missing tiles of a user's basemap are harmless; an invalid style never loads.
      if (basemap === OWN || !tally.styled) {
        this.#fail(basemap, error, "BASEMAP.STYLE");
      }
    });
    map.on("webglcontextlost", () => {
      this.#losses += 1;
      this.#failed ||= this.#losses >= MOST_LOSSES;
      // Deferred, because MapLibre continues with the lost map after the handler.
      setTimeout(() => {
        if (this.#map === map) {
          this.#end();
          this.#again();
        }
      });
    });
  }

  /** Sets MapLibre's camera to that of the frame, and draws at once. */
  #follow(map: LibreMap, frame: Frame, size: PictureSize, key: readonly unknown[]): void {
    if (this.#styled !== frame.theme) {
      this.#styled = frame.theme;
      map.setStyle(this.#basemap.style(frame.theme), { diff: true });
    }
    if (same(key, this.#key)) {
      return;
    }
    const resized = key.slice(-3).some((value, k) => value !== this.#key.at(k - 3));
    this.#key = key;
    this.#drawing = true;
    try {
      if (resized) {
        this.#resize(frame);
        map.setPixelRatio(size.ratio);
        map.resize();
      }
      this.#projection = libreProjection(frame.camera);
      if (this.#ready) {
        this.#project(map);
      }
      map.jumpTo(libreView(frame.camera));
      map.redraw();
    } finally {
      this.#drawing = false;
    }
  }

  #project(map: LibreMap): void {
    if ((map.getProjection()?.type ?? "mercator") !== this.#projection) {
      map.setProjection({ type: this.#projection });
    }
  }

  #resize({ camera }: Frame): void {
    this.node.style.width = `${camera.width}px`;
    this.node.style.height = `${camera.height}px`;
  }

  #fail(basemap: OpenBasemap, error: unknown, code: string): void {
    if (this.#disposed || basemap !== this.#basemap) {
      return;
    }
    const text = error instanceof Error ? error.message : String(error);
    this.#failed = true;
    this.node.dataset["problem"] = text;
    this.#end();
    if (basemap !== OWN) {
      this.#events.refused(basemap, new BasemapError(code, text));
    }
    this.#again();
  }

  #end(): void {
    giveContext(this);
    const map = this.#map;
    this.#map = null;
    this.#ready = false;
    this.#key = [];
    delete this.node.dataset["ready"];
    map?.remove();
    contextSettled();
  }
}

/** The attribution of a style's sources, as plain text. */
function creditsOf(map: LibreMap): string {
  const credits = Object.keys(map.getStyle()?.sources ?? {}).map((id) => map.getSource(id)?.attribution ?? "");
  const texts = credits.map((html) => new DOMParser().parseFromString(html, "text/html").body.textContent.trim());
  return [...new Set(texts.filter((text) => text !== ""))].join(", ");
}

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k]);
}
