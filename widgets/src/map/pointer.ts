import type { Camera } from "./camera.ts";

/** What the hands on the picture ask for; coordinates in CSS pixels from its upper left corner. */
export interface PointerActions {
  /** The camera moved. */
  moved(): void;
  /** The pointer rests over a point, or left (null). */
  hovered(point: { x: number; y: number } | null): void;
  /** A click or tap that was no drag; `reach` is how near counts. */
  clicked(point: { x: number; y: number; reach: number }): void;
  /** A wheel turn that the page keeps, because the picture has no focus. */
  wheelIgnored(): void;
}

/** Movements below this many pixels are a click. */
const CLICK_SLOP = 4;

/** Mouse and touch on the picture: drag to pan, wheel or two fingers to zoom, click to select. */
export class PointerControls {
  readonly #element: HTMLElement;
  readonly #camera: Camera;
  readonly #actions: PointerActions;
  readonly #abort = new AbortController();
  readonly #held = new Map<number, { x: number; y: number }>();
  #travelled = 0;

  constructor(element: HTMLElement, camera: Camera, actions: PointerActions) {
    this.#element = element;
    this.#camera = camera;
    this.#actions = actions;
    const { signal } = this.#abort;
    element.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    element.addEventListener("pointermove", (event) => this.#move(event), { signal });
    element.addEventListener("pointerup", (event) => this.#up(event), { signal });
    element.addEventListener("pointercancel", (event) => this.#held.delete(event.pointerId), { signal });
    element.addEventListener("pointerleave", () => this.#actions.hovered(null), { signal });
    element.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    element.addEventListener("dblclick", (event) => this.#doubleClick(event), { signal });
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
    if (held && this.#held.size === 0 && this.#travelled < CLICK_SLOP) {
      this.#actions.clicked({ ...this.#point(event), reach: event.pointerType === "touch" ? 16 : 7 });
    }
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
