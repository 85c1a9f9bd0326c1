import type { Camera } from "../view/camera.ts";

/** Pointer actions on the picture; coordinates in CSS pixels from its upper left corner. */
export interface PointerActions {
  /** A drag begins. */
  taken(): void;
  /** The camera moved. */
  moved(): void;
  /** A drag that turned the picture has ended. */
  turned(): void;
  /** Whether the picture can be tilted. */
  tilts(): boolean;
  /** The pointer rests over a point, or has left (null). */
  hovered(point: { x: number; y: number } | null): void;
  /** A click or tap without a drag; `reach` is the hit distance, `add` whether it extends the selection. */
  clicked(point: { x: number; y: number; reach: number; add: boolean }): void;
  /** A right click or a long touch at a point. */
  contextRequested(point: { x: number; y: number; reach: number }): void;
  /** The menu key, or Shift and F10. */
  contextRequestedByKey(): void;
  /** Whether a drag draws a box without Shift. */
  boxes(): boolean;
  /** A box is being drawn, from one corner to the other; null when it is cancelled. */
  boxing(box: Box | null): void;
  /** The box is complete; `add` whether its elements are added. */
  boxed(box: Box, add: boolean): void;
  /** A turn of the wheel that scrolls the page, because the picture has no focus. */
  wheelIgnored(): void;
}

/** A box on the picture, CSS pixels. */
export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Movements below this many pixels count as a click. */
const CLICK_SLOP = 4;
/** Two fingers that turn by less than this do not turn the picture, degrees. */
const TWIST_SLOP = 8;
/**
 * Within this distance of the middle, pixels, a drag turns by its horizontal movement, at this many degrees per pixel.
 */
const HUB = { radius: 50, degrees: 0.5 };
/** Degrees of tilt per pixel. */
const TILT = 0.5;
/** Two fingers side by side that move up or down together tilt after this distance, pixels. */
const TILT_SLOP = 10;
/** A context menu requested within this time after the right button belongs to it, ms. */
const MENU_MS = 500;

/**
 * Mouse and touch on the picture: drag to pan, wheel or pinch to zoom, click to select, Shift and drag for a box. A
 * drag with the right button or Ctrl turns, as two fingers do; with Shift it tilts, as do two fingers that move up or
 * down together.
 */
export class PointerControls {
  readonly #element: HTMLElement;
  readonly #camera: Camera;
  readonly #actions: PointerActions;
  readonly #abort = new AbortController();
  readonly #held = new Map<number, { x: number; y: number }>();
  #travelled = 0;
  /** Start of a box. */
  #corner: { x: number; y: number } | null = null;
  /** The button that turns the picture: right, left with Ctrl, or null. */
  #turning: "right" | "left" | null = null;
  /**
   * Whether a menu was requested since the button went down, when the right button came up, and whether a key requested
   * it: the event of a key has a point as well, which is not the pointer's.
   */
  #menu = { wanted: false, rightUp: -Infinity, byKey: false };
  /** Whether the drag tilts the picture instead. */
  #tilting = false;
  /** Rotation of two fingers so far, degrees. */
  #twist = 0;
  /** The gesture of two fingers, and the movement of each since the start. */
  #pair: { does: "undecided" | "pinch" | "tilt"; moved: Map<number, { x: number; y: number }> } = noPair();

