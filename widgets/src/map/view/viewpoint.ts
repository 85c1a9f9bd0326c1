import type { StudyCamera } from "@service/engine";
import { Camera, type CameraView, type Inset, turnedBounds } from "./camera.ts";
import { freeInset } from "./freeInset.ts";
import { freePlace } from "./freePlace.ts";
import { type Geometry, mercator, middleOf, NOWHERE, unproject } from "./geometry.ts";
import type { Plane, Scene } from "./scene.ts";
import type { LabelBox } from "../picture/labels.ts";
import type { Target } from "../picture/targets.ts";
import { Turning } from "../gestures/turning.ts";

/** Margin around a network, pixels. */
const PADDING = 28;
/** Largest margin at each end of a small picture, as a fraction of its shorter side. */
const MOST_PADDED = 1 / 8;
/** Smallest width of an automatic view, degrees. */
const NEAREST_DEGREES = 0.6;
/** Fraction of the picture that a found element and its surroundings fill. */
const SURROUNDINGS = 0.7;
/** A manual turn that ends this near to north snaps to it, degrees. */
const SNAP = 5;

/** The overlays of a picture. */
export interface Overlaid {
  /** Size of the legend in the lower left corner; null without a legend. */
  corner(): { width: number; height: number } | null;
  /** Boxes of legend and notices. */
  covered(): readonly LabelBox[];
}

/** The camera of a stage: its initial view, its automatic moves, and its turns. */
export class Viewpoint {
  readonly camera = new Camera();
  readonly #scene: Scene;
  readonly #over: Overlaid;
  readonly #moved: () => void;
  readonly #padding: number;
  readonly #turning: Turning;
  readonly #views: Partial<Record<Plane, CameraView>> = {};
  #shownPlane: Plane;
  /** The initial view; null for everything. */
  #first: StudyCamera | null = null;

  /** `over` are the overlays; `moved` is called for every other view. */
  constructor(scene: Scene, over: Overlaid, moved: () => void, padding = PADDING) {
    this.#padding = padding;
    this.#scene = scene;
    this.#over = over;
    this.#moved = moved;
    this.#shownPlane = scene.plane;
    this.#turning = new Turning(this.camera, moved);
  }

  /** The present view, to be saved; null if it shows everything, or nothing is drawn yet. */
  get saved(): StudyCamera | null {
    const { x, y, scale, fitScale, bearing, pitch, globe } = this.camera.view;
    if (this.camera.width === 0) {
      return this.#first;
    }
    if (this.#scene.geometry === null || (scale === fitScale && bearing === 0 && pitch === 0 && !globe)) {
      return null;
    }
    const drawing = this.#scene.plane === "diagram";
    const [cx, cy] = drawing ? [x, -y] : unproject(x, y);
    const tilted = { ...(pitch !== 0 && { pitch }), ...(globe === true && { globe }) };
    return { x: cx, y: cy, width: this.camera.width / scale, bearing, ...tilted, drawing };
  }

  /** Applies a saved view once the picture has a size; the plane is shown already. */
  lookFrom(saved: StudyCamera): void {
    this.#first = saved;
  }

  #lookFirst(): void {
    const { camera } = this;
    const saved = this.#first;
    this.#first = null;
    if (saved === null || saved.width <= 0 || saved.drawing !== (this.#scene.plane === "diagram")) {
      return;
    }
    const [x, y] = saved.drawing ? [saved.x, -saved.y] : mercator([saved.x, saved.y]);
    const scale = camera.width / saved.width;
    const { bearing, pitch = 0, globe = false } = saved;
    if ([x, y, scale, bearing, pitch].every(Number.isFinite)) {
      camera.view = { x, y, scale, fitScale: camera.fitScale, bearing, pitch, globe };
      this.#moved();
    }
  }

