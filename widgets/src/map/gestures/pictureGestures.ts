import { formatCount, trans } from "../../text/index.ts";
import { type Hint, wheelHint } from "../chrome/hint.ts";
import { SelectionBox } from "../chrome/selectionBox.ts";
import type { HoverCard } from "../panels/hoverCard.ts";
import { sameTarget, type Target } from "../picture/targets.ts";
import type { Camera } from "../view/camera.ts";
import { unproject } from "../view/geometry.ts";
import type { Scene } from "../view/scene.ts";
import type { SceneModel } from "../view/sceneModel.ts";
import type { Viewpoint } from "../view/viewpoint.ts";
import { BoxMode, type BoxPurpose } from "./boxMode.ts";
import { runKey } from "./pictureKeys.ts";
import type { Placing } from "./placing.ts";
import { type Box, PointerControls } from "./pointer.ts";

/** Events of gestures for the parts around the picture. */
export interface GestureEvents {
  /** The right button was pressed on an element, or outside all of them. */
  contextRequested?(target: Target | null, point: { x: number; y: number }): void;
  /** A key that the picture does not handle. */
  keyed?(event: KeyboardEvent): boolean;
  /** A text was shown over the picture, for a live region. */
  announced?(text: string): void;
}

/** The objects that gestures act on. */
export interface GestureHost {
  readonly canvas: HTMLCanvasElement;
  readonly model: SceneModel;
  readonly scene: Scene;
  readonly viewpoint: Viewpoint;
  readonly placing: Placing;
  readonly card: HoverCard;
  readonly hint: Hint;
  readonly events: GestureEvents;
  readonly camera: Camera;
  /** Whether a click places the network instead of selecting. */
  readonly places: boolean;
  redraw(): void;
  fit(): void;
  northUp(): void;
  showOtherPlane(): void;
  /** Shows why something did not happen. */
  explain(text: string): void;
}

/** Pointer and keys on the picture: select, hover, draw boxes, move the view. */
export class PictureGestures {
  readonly #host: GestureHost;
  readonly #box = new SelectionBox();
  readonly #boxing: BoxMode;
  readonly #controls: PointerControls;
  #hovered: Target | null = null;