  constructor(element: HTMLElement, camera: Camera, actions: PointerActions) {
    this.#element = element;
    this.#camera = camera;
    this.#actions = actions;
    const { signal } = this.#abort;
    element.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    element.addEventListener("pointermove", (event) => this.#move(event), { signal });
    element.addEventListener("pointerup", (event) => this.#up(event), { signal });
    element.addEventListener("pointercancel", (event) => this.#cancel(event), { signal });
    element.addEventListener("pointerleave", () => this.#actions.hovered(null), { signal });
    element.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    element.addEventListener("dblclick", (event) => this.#doubleClick(event), { signal });
    element.addEventListener("contextmenu", (event) => this.#contextMenu(event), { signal });
    element.addEventListener("keydown", (event) => (this.#menu.byKey = asksForMenu(event)), { signal });
  }

  dispose(): void {
    this.#abort.abort();
  }

  #down(event: PointerEvent): void {
    this.#menu.byKey = false;
    if (event.button !== 0 && event.button !== 2) {
      return;
    }
    if (this.#held.size === 0) {
      const left = event.button === 0;
      this.#travelled = this.#twist = 0;
      this.#menu.wanted = false;
      this.#corner = left && (event.shiftKey || this.#actions.boxes()) ? this.#point(event) : null;
      this.#turning = !left ? "right" : event.ctrlKey && this.#corner === null ? "left" : null;
      this.#tilting = this.#turning === "right" && event.shiftKey && this.#actions.tilts();
      this.#actions.taken();
    }
    this.#pair = noPair();
    this.#held.set(event.pointerId, this.#point(event));
    this.#element.setPointerCapture(event.pointerId);
  }

  #move(event: PointerEvent): void {
    const to = this.#point(event);
    const from = this.#held.get(event.pointerId);
    if (from === undefined) {
      this.#actions.hovered(to);
      return;
    }
    this.#travelled += Math.hypot(to.x - from.x, to.y - from.y);
    const other = [...this.#held].find(([id]) => id !== event.pointerId)?.[1];
    this.#held.set(event.pointerId, to);
    if (this.#travelled < CLICK_SLOP) {
      return;
    }
    if (this.#corner !== null) {
      this.#actions.boxing(boxOf(this.#corner, to));
      return;
    }
    if (this.#tilting) {
      this.#camera.tiltTo(this.#camera.pitch + TILT * (from.y - to.y));
    } else if (this.#turning !== null) {
      this.#turn(from, to);
    } else if (other === undefined) {
      this.#camera.drag(from, to);
    } else {
      this.#two(event.pointerId, from, to, other);
    }
    this.#actions.hovered(null);
    this.#actions.moved();
  }

  /** Turns the picture around its middle, following the pointer. */
  #turn(from: Point, to: Point): void {
    const { width, height, bearing } = this.#camera;
    const hub = { x: width / 2, y: height / 2 };
    const near = Math.min(distance(hub, from), distance(hub, to)) < HUB.radius;
    this.#camera.turnTo(bearing - (near ? HUB.degrees * (to.x - from.x) : turnBetween(hub, from, to)));
  }

  /** One of two fingers moves: the picture follows both, or is tilted where both move up or down side by side. */
  #two(id: number, from: Point, to: Point, other: Point): void {
    const { moved } = this.#pair;
    const before = moved.get(id) ?? { x: 0, y: 0 };
    moved.set(id, { x: before.x + to.x - from.x, y: before.y + to.y - from.y });
    if (this.#pair.does === "undecided") {
      this.#pair.does = this.#actions.tilts() ? pairDoes([...moved.values()], to, other) : "pinch";
    }
    if (this.#pair.does === "tilt") {
      this.#camera.tiltTo(this.#camera.pitch + (TILT * (from.y - to.y)) / 2);
    } else if (this.#pair.does === "pinch") {
      this.#pinch(from, to, other);
    }
  }

  /** The picture follows both fingers. */
  #pinch(from: Point, to: Point, other: Point): void {
    const [x, y] = [(to.x + other.x) / 2, (to.y + other.y) / 2];
    this.#camera.drag({ x: (from.x + other.x) / 2, y: (from.y + other.y) / 2 }, { x, y });
    this.#camera.zoomAt(distance(to, other) / distance(from, other), x, y);
    const twist = turnBetween(other, from, to);
    if (Math.abs(this.#twist) >= TWIST_SLOP) {
      this.#camera.turnTo(this.#camera.bearing - twist, x, y);
    }
    this.#twist += twist;
  }

  #up(event: PointerEvent): void {
    const held = this.#held.delete(event.pointerId);
    if (!held || this.#held.size > 0) {
      return;
    }
    const { corner, turning } = { corner: this.#corner, turning: this.#turning };
    this.#corner = this.#turning = null;
    const add = event.ctrlKey || event.metaKey;
    if (turning === "right") {
      this.#menu.rightUp = event.timeStamp;
    }
    if (this.#travelled >= CLICK_SLOP && (turning !== null || Math.abs(this.#twist) >= TWIST_SLOP)) {
      this.#actions.turned();
    } else if (this.#travelled < CLICK_SLOP && (turning === "right" || this.#menu.wanted)) {
      this.#actions.contextRequested({ ...this.#point(event), reach: reachOf(event) });
    } else if (this.#travelled < CLICK_SLOP) {
      this.#actions.clicked({ ...this.#point(event), reach: reachOf(event), add: add || event.shiftKey });
    } else if (corner !== null) {
      this.#actions.boxing(null);
      this.#actions.boxed(boxOf(corner, this.#point(event)), add);
    }
  }

  #cancel(event: PointerEvent): void {
    this.#held.delete(event.pointerId);
    this.#turning = null;
    if (this.#corner !== null) {
      this.#corner = null;
      this.#actions.boxing(null);
    }
  }

  #contextMenu(event: MouseEvent): void {
    event.preventDefault();
    if (this.#menu.byKey) {
      this.#menu.byKey = false;
      this.#actions.contextRequestedByKey();
      return;
    }
    if (this.#turning !== null) {
      this.#menu.wanted = true; // it opens when the button comes up, unless the drag has turned the picture
      return;
    }
    if (event.button === 2 && event.timeStamp - this.#menu.rightUp < MENU_MS) {
      return; // some systems request the menu after the button came up, when it has been handled
    }
    this.#held.clear();
    this.#actions.contextRequested({
      ...this.#point(event),
      reach: event instanceof PointerEvent ? reachOf(event) : 7,
    });
  }

  #wheel(event: WheelEvent): void {
    // In a notebook the wheel scrolls the notebook, even after a click on the map.
    if (!event.ctrlKey && !event.metaKey && scrollsWithPage(this.#element)) {
      this.#actions.wheelIgnored();
      return;
    }
    event.preventDefault();
    const { x, y } = this.#point(event);
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 * event.deltaY : event.deltaY;
    this.#camera.zoomAt(Math.exp(-Math.max(-240, Math.min(240, pixels)) * (event.ctrlKey ? 0.01 : 0.002)), x, y);
    this.#actions.moved();
  }

  #doubleClick(event: MouseEvent): void {
    const { x, y } = this.#point(event);
    this.#camera.zoomAt(event.shiftKey ? 0.5 : 2, x, y);
    this.#actions.moved();
  }

