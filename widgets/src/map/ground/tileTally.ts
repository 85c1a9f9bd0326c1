import type { Map as LibreMap } from "@service/widgets/maplibre";

/** Outcome of the requests of one MapLibre map, until it first becomes idle. */
export class TileTally {
  /** Whether a request was blocked because its server is not allowed yet. */
  blocked = false;
  #requested = 0;
  #came = 0;
  #styled = false;
  #requestedUrl: string | null = null;
  #lost = false;

  /** Whether the style was loaded. */
  get styled(): boolean {
    return this.#styled;
  }

  /** Whether tiles were requested and none arrived. */
  get nothingCame(): boolean {
    return !this.blocked && this.#requested > 0 && this.#came === 0;
  }

  /** The last requested tile, if a request had no response; null if all had. */
  get unanswered(): string | null {
    return this.#lost ? this.#requestedUrl : null;
  }

  /** Counts a request by MapLibre's resource kind. */
  requested(kind: string | undefined, url: string): void {
    if (kind === "Tile") {
      this.#requested += 1;
      this.#requestedUrl = url;
    }
  }

  /** Records an error of a request; MapLibre reports status 0 for a request without a response. */
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
