import type { SelectedList } from "../../workspace/index.ts";

/** What a page that is one file shows, as addresses within the page: `unpack.ts` leaves it there for the page's code. */
export interface PackedMap {
  /** A Study file, gzipped. */
  study: string;
  /** `PackedView` as JSON. */
  view: string;
}

/** How the map looked when it was written. */
export interface PackedView {
  quantity?: string;
  lines?: string;
  style?: object;
  selected: SelectedList;
}

declare global {
  interface Window {
    wattbookMap?: PackedMap;
  }
}
