import type { StudyCamera } from "@service/engine";
import { Camera, type CameraView, type Inset, turnedBounds } from "./camera.ts";
import { freeInset } from "./freeInset.ts";
import { freePlace } from "./freePlace.ts";
import { type Geometry, mercator, middleOf, NOWHERE, unproject } from "./geometry.ts";
import type { Plane, Scene } from "./scene.ts";
import type { LabelBox } from "../picture/labels.ts";
import type { Target } from "../picture/targets.ts";
import { Turning } from "../gestures/turning.ts";

/** What is left free around a network, pixels. */
const PADDING = 28;
/** Of a small picture at most this share of its shorter side is left free at each end, but `PADDING` always. */
const MOST_PADDED = 1 / 8;
/** Nearer than this one does not come by itself: width of the view in degrees. */
const NEAREST_DEGREES = 0.6;
/** What is found and its surroundings take this share of the picture. */
const SURROUNDINGS = 0.7;
/** A turn by hand that ends this near to north ends there, degrees. */
const SNAP = 5;

/** What lies over a picture. */
export interface Overlaid {
  /** What the legend takes of the lower left corner; null for nothing. */
  corner(): { width: number; height: number } | null;
  /** Where legend and notices lie. */
  covered(): readonly LabelBox[];
}

/** From where a stage looks at its network: what is shown at first, where the view goes by itself, and how it turns. */
export class Viewpoint {
  readonly camera = new Camera();
  readonly #scene: Scene;
  readonly #over: Overlaid;
  readonly #moved: () => void;
  readonly #padding: number;
  readonly #turning: Turning;
  readonly #views: Partial<Record<Plane, CameraView>> = {};
  #shownPlane: Plane;
  /** Where to look from at first; null for everything. */
  #first: StudyCamera | null = null;

  /** `over` is what lies over the picture; `moved` is told of every other view. */
  constructor(scene: Scene, over: Overlaid, moved: () => void, padding = PADDING) {
    this.#padding = padding;
    this.#scene = scene;
    this.#over = over;
    this.#moved = moved;
    this.#shownPlane = scene.plane;
    this.#turning = new Turning(this.camera, moved);
  }

  /** What is in sight, to be saved; null where that is everything, or nothing is drawn yet. */
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

  /** Looks from there once the picture has a size; the plane is shown already. */
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

  /** Shows the whole network, or the world while it is nowhere on it. */
  fit(): void {
    this.camera.fit(this.#bounds(), this.#free, this.#inset());
    this.#moved();
  }

  /**
   * Takes a size of the picture, CSS pixels: shows everything where everything was shown, and at first. With an element selected,
   * another height is that of the edit bar below: the picture stays where it is, unless the element would go out of sight.
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

  /** Shows everything again where everything was shown: what lies over the picture takes another part of it. */
  refit(): void {
    if (this.camera.width > 0) {
      this.camera.refit(this.#bounds(), this.#free, this.#inset());
      this.#moved();
    }
  }

  /** The scene shows another plane: each has a view of its own. */
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

  /** Other positions: everything is shown, or with `stay` only when nothing would be left in the picture. */
  positionsChanged(stay: boolean): void {
    const { x0, x1, y0, y1 } = this.#scene.geometry?.bounds ?? NOWHERE.bounds;
    const seen = this.camera.seen();
    const onScreen = x1 > seen.x0 && x0 < seen.x1 && y1 > seen.y0 && y0 < seen.y1;
    if (!stay || !onScreen) {
      this.fit();
    }
  }

  /** Moves an element into view, from below the legend and the notices too. */
  reveal(target: Target): void {
    this.#bringIntoSight(target, 2 * PADDING);
    this.#moved();
  }

  /** Where an element is on the picture, CSS pixels from its upper left corner; null where it has no place or is out of sight. */
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
   * Shows an element in the middle with its surroundings: a bus with its neighbours, a line with both of its ends; and `others` as well.
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

  /** How far the ends of an element, or the neighbours of a bus, lie from its middle to both sides. */
  #surroundings(target: Target, others: readonly Target[]): { x: number; y: number } {
    const { geometry } = this.#scene;
    const at = this.#positionOf(target) ?? { x: NaN, y: NaN };
    const reach = { x: 0, y: 0 };
    const branches = [target, ...others].flatMap(({ kind, row }) =>
      kind === "branch" ? [row] : this.#scene.branchesOf(row),
    );
    for (const row of branches) {
      const path = geometry?.paths[row] ?? new Float64Array();
      for (let k = 0; k + 1 < path.length; k += 2) {
        reach.x = Math.max(reach.x, Math.abs((path[k] ?? NaN) - at.x) || 0);
        reach.y = Math.max(reach.y, Math.abs((path[k + 1] ?? NaN) - at.y) || 0);
      }
    }
    return reach;
  }

  /** The bearing and pitch that a turn under way leads to, or the present ones. */
  get goal(): { bearing: number; pitch: number } {
    return this.#turning.goal;
  }

  /** Brings north up, or the upper edge of a drawing, and looks from above. */
  northUp(): void {
    this.#turning.to(0, 0);
  }

  /** Turns by degrees clockwise from where the last turn leads. */
  turnBy(degrees: number): void {
    const { bearing, pitch } = this.goal;
    this.#turning.to(bearing + degrees, pitch);
  }

  /** Tilts a map by degrees from where the last turn leads; a drawing lies flat. */
  tiltBy(degrees: number): void {
    if (this.#scene.plane === "map") {
      const { bearing, pitch } = this.goal;
      this.#turning.to(bearing, pitch + degrees);
    }
  }

  /** Shows the earth as a globe, or as a plane. */
  showGlobe(globe: boolean): void {
    if (this.#scene.plane === "map") {
      this.camera.roundOff(globe);
      this.#moved();
    }
  }

  /** Looks from above on a plane: where a click puts a network. */
  flatten(): void {
    this.#turning.stop();
    this.camera.tiltTo(0);
    this.camera.roundOff(false);
    this.#moved();
  }

  /** A hand takes the picture: it no longer moves by itself. */
  taken(): void {
    this.#turning.stop();
  }

  /** A hand has turned the picture and let it go. */
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
      kind === "bus" ? [geometry?.busX[row], geometry?.busY[row]] : middleOf(geometry?.paths[row]);
    return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : null;
  }

  /** What is left free around the network in a picture of this size, pixels. */
  get #free(): number {
    const { width, height } = this.camera;
    return Math.max(PADDING, Math.min(this.#padding, MOST_PADDED * Math.min(width, height)));
  }

  /** What is to be seen when everything is shown, at the present bearing. */
  #bounds(): Geometry["bounds"] {
    return turnedBounds(this.#scene.geometry ?? NOWHERE, this.camera);
  }

  /** What to leave free so that the legend covers no bus when everything is shown. */
  #inset(): Inset | undefined {
    const { geometry } = this.#scene;
    const { width, height, bearing } = this.camera;
    const corner = geometry === null ? null : this.#over.corner();
    return geometry === null || corner === null
      ? undefined
      : freeInset({ width, height }, geometry, this.#free, corner, bearing);
  }
}
