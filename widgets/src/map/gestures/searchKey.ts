import { takesText } from "../../ui/undoKeys.ts";

/** A map with a search. */
export interface SearchableMap {
  readonly node: HTMLElement;
  focusSearch(): void;
}

const maps = new Set<SearchableMap>();

/**
 * Makes the key `/` open the search of the map in view, wherever the focus is outside text. Returns a function that
 * removes the listener.
 */
export function listenSearchKey(map: SearchableMap): () => void {
  if (maps.size === 0) {
    document.addEventListener("keydown", pressed);
  }
  maps.add(map);
  return () => {
    maps.delete(map);
    if (maps.size === 0) {
      document.removeEventListener("keydown", pressed);
    }
  };
}

function pressed(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented, target } = event;
  if (key !== "/" || ctrlKey || metaKey || altKey || defaultPrevented || takesText(target)) {
    return;
  }
  const found = mapInView();
  if (found !== null) {
    event.preventDefault();
    found.focusSearch();
  }
}

/** The map with the largest visible area; null if none is visible. */
function mapInView(): SearchableMap | null {
  let [most, found]: [number, SearchableMap | null] = [0, null];
  for (const map of maps) {
    const area = areaInView(map.node);
    if (area > most) {
      [most, found] = [area, map];
    }
  }
  return found;
}

/** Visible area of an element inside the window and its scrolling ancestors, square pixels. */
function areaInView(element: HTMLElement): number {
  let { left, right, top, bottom } = element.getBoundingClientRect();
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    if (getComputedStyle(parent).overflowY !== "visible") {
      const box = parent.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
  }
  const wide = Math.min(right, innerWidth) - Math.max(left, 0);
  const tall = Math.min(bottom, innerHeight) - Math.max(top, 0);
  return Math.max(0, wide) * Math.max(0, tall);
}
