import { trans } from "../../text/index.ts";

/** Actions of the keys on the picture. */
export interface KeyActions {
  /** Selects the next bus in a direction, y downwards. */
  step(dx: number, dy: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number): void;
  fit(): void;
  /** Turns the picture by degrees; clockwise increases the bearing. */
  turn(degrees: number): void;
  northUp(): void;
  /** Tilts a map by degrees. */
  tilt(degrees: number): void;
  /** Switches between globe and plane. */
  globe(): void;
  clear(): void;
  /** Switches between map and diagram. */
  otherPlane(): void;
  /** Starts a box selection with the keys. */
  box(): void;
}

const DIRECTIONS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const PAN_PIXELS = 60;
const TURN_DEGREES = 15;
const TILT_DEGREES = 15;

/** The description of the picture's keys. */
export function keysText(): string {
  return trans.__(
    "Arrow keys go from bus to bus, with Shift they move the picture; plus and minus zoom, 0 shows everything, comma and period turn, Page Up and Page Down tilt, n brings north up and looks from above, g shows a globe or a plane, slash searches, m changes between map and diagram, b selects by a box, Escape clears the selection, ? lists all keys.",
  );
}

/** The description of the keys while a case is placed on the map. */
export function placingKeysText(): string {
  return trans.__(
    "Click, or press Enter for the middle of the picture, to put the case there; arrow keys move it, plus and minus zoom.",
  );
}

/** The direction of an arrow key, y downwards; null for every other key. */
export function arrowOf(event: KeyboardEvent): readonly [number, number] | null {
  return DIRECTIONS[event.key] ?? null;
}

/** Runs the action of a key; false if it has none. */
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
    case ",":
      actions.turn(-TURN_DEGREES);
      return true;
    case ".":
      actions.turn(TURN_DEGREES);
      return true;
    case "n":
      actions.northUp();
      return true;
    case "PageUp":
      actions.tilt(TILT_DEGREES);
      return true;
    case "PageDown":
      actions.tilt(-TILT_DEGREES);
      return true;
    case "g":
      actions.globe();
      return true;
    case "m":
      actions.otherPlane();
      return true;
    case "b":
      actions.box();
      return true;
    case "Escape":
      actions.clear();
      return true;
    default:
      return false;
  }
}
