import { trans } from "../../text/index.ts";
import type { SelectionBox } from "../chrome/selectionBox.ts";
import type { Camera } from "../view/camera.ts";
import { arrowOf } from "./pictureKeys.ts";
import type { Box } from "./pointer.ts";
import type { Target } from "../picture/targets.ts";

/** The purpose of a box selection. */
export interface BoxPurpose {
  readonly kind: Target["kind"];
  /** Text that counts the elements in the box. */
  countText(found: readonly Target[]): string;
  /** The box is complete; `add` if its elements are added to the present ones. */
  take(found: readonly Target[], add: boolean): void;
  /** The box was cancelled. */
  given(): void;
}

/** What the mode needs from its stage. */
export interface BoxModeHost {
  readonly camera: Camera;
  /** The elements of a kind in a box on the screen. */
  found(kind: Target["kind"], box: Box): Target[];
  /** Shows a text over the picture until it is replaced; null removes it. */
  hint(text: string | null): void;
  /** Announces a text to screen readers. */
  say(text: string): void;
}

/** Step of an edge per key press, and initial and smallest size of a box, pixels. */
const STEP = 16;
const LEAST = 16;
const FIRST = 0.3;

/**
 * A box drawn by a drag without Shift, or with the keys: it starts in the middle, is moved and sized, and confirmed.
 */
export class BoxMode {
  readonly #box: SelectionBox;
  readonly #host: BoxModeHost;
  #purpose: BoxPurpose | null = null;
  #at: Box = { x0: 0, y0: 0, x1: 0, y1: 0 };

  constructor(box: SelectionBox, host: BoxModeHost) {
    this.#box = box;
    this.#host = host;
  }

  get on(): boolean {
    return this.#purpose !== null;
  }

  start(purpose: BoxPurpose): void {
    this.end();
    this.#purpose = purpose;
    const { width, height } = this.#host.camera;
    const [w, h] = [(FIRST * width) / 2, (FIRST * height) / 2];
    this.#host.hint(instructions());
    this.#show({ x0: width / 2 - w, y0: height / 2 - h, x1: width / 2 + w, y1: height / 2 + h });
    this.#host.say(trans.__("%1. %2", this.#text(), instructions()));
  }

  /** Cancels the box. */
  end(): void {
    const purpose = this.#purpose;
    this.#close();
    purpose?.given();
  }

  /** The box during a drag; null when the drag is cancelled. */
  drawn(box: Box | null): void {
    if (box !== null) {
      this.#host.hint(null); // it may cover the target
      this.#show(box);
    }
  }

  /** Completes the box. */
  take(box: Box, add: boolean): void {
    const purpose = this.#purpose;
    this.#close();
    if (purpose !== null) {
      const found = this.#host.found(purpose.kind, box);
      purpose.take(found, add);
      this.#host.say(purpose.countText(found));
    }
  }

  /** Takes one clicked element; elements of another kind are ignored. */
  takeOne(target: Target | null, add: boolean): void {
    const purpose = this.#purpose;
    if (purpose !== null && target?.kind === purpose.kind) {
      this.#close();
      purpose.take([target], add);
      this.#host.say(purpose.countText([target]));
    }
  }

  /** Handles a key for the box; false if it has no meaning. */
  key(event: KeyboardEvent): boolean {
    if (this.#purpose === null) {
      return false;
    }
    const arrow = arrowOf(event);
    if (arrow !== null) {
      this.#show(event.shiftKey ? this.#sized(arrow) : this.#moved(arrow));
      this.#host.say(this.#text());
    } else if (event.key === "Enter") {
      this.take(this.#at, event.ctrlKey || event.metaKey);
    } else if (event.key === "Escape") {
      this.end();
    } else {
      return false;
    }
    return true;
  }

  #moved([dx, dy]: readonly [number, number]): Box {
    const { x0, y0, x1, y1 } = this.#at;
    const { width, height } = this.#host.camera;
    const x = Math.max(-x0, Math.min(width - x1, STEP * dx));
    const y = Math.max(-y0, Math.min(height - y1, STEP * dy));
    return { x0: x0 + x, y0: y0 + y, x1: x1 + x, y1: y1 + y };
  }

  /** Moves its right and lower edges. */
  #sized([dx, dy]: readonly [number, number]): Box {
    const { x0, y0, x1, y1 } = this.#at;
    const { width, height } = this.#host.camera;
    return {
      ...{ x0, y0 },
      x1: Math.max(x0 + LEAST, Math.min(width, x1 + STEP * dx)),
      y1: Math.max(y0 + LEAST, Math.min(height, y1 + STEP * dy)),
    };
  }

  #show(box: Box): void {
    this.#at = box;
    this.#box.show(box, this.#text());
  }

  #text(): string {
    return this.#purpose?.countText(this.#host.found(this.#purpose.kind, this.#at)) ?? "";
  }

  #close(): void {
    if (this.#purpose !== null) {
      this.#purpose = null;
      this.#box.show(null);
      this.#host.hint(null);
    }
  }
}

/** Instructions for drawing a box. */
function instructions(): string {
  return trans.__("Drag a box; or move it with the arrow keys, size it with Shift, press Enter. Escape cancels.");
}
