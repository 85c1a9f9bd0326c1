import type { Overlay } from "../overlay/overlay.ts";
import type { Stage } from "../view/stage.ts";
import type { BasemapChoice } from "./basemapChoice.ts";
import { BasemapMark } from "./basemapMark.ts";

/** The ground of a map: the basemap with its mark, and the user's layers. */
export class MapGround {
  readonly mark: BasemapMark;
  readonly #stage: Stage;
  readonly #layersChanged: () => void;

  constructor(stage: Stage, choice: BasemapChoice | null, layersChanged: () => void) {
    this.#stage = stage;
    this.#layersChanged = layersChanged;
    this.choose(choice);
    this.mark = new BasemapMark(stage.basemap);
    stage.overlays.changed.connect(this.#changed, this);
  }

  /** Chooses the basemap; null follows the settings of the page. */
  choose(choice: BasemapChoice | null): void {
    this.#stage.basemap.choose(choice);
  }

  /** Draws layers between basemap and network; `remove` is called when the user removes one of them. */
  setLayers(layers: readonly Overlay[], remove: (name: string) => void): void {
    this.#stage.overlays.set(layers, remove);
  }

  dispose(): void {
    this.mark.dispose();
    this.#stage.overlays.changed.disconnect(this.#changed, this);
  }

  #changed(): void {
    this.#layersChanged();
  }
}
