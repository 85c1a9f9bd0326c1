import type { Map as LibreMap, StyleSpecification } from "@service/widgets/maplibre";
import type { Frame, PictureSize } from "../picture/frame.ts";
import { h } from "../../ui/dom.ts";
import { loadLibrary, tilesOf } from "./groundLibrary.ts";
import { contextSettled, giveContext, type PooledGround, takeContext, usedContext } from "./groundPool.ts";
import { libreView } from "./libreView.ts";
import { ownStyle } from "./groundStyle.ts";
import { mapSettings } from "./mapSettings.ts";

/** A map that lost its context so often draws without one from then on. */
const MOST_LOSSES = 3;

/**
 * The ground of one map as MapLibre draws it, below a camera that is always the picture's own: out of sight it draws into its own canvas, and
 * the picture copies that in the same frame. Until the first ground is there, and wherever there is none, others draw it.
 */
export class GroundMap implements PooledGround {
  /** Where the map of MapLibre is: it needs an element of its size in the page. */
  readonly node = h("div", { class: "wb-Ground", attributes: { "aria-hidden": "true", inert: "" } });
  readonly #again: () => void;
  readonly #kept = document.createElement("canvas");
  /** What the kept picture shows; empty while there is none. */
  #keptKey: readonly unknown[] = [];
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

  /** `again` is called when the picture has to be drawn once more. */
  constructor(again: () => void) {
    this.#again = again;
  }

  get settled(): boolean {
    return this.#ready && this.#key.length > 0 && this.#map?.loaded() === true;
  }

  /** Whether a new frame is to ask for the ground; `card` tells whether there is a graphics card. */
  asks(card: boolean): boolean {
    const { ground } = mapSettings;
    this.#wanted = !this.#failed && !this.#disposed && (ground === "always" || (ground === "auto" && card));
    return this.#wanted && !this.#starting && (this.#map === null || this.#ready);
  }

  /** Puts the ground on a picture; false where something else has to draw it. */
  draw(context: CanvasRenderingContext2D, frame: Frame, size: PictureSize, card: boolean): boolean {
    this.asks(card);
    if (!this.#wanted) {
      if (this.#map !== null) {
        this.#end();
      }
      return false;
    }
    const key = [...Object.values(frame.camera.view), frame.theme, size.width, size.height, size.ratio];
    if (this.#map === null && same(key, this.#keptKey)) {
      context.drawImage(this.#kept, 0, 0, size.width, size.height);
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
    context.drawImage(this.#map.getCanvas(), 0, 0, size.width, size.height);
    return true;
  }

  sleep(): void {
    const map = this.#map;
    if (map !== null && this.#ready) {
      const { width, height } = map.getCanvas();
      [this.#kept.width, this.#kept.height] = [width, height];
      map.redraw();
      this.#kept.getContext("2d")?.drawImage(map.getCanvas(), 0, 0);
      this.#keptKey = this.#key;
    }
    this.#end();
  }

  roomMade(): void {
    this.#again();
  }

  dispose(): void {
    this.#disposed = true;
    this.#end();
    this.#kept.width = this.#kept.height = 0;
    this.node.remove();
  }

  #start(frame: Frame, size: PictureSize): void {
    if (this.#starting || !this.node.isConnected || !takeContext(this)) {
      return;
    }
    this.#starting = true;
    const { theme } = frame;
    const view = libreView(frame.camera);
    loadLibrary()
      .then(({ Map }) => {
        if (this.#disposed || !this.#wanted) {
          giveContext(this);
          return;
        }
        this.#resize(frame);
        const map = new Map({
          container: this.node,
          style: styleOf(theme),
          ...view,
          pixelRatio: size.ratio,
          interactive: false,
          attributionControl: false,
          fadeDuration: 0,
          renderWorldCopies: false,
          trackResize: false,
          minZoom: -2,
          maxZoom: 24,
          // The picture's camera knows how far out one may look.
          transformConstrain: (center, zoom) => ({ center, zoom }),
          canvasContextAttributes: {
            antialias: false,
            preserveDrawingBuffer: true,
            powerPreference: "high-performance",
          },
        });
        this.#styled = theme;
        this.#map = map;
        this.#listen(map);
      })
      .catch((error: unknown) => this.#fail(error))
      .finally(() => (this.#starting = false));
  }

  #listen(map: LibreMap): void {
    map.once("idle", () => {
      if (this.#map === map) {
        this.#ready = true;
        this.#keptKey = [];
        this.#kept.width = this.#kept.height = 0;
        this.node.dataset["ready"] = "";
        this.#again();
      }
    });
    map.on("idle", contextSettled);
    map.on("render", () => {
      if (!this.#drawing && this.#ready) {
        this.#again();
      }
    });
    map.on("error", ({ error }) => this.#fail(error));
    map.on("webglcontextlost", () => {
      this.#losses += 1;
      this.#failed ||= this.#losses >= MOST_LOSSES;
      // Not within the handler: MapLibre goes on with the map that lost it.
      setTimeout(() => {
        if (this.#map === map) {
          this.#end();
          this.#again();
        }
      });
    });
  }

  /** Brings MapLibre's camera to that of the frame, and draws with it at once. */
  #follow(map: LibreMap, frame: Frame, size: PictureSize, key: readonly unknown[]): void {
    if (this.#styled !== frame.theme) {
      this.#styled = frame.theme;
      map.setStyle(styleOf(frame.theme), { diff: true });
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
      map.jumpTo(libreView(frame.camera));
      map.redraw();
    } finally {
      this.#drawing = false;
    }
  }

  #resize({ camera }: Frame): void {
    this.node.style.width = `${camera.width}px`;
    this.node.style.height = `${camera.height}px`;
  }

  #fail(error: unknown): void {
    if (!this.#disposed) {
      this.#failed = true;
      this.node.dataset["problem"] = error instanceof Error ? error.message : String(error);
      this.#end();
      this.#again();
    }
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

function styleOf(theme: Frame["theme"]): StyleSpecification {
  return ownStyle(theme, tilesOf());
}

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k]);
}