  constructor(host: GestureHost) {
    this.#host = host;
    const { viewpoint, hint } = host;
    this.#boxing = new BoxMode(this.#box, {
      camera: host.camera,
      found: (kind, box) => this.#in(kind, box),
      hint: (text) => hint.hold(text),
      say: (text) => host.events.announced?.(text),
    });
    this.#controls = new PointerControls(host.canvas, host.camera, {
      taken: () => viewpoint.taken(),
      moved: () => host.redraw(),
      turned: () => viewpoint.turned(),
      tilts: () => host.scene.plane === "map" && !host.places,
      hovered: (point) => this.#hover(point),
      clicked: (point) => this.#clicked(point),
      contextRequested: (point) => this.#openContext(point),
      contextRequestedByKey: () => this.#openContextByKey(),
      boxes: () => this.#boxing.on,
      boxing: (box) => this.#showBox(box),
      boxed: (box, add) => this.#boxed(box, add),
      wheelIgnored: () => hint.show(wheelHint()),
    });
  }

  /** The box being drawn, placed over the picture. */
  get node(): HTMLElement {
    return this.#box.node;
  }

  get hovered(): Target | null {
    return this.#hovered;
  }

  /** Starts a box selection, by a drag or with the keys. */
  drawBox(purpose: BoxPurpose): void {
    this.#host.card.hide();
    this.#boxing.start(purpose);
    this.#host.canvas.style.cursor = "crosshair";
    this.#host.canvas.focus({ preventScroll: true });
  }

  /** Starts a box selection of buses. */
  selectBox(): void {
    if (this.#host.model.selectMany !== undefined && this.#host.scene.geometry !== null && !this.#host.places) {
      this.drawBox({
        kind: "bus",
        countText: ({ length }) => trans._n("%2 bus", "%2 buses", length, formatCount(length)),
        take: (found, add) => this.#selectMany(found, add),
        given: () => undefined,
      });
    }
  }

  /** Cancels the box being drawn. */
  endBox(): void {
    this.#boxing.end();
  }

  dispose(): void {
    this.#boxing.end();
    this.#controls.dispose();
  }

  #clicked(point: { x: number; y: number; reach: number; add: boolean }): void {
    if (this.#host.places) {
      this.#host.placing.put(
        unproject(this.#host.camera.worldX(point.x, point.y), this.#host.camera.worldY(point.x, point.y)),
      );
      return;
    }
    const target = this.#host.scene.targetAt(point, point.reach, this.#host.camera);
    if (this.#boxing.on) {
      this.#boxing.takeOne(target, point.add);
    } else if (point.add && this.#host.model.toggle !== undefined) {
      if (target !== null) {
        this.#host.model.toggle(target);
      }
    } else {
      this.#host.model.select(target);
    }
  }

  #openContext(point: { x: number; y: number; reach: number }): void {
    if (!this.#host.places) {
      this.#host.card.hide();
      this.#host.events.contextRequested?.(this.#host.scene.targetAt(point, point.reach, this.#host.camera), point);
    }
  }

  /**
   * Opens the menu of the primary selected element at its position, or without a selection that of the picture in its
   * middle.
   */
  #openContextByKey(): void {
    const { places, card, camera, viewpoint, model, events } = this.#host;
    if (!places) {
      card.hide();
      const selected = model.selection.at(-1) ?? null;
      const middle = { x: camera.width / 2, y: camera.height / 2 };
      events.contextRequested?.(selected, (selected && viewpoint.screenAt(selected)) ?? middle);
    }
  }

  #showBox(box: Box | null): void {
    this.#host.card.hide();
    if (this.#boxing.on) {
      this.#boxing.drawn(box);
    } else {
      this.#box.show(box);
    }
  }

  #boxed(box: Box, add: boolean): void {
    if (this.#boxing.on) {
      this.#boxing.take(box, add);
    } else {
      this.#selectMany(this.#in("bus", box), add);
    }
  }

  #selectMany(found: readonly Target[], add: boolean): void {
    this.#host.model.selectMany?.(add ? [...this.#host.model.selection, ...found] : found);
  }

  /** The elements of a kind in a box on the screen. */
  #in(kind: Target["kind"], box: Box): Target[] {
    if (this.#host.places) {
      return [];
    }
    return kind === "bus"
      ? this.#host.scene.busesIn(box, this.#host.camera)
      : this.#host.scene.branchesIn(box, this.#host.camera);
  }

  #hover(point: { x: number; y: number } | null): void {
    const element = point === null || this.#host.places ? null : this.#host.scene.targetAt(point, 6, this.#host.camera);
    const changed = !sameTarget(element, this.#hovered);
    this.#hovered = element;
    this.#host.canvas.style.cursor =
      this.#host.places || this.#boxing.on ? "crosshair" : element === null ? "" : "pointer";
    if (element === null || point === null) {
      this.#host.card.hide();
    } else {
      this.#host.card.show(
        () => this.#host.model.card(element),
        point,
        this.#host.camera.width,
        this.#host.camera.height,
      );
    }
    if (changed) {
      this.#host.redraw();
    }
  }

  /** Handles a key on the picture. */
  keyed(event: KeyboardEvent): void {
    const { camera } = this.#host;
    if ((this.#host.places && this.#host.placing.key(event, camera)) || this.#boxing.key(event)) {
      event.preventDefault();
      this.#host.redraw();
      return;
    }
    const handled = runKey(event, {
      step: (dx, dy) => this.#stepTo(this.#host.scene.busTowards(this.#host.model.selected, dx, dy, camera)),
      pan: (dx, dy) => camera.panBy(dx, dy),
      zoom: (factor) => camera.zoomAt(factor, camera.width / 2, camera.height / 2),
      fit: () => this.#host.fit(),
      turn: (degrees) => this.#turn(degrees),
      northUp: () => this.#northUp(),
      tilt: (degrees) => this.#tilt(degrees),
      globe: () => this.#globe(!camera.globe),
      clear: () => this.#host.model.select(null),
      otherPlane: () => this.#host.showOtherPlane(),
      box: () => this.selectBox(),
    });
    if (handled || this.#host.events.keyed?.(event)) {
      event.preventDefault();
      this.#host.card.hide();
      this.#host.redraw();
    }
  }

  #turn(degrees: number): void {
    const { viewpoint } = this.#host;
    viewpoint.turnBy(degrees);
    this.#say(trans.__("Bearing %1\u00b0", (Math.round(viewpoint.goal.bearing) + 360) % 360));
  }

  #northUp(): void {
    this.#host.northUp();
    this.#say(this.#onMap ? trans.__("North up, seen from above") : trans.__("Not rotated"));
  }

  #tilt(degrees: number): void {
    const { viewpoint, explain } = this.#host;
    if (this.#onMap) {
      viewpoint.tiltBy(degrees);
      this.#say(trans.__("Tilt %1\u00b0", Math.round(viewpoint.goal.pitch)));
    } else {
      explain(trans.__("A diagram cannot be tilted."));
    }
  }

  #globe(globe: boolean): void {
    const { viewpoint, explain } = this.#host;
    if (this.#onMap) {
      viewpoint.showGlobe(globe);
      this.#say(globe ? trans.__("Globe") : trans.__("Plane"));
    } else {
      explain(trans.__("A diagram cannot be shown on a globe."));
    }
  }

  get #onMap(): boolean {
    return this.#host.scene.plane === "map";
  }

  #say(text: string): void {
    this.#host.events.announced?.(text);
  }

  #stepTo(next: Target | null): void {
    if (next !== null) {
      this.#host.model.select(next);
    }
  }
}
