import type { TileExtract } from "../../map/index.ts";
import type { SelectedList } from "../../workspace/index.ts";

/** The content of a page in one file, as addresses within the page. `unpack.ts` sets it for the page's code. */
export interface PackedMap {
  /** A Study file. */
  study: string;
  /** `PackedView` as JSON. */
  view: string;
}

/** The view of the map when the file was written. */
export interface PackedView {
  quantity?: string;
  lines?: string;
  style?: object;
  /** What the page has of the basemap's tiles. */
  tiles: TileExtract;
  selected: SelectedList;
}

declare global {
  interface Window {
    wattbookMap?: PackedMap;
  }
}
