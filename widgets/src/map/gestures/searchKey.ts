import { takesText } from "../../ui/undoKeys.ts";

/** A map that can be searched. */
export interface SearchableMap {
  readonly node: HTMLElement;
  focusSearch(): void;
}

const maps = new Set<SearchableMap>();

/** Lets the key `/` open the search of the map in view, wherever in the page the focus is outside of text. Returns how to stop. */
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

/** The map of which most is in the window; null where none is. */
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

/** How much of an element lies inside the window and what scrolls it, square pixels. */
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
