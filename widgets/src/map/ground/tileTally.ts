import type { Map as LibreMap } from "@service/widgets/maplibre";

/** What came of the requests of one map of MapLibre, until it first rests. */
export class TileTally {
  /** Whether a request was not sent: its server waits to be allowed. */
  blocked = false;
  #requested = 0;
  #came = 0;
  #styled = false;
  #asked: string | null = null;
  #lost = false;

  /** Whether the style was taken. */
  get styled(): boolean {
    return this.#styled;
  }

  /** Whether tiles were asked for, and none came. */
  get nothingCame(): boolean {
    return !this.blocked && this.#requested > 0 && this.#came === 0;
  }

  /** The tile that was asked for last, where one had no answer; null where all had. */
  get unanswered(): string | null {
    return this.#lost ? this.#asked : null;
  }

  /** Counts a request by the kind that MapLibre gives it. */
  requested(kind: string | undefined, url: string): void {
    if (kind === "Tile") {
      this.#requested += 1;
      this.#asked = url;
    }
  }

  /** Takes an error of a request: MapLibre gives 0 for the status of one without an answer. */
  failed(error: unknown): void {
    this.#lost ||= typeof error === "object" && error !== null && "status" in error && error.status === 0;
  }

  listen(map: LibreMap): void {
    map.on("style.load", () => (this.#styled = true));
    map.on("data", (event) => {
      const tile = "tile" in event ? (event.tile as { state?: string } | undefined) : undefined;
      this.#came += tile?.state === "loaded" ? 1 : 0;
    });
  }
}