  #point(event: MouseEvent): { x: number; y: number } {
    const box = this.#element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

interface Point {
  x: number;
  y: number;
}

function noPair(): { does: "undecided"; moved: Map<number, { x: number; y: number }> } {
  return { does: "undecided", moved: new Map() };
}

/**
 * The gesture of two fingers after their first movement: side by side and both up or down is a tilt; anything else is a
 * pinch.
 */
function pairDoes(ways: readonly Point[], a: Point, b: Point): "undecided" | "pinch" | "tilt" {
  const beside = Math.abs(a.x - b.x) > Math.abs(a.y - b.y);
  const upright = ways.every(({ x, y }) => Math.abs(y) >= 2 * Math.abs(x));
  const [one, two = { x: 0, y: 0 }] = ways;
  if (!beside || !upright || (one !== undefined && one.y * two.y < 0)) {
    return "pinch";
  }
  const least = Math.min(Math.abs(one?.y ?? 0), Math.abs(two.y));
  const most = Math.max(Math.abs(one?.y ?? 0), Math.abs(two.y));
  return least >= TILT_SLOP ? "tilt" : most > 3 * TILT_SLOP ? "pinch" : "undecided";
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Degrees clockwise from one point to another around a third, between -180 and 180. */
function turnBetween(hub: Point, from: Point, to: Point): number {
  const [ax, ay, bx, by] = [from.x - hub.x, from.y - hub.y, to.x - hub.x, to.y - hub.y];
  return (Math.atan2(ax * by - ay * bx, ax * bx + ay * by) * 180) / Math.PI;
}

/** Hit distance of a pointer, pixels. */
function reachOf({ pointerType }: PointerEvent): number {
  return pointerType === "touch" ? 16 : 7;
}

function boxOf(a: { x: number; y: number }, b: { x: number; y: number }): Box {
  return { x0: Math.min(a.x, b.x), y0: Math.min(a.y, b.y), x1: Math.max(a.x, b.x), y1: Math.max(a.y, b.y) };
}

function asksForMenu({ key, shiftKey }: KeyboardEvent): boolean {
  return key === "ContextMenu" || (key === "F10" && shiftKey);
}

/** Whether an ancestor of the element scrolls vertically, so that the wheel belongs to the page. */
function scrollsWithPage(element: Element): boolean {
  const full = document.fullscreenElement;
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    const scrolls = parent === document.scrollingElement || /auto|scroll/.test(getComputedStyle(parent).overflowY);
    if (scrolls && parent.scrollHeight > parent.clientHeight + 1) {
      return true;
    }
    if (parent === full) {
      return false; // nothing scrolls behind full screen
    }
  }
  return false;
}
