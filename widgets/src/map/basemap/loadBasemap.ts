import { type ISignal, Signal } from "@lumino/signaling";
import {
  type Basemap,
  type PackedBasemap,
  type PackedCounties,
  readBasemap,
  readCounties,
  type Shape,
} from "./basemap.ts";
import { trans } from "../../text/index.ts";

/** The parts of the basemap. */
export type BasemapPart = "basemap" | "counties";

/** The basemap of the page: loaded once with the first map, and shared by all maps. */
class BasemapStore {
  basemap: Basemap | null = null;
  counties: readonly Shape[] | null = null;
  /** Why there is no basemap, in words. */
  problem: string | null = null;
  readonly #urls: Record<BasemapPart, URL> = {
    basemap: new URL("../../../basemap/basemap.json", import.meta.url),
    counties: new URL("../../../basemap/counties.json", import.meta.url),
  };
  readonly #requests: Partial<Record<BasemapPart, Promise<void>>> = {};
  readonly #changed = new Signal<this, BasemapPart>(this);

  /** Emitted when a part has been loaded or has failed. */
  get changed(): ISignal<this, BasemapPart> {
    return this.#changed;
  }

  /** Requests a part, which is loaded once. */
  ensure(part: BasemapPart): Promise<void> {
    return (this.#requests[part] ??= this.#load(part));
  }

  async #load(part: BasemapPart): Promise<void> {
    try {
      const answer = await fetch(this.#urls[part]);
      if (!answer.ok) {
        throw new Error(trans.__("the server answered %1", answer.status));
      }
      if (part === "basemap") {
        this.basemap = readBasemap((await answer.json()) as PackedBasemap);
      } else {
        this.counties = readCounties((await answer.json()) as PackedCounties);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.problem =
        part === "basemap"
          ? trans.__("The basemap could not be read: %1", reason)
          : trans.__("The county lines could not be read: %1", reason);
    }
    this.#changed.emit(part);
  }
}

/** The basemap of this page. */
export const basemapStore = new BasemapStore();
