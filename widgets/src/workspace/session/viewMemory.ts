import type { StudyView } from "@service/engine";

/** What a map shows of a session: quantities of buses and lines, and from where. */
export type MapView = Pick<StudyView, "quantity" | "lines" | "camera">;

/** Remembers the view of a session: its next map begins with it, and its Study is saved with it. */
export class ViewMemory {
  #last: MapView = {};
  #shown: (() => MapView) | null = null;

  /** The view of the map that was made last, or the last one before it closed. */
  get view(): MapView {
    return this.#shown?.() ?? this.#last;
  }

  /** Takes the view of a saved Study; maps that are open already do not change. */
  restore(view: MapView): void {
    this.#last = view;
  }

  /** Takes the view from a map from now on. Returns a function that ends that. */
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
