import { type ISignal, Signal } from "@lumino/signaling";
import { localStorageOrNone } from "../../ui/rememberedChoices.ts";

/** When MapLibre draws the ground of a map: with a graphics card, always where there is WebGL 2, or never. */
export const GROUND_CHOICES = ["auto", "always", "never"] as const;
export type GroundChoice = (typeof GROUND_CHOICES)[number];

const STORED = "wattbook:ground";

/** What holds for all maps of the page; the browser remembers it. */
class MapSettings {
  readonly #changed = new Signal<this, void>(this);
  #ground: GroundChoice = storedGround();

  /** Tells that a setting changed. */
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
    try {
      localStorageOrNone()?.setItem(STORED, choice);
    } catch {
      // A browser that keeps nothing: the choice holds until the page goes.
    }
    this.#changed.emit();
  }
}

function storedGround(): GroundChoice {
  try {
    const stored = localStorageOrNone()?.getItem(STORED);
    return GROUND_CHOICES.find((choice) => choice === stored) ?? "auto";
  } catch {
    return "auto"; // a browser that keeps nothing
  }
}

/** The settings of this page. */
export const mapSettings = new MapSettings();
