import type { Camera } from "./camera.ts";

/** What the hands on the picture ask for; coordinates in CSS pixels from its upper left corner. */
export interface PointerActions {
  /** The camera moved. */
  moved(): void;
  /** The pointer rests over a point, or left (null). */
  hovered(point: { x: number; y: number } | null): void;
  /** A click or tap that was no drag; `reach` is how near counts, `add` whether it is to be added to what is selected. */
  clicked(point: { x: number; y: number; reach: number; add: boolean }): void;
  /** The right button, or a long touch, at a point. */
  asked(point: { x: number; y: number; reach: number }): void;
  /** A box is being drawn with Shift held, from one corner to the other; null when it is given up. */
  boxing(box: Box | null): void;
  /** The box is done; `add` whether its elements are to be added. */
  boxed(box: Box, add: boolean): void;
  /** A wheel turn that the page keeps, because the picture has no focus. */
  wheelIgnored(): void;
}

/** A box on the picture, CSS pixels. */
export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Movements below this many pixels are a click. */
const CLICK_SLOP = 4;

/** Mouse and touch on the picture: drag to pan, wheel or two fingers to zoom, click to select, Shift and drag for a box. */
export class PointerControls {
  readonly #element: HTMLElement;
  readonly #camera: Camera;
  readonly #actions: PointerActions;
  readonly #abort = new AbortController();
  readonly #held = new Map<number, { x: number; y: number }>();
  #travelled = 0;
  /** Where a box began. */
  #corner: { x: number; y: number } | null = null;

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
    element.addEventListener("contextmenu", (event) => this.#asked(event), { signal });
  }

  dispose(): void {
    this.#abort.abort();
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) {
      return;
    }
    if (this.#held.size === 0) {
      this.#travelled = 0;
      this.#corner = event.shiftKey ? this.#point(event) : null;
    }
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
    if (other === undefined) {
      this.#camera.panBy(to.x - from.x, to.y - from.y);
    } else {
      const spread = Math.hypot(to.x - other.x, to.y - other.y) / Math.hypot(from.x - other.x, from.y - other.y);
      this.#camera.panBy((to.x - from.x) / 2, (to.y - from.y) / 2);
      this.#camera.zoomAt(spread, (to.x + other.x) / 2, (to.y + other.y) / 2);
    }
    this.#actions.hovered(null);
    this.#actions.moved();
  }

  #up(event: PointerEvent): void {
    const held = this.#held.delete(event.pointerId);
    if (!held || this.#held.size > 0) {
      return;
    }
    const corner = this.#corner;
    this.#corner = null;
    const add = event.ctrlKey || event.metaKey;
    if (this.#travelled < CLICK_SLOP) {
      this.#actions.clicked({ ...this.#point(event), reach: reachOf(event), add: add || event.shiftKey });
    } else if (corner !== null) {
      this.#actions.boxing(null);
      this.#actions.boxed(boxOf(corner, this.#point(event)), add);
    }
  }

  #cancel(event: PointerEvent): void {
    this.#held.delete(event.pointerId);
    if (this.#corner !== null) {
      this.#corner = null;
      this.#actions.boxing(null);
    }
  }

  #asked(event: MouseEvent): void {
    event.preventDefault();
    this.#held.clear();
    this.#actions.asked({ ...this.#point(event), reach: event instanceof PointerEvent ? reachOf(event) : 7 });
  }

  #wheel(event: WheelEvent): void {
    const asked = event.ctrlKey || event.metaKey || document.activeElement === this.#element;
    if (!asked) {
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

/** How near a pointer has to come, pixels. */
function reachOf({ pointerType }: PointerEvent): number {
  return pointerType === "touch" ? 16 : 7;
}

function boxOf(a: { x: number; y: number }, b: { x: number; y: number }): Box {
  return { x0: Math.min(a.x, b.x), y0: Math.min(a.y, b.y), x1: Math.max(a.x, b.x), y1: Math.max(a.y, b.y) };
}
