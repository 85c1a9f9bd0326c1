/** What the keys on the picture do. */
export interface KeyActions {
  /** Select the next bus in a direction, y downwards. */
  step(dx: number, dy: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number): void;
  fit(): void;
  clear(): void;
}

const DIRECTIONS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const PAN_PIXELS = 60;

/** What the picture tells about its keys. */
export const KEYS_TEXT =
  "Arrow keys go from bus to bus, with Shift they move the picture; plus and minus zoom, 0 shows everything, Escape clears the selection.";

/** Runs the action of a key; false when the key has none. */
export function runKey(event: KeyboardEvent, actions: KeyActions): boolean {
  const direction = DIRECTIONS[event.key];
  if (direction !== undefined) {
    const [dx, dy] = direction;
    if (event.shiftKey) {
      actions.pan(-dx * PAN_PIXELS, -dy * PAN_PIXELS);
    } else {
      actions.step(dx, dy);
    }
    return true;
  }
  switch (event.key) {
    case "+":
    case "=":
      actions.zoom(1.4);
      return true;
    case "-":
    case "_":
      actions.zoom(1 / 1.4);
      return true;
    case "0":
      actions.fit();
      return true;
    case "Escape":
      actions.clear();
      return true;
    default:
      return false;
  }
}

/** Keeps plain keys inside an element, so that they do not run the shortcuts of the page around it. */
export function keepPlainKeys(element: HTMLElement): void {
  element.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && event.key !== "Tab") {
      event.stopPropagation();
    }
  });
}
