import { type ISignal, Signal } from "@lumino/signaling";
import { localStorageOrNone } from "../../ui/rememberedChoices.ts";
import { type BasemapChoice, basemapOf, NATURAL_EARTH, sameBasemap } from "../userBasemap/basemapChoice.ts";

/** When MapLibre draws the ground of a map: with a graphics card, always where there is WebGL 2, or never. */
export const GROUND_CHOICES = ["auto", "always", "never"] as const;
export type GroundChoice = (typeof GROUND_CHOICES)[number];

const STORED = "wattbook:ground";
const STORED_BASEMAP = "wattbook:basemap";

/** Settings for all maps of the page, stored by the browser. */
class MapSettings {
  readonly #changed = new Signal<this, void>(this);
  #ground: GroundChoice = storedGround();
  #basemap: BasemapChoice = storedBasemap();

  /** Emitted when a setting has changed. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get ground(): GroundChoice {
    return this.#ground;
  }

  set ground(choice: GroundChoice) {
    if (choice === this.#ground) {
      return;
    }
    this.#ground = choice;
    remember(STORED, choice);
    this.#changed.emit();
  }

  /** The basemap of maps without a choice of their own. */
  get basemap(): BasemapChoice {
    return this.#basemap;
  }

  set basemap(choice: BasemapChoice) {
    if (sameBasemap(choice, this.#basemap)) {
      return;
    }
    this.#basemap = choice;
    // A local file cannot be found again.
    remember(STORED_BASEMAP, JSON.stringify(choice.kind === "file" ? NATURAL_EARTH : choice));
    this.#changed.emit();
  }
}

function remember(key: string, value: string): void {
  try {
    localStorageOrNone()?.setItem(key, value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function storedBasemap(): BasemapChoice {
  try {
    return basemapOf(JSON.parse(localStorageOrNone()?.getItem(STORED_BASEMAP) ?? "null")) ?? NATURAL_EARTH;
  } catch {
    return NATURAL_EARTH; // foreign content, or no storage
  }
}

function storedGround(): GroundChoice {
  try {
    const stored = localStorageOrNone()?.getItem(STORED);
    return GROUND_CHOICES.find((choice) => choice === stored) ?? "auto";
  } catch {
    return "auto"; // no storage
  }
}

/** The settings of this page. */
export const mapSettings = new MapSettings();
