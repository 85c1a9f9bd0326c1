import type { StudyView } from "@service/engine";

/** The quantities of buses and lines on a map, and its camera. */
export type MapView = Pick<StudyView, "quantity" | "lines" | "camera">;

/** Stores the view of a session: its next map starts with it, and its Study is saved with it. */
export class ViewMemory {
  #last: MapView = {};
  #shown: (() => MapView) | null = null;

  /** The view of the map opened last, or of the last one that closed. */
  get view(): MapView {
    return this.#shown?.() ?? this.#last;
  }

  /** Sets the view of a saved Study; open maps do not change. */
  restore(view: MapView): void {
    this.#last = view;
  }

  /** Follows the view of a map from now on. Returns a function that stops. */
  follow(shown: () => MapView): () => void {
    this.#shown = shown;
    return () => {
      if (this.#shown === shown) {
        this.#last = shown();
        this.#shown = null;
      }
    };
  }
}