  /** Shows the whole network, or the world while it has no positions. */
  fit(): void {
    this.camera.fit(this.#bounds(), this.#free, this.#inset());
    this.#moved();
  }

  /**
   * Handles a size of the picture, CSS pixels: shows everything initially and where everything was shown. With an
   * element selected, a change of height comes from the edit bar below: the picture stays in place, unless the element
   * would leave the view.
   */
  resize(width: number, height: number, selected: Target | null): void {
    const { width: widthBefore, height: heightBefore } = this.camera;
    this.camera.resize(width, height);
    if (widthBefore === 0) {
      this.fit();
      this.#lookFirst();
    } else if (selected !== null && width === widthBefore) {
      this.camera.panBy(0, (heightBefore - height) / 2);
      this.#bringIntoSight(selected, PADDING);
      this.#moved();
    } else {
      this.refit();
      if (selected !== null && this.camera.scale !== this.camera.fitScale) {
        this.#bringIntoSight(selected, PADDING);
      }
    }
  }

  /** Fits again if everything was shown, because overlays cover another part of the picture. */
  refit(): void {
    if (this.camera.width > 0) {
      this.camera.refit(this.#bounds(), this.#free, this.#inset());
      this.#moved();
    }
  }

  /** The scene shows another plane, which has its own view. */
  planeChanged(): void {
    const { geometry, plane } = this.#scene;
    this.#turning.stop();
    this.#views[this.#shownPlane] = this.camera.view;
    this.#shownPlane = plane;
    const stored = this.#views[plane];
    if (stored !== undefined && geometry !== null) {
      this.camera.view = stored;
      this.#moved();
    } else {
      this.camera.turnTo(0);
      this.camera.tiltTo(0);
      this.camera.roundOff(false);
      this.fit();
    }
  }

  /** Positions changed: shows everything, or with `stay` only when the picture would be empty. */
  positionsChanged(stay: boolean): void {
    const { x0, x1, y0, y1 } = this.#scene.geometry?.bounds ?? NOWHERE.bounds;
    const seen = this.camera.seen();
    const onScreen = x1 > seen.x0 && x0 < seen.x1 && y1 > seen.y0 && y0 < seen.y1;
    if (!stay || !onScreen) {
      this.fit();
    }
  }

  /** Moves an element into view, also from below the legend and the notices. */
  reveal(target: Target): void {
    this.#bringIntoSight(target, 2 * PADDING);
    this.#moved();
  }

  /**
   * Screen position of an element, CSS pixels from the picture's upper left corner; null if it has none or is out of
   * sight.
   */
  screenAt(target: Target): { x: number; y: number } | null {
    const at = this.#positionOf(target);
    if (at === null) {
      return null;
    }
    const { camera } = this;
    const [x, y] = [camera.screenX(at.x, at.y), camera.screenY(at.x, at.y)];
    return x >= 0 && x <= camera.width && y >= 0 && y <= camera.height ? { x, y } : null;
  }

  /**
   * Centres an element with its surroundings: a bus with its neighbours, a line with both of its ends; and `others` as
   * well.
   */
  zoomTo(target: Target, ...others: readonly Target[]): void {
    const at = this.#positionOf(target);
    const around = at === null ? null : this.#surroundings(target, others);
    if (at !== null && around !== null) {
      const { camera } = this;
      const nearest = this.#scene.plane === "map" ? camera.width / NEAREST_DEGREES : 12 * camera.fitScale;
      const [wide, tall] = [around.x, around.y].map((reach) => 2 * reach) as [number, number];
      const fitting = SURROUNDINGS * Math.min(camera.width / wide, camera.height / tall);
      const scale = Math.max(camera.fitScale / 2, Math.min(nearest, fitting));
      camera.view = { ...camera.view, ...at, scale };
      this.#moved();
    }
  }

  /** Extent of an element's ends, or of a bus's neighbours, on both sides of its middle. */
  #surroundings(target: Target, others: readonly Target[]): { x: number; y: number } {
    const { geometry } = this.#scene;
    const at = this.#positionOf(target) ?? { x: NaN, y: NaN };
    const reach = { x: 0, y: 0 };
    const paths = [target, ...others].flatMap(({ kind, row }) =>
      kind === "link"
        ? [geometry?.links?.[row]]
        : (kind === "branch" ? [row] : this.#scene.branchesOf(row)).map((branch) => geometry?.paths[branch]),
    );
    for (const path of paths.filter((one) => one !== undefined)) {
      for (let k = 0; k + 1 < path.length; k += 2) {
        reach.x = Math.max(reach.x, Math.abs((path[k] ?? NaN) - at.x) || 0);
        reach.y = Math.max(reach.y, Math.abs((path[k + 1] ?? NaN) - at.y) || 0);
      }
    }
    return reach;
  }

  /** The target bearing and pitch of a turn under way, or the present ones. */
  get goal(): { bearing: number; pitch: number } {
    return this.#turning.goal;
  }

  /** Brings north up, or the upper edge of a drawing, and looks from above. */
  northUp(): void {
    this.#turning.to(0, 0);
  }

  /** Turns by degrees clockwise from the target of the last turn. */
  turnBy(degrees: number): void {
    const { bearing, pitch } = this.goal;
    this.#turning.to(bearing + degrees, pitch);
  }

  /** Tilts a map by degrees from the target of the last turn; a drawing is flat. */
  tiltBy(degrees: number): void {
    if (this.#scene.plane === "map") {
      const { bearing, pitch } = this.goal;
      this.#turning.to(bearing, pitch + degrees);
    }
  }

  /** Draws the earth as a globe, or as a plane. */
  showGlobe(globe: boolean): void {
    if (this.#scene.plane === "map") {
      this.camera.roundOff(globe);
      this.#moved();
    }
  }

  /** Looks from above on a plane, where a click places a network. */
  flatten(): void {
    this.#turning.stop();
    this.camera.tiltTo(0);
    this.camera.roundOff(false);
    this.#moved();
  }

  /** A drag begins: automatic moves end. */
  taken(): void {
    this.#turning.stop();
  }

  /** A drag that turned the picture has ended. */
  turned(): void {
    const { bearing, pitch } = this.camera;
    if (bearing !== 0 && Math.abs(bearing) < SNAP) {
      this.#turning.to(0, pitch);
    }
  }

  dispose(): void {
    this.#turning.stop();
  }

  #bringIntoSight(target: Target, margin: number): void {
    const at = this.#positionOf(target);
    if (at === null) {
      return;
    }
    const { camera } = this;
    camera.reveal(at.x, at.y, margin);
    const from = { x: camera.screenX(at.x, at.y), y: camera.screenY(at.x, at.y) };
    const to = freePlace(from, camera, margin, this.#over.covered());
    if (to.x !== from.x || to.y !== from.y) {
      camera.drag(from, to);
    }
  }

  #positionOf({ kind, row }: Target): { x: number; y: number } | null {
    const { geometry } = this.#scene;
    const [x = NaN, y = NaN] =
      kind === "bus"
        ? [geometry?.busX[row], geometry?.busY[row]]
        : middleOf((kind === "link" ? geometry?.links : geometry?.paths)?.[row]);
    return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : null;
  }

  /** Margin around the network in a picture of this size, pixels. */
  get #free(): number {
    const { width, height } = this.camera;
    return Math.max(PADDING, Math.min(this.#padding, MOST_PADDED * Math.min(width, height)));
  }

  /** Bounds of everything at the present bearing. */
  #bounds(): Geometry["bounds"] {
    return turnedBounds(this.#scene.geometry ?? NOWHERE, this.camera);
  }

  /** The inset with which the legend covers no bus when everything is shown. */
  #inset(): Inset | undefined {
    const { geometry } = this.#scene;
    const { width, height, bearing } = this.camera;
    const corner = geometry === null ? null : this.#over.corner();
    return geometry === null || corner === null
      ? undefined
      : freeInset({ width, height }, geometry, this.#free, corner, bearing);
  }
}
