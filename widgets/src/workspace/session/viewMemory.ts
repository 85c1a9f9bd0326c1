import type { StudyView } from "@service/engine";

/** What a map shows of a session: quantities of buses and lines, and from where. */
export type MapView = Pick<StudyView, "quantity" | "lines" | "camera">;

/** Remembers how a session is looked at: the next map of it begins there, and its Study is saved with it. */
export class ViewMemory {
  #last: MapView = {};
  #shown: (() => MapView) | null = null;

  /** What the map that was made last shows, or what was seen before. */
  get view(): MapView {
    return this.#shown?.() ?? this.#last;
  }

  /** Takes the view of a saved Study; maps that are there already keep theirs. */
  restore(view: MapView): void {
    this.#last = view;
  }

  /** A map tells what it shows from now on. Gives what ends that. */
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
