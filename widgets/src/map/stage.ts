import { Camera, type CameraView, type Inset } from "./camera.ts";
import { h } from "./dom.ts";
import { freeInset } from "./freeInset.ts";
import { type Geometry, middleOf, NOWHERE, unproject, WORLD } from "./geometry.ts";
import { HoverCard } from "./hoverCard.ts";
import { LayoutProgress } from "./layoutProgress.ts";
import type { LoadingClass } from "./loading.ts";
import { KEYS_TEXT, PLACING_KEYS_TEXT, runKey } from "./mapKeys.ts";
import { Picture } from "./picture.ts";
import { Placing } from "./placing.ts";
import { PointerControls } from "./pointer.ts";
import { type Plane, Scene, type SceneChange } from "./scene.ts";
import { type BusColours, sameTarget, type StageSubject, type Target } from "./stageSubject.ts";
import { prefersReducedMotion, type ThemeWatcher } from "./theme.ts";

const PADDING = 28;
const HINT_MS = 1600;

/** What a stage tells those around it. */
export interface StageEvents {
  /** The plane shown, or whether there is another, changed. */
  planeChanged(): void;
}

/** The picture with what lies on it: canvas, legend, hover card, placement and notice. Built when it first has a size. */
export class Stage {
  readonly node: HTMLElement;
  readonly camera = new Camera();
  /** Puts the network on the map and moves it there; its node is the bar above the picture. */
  readonly placing: Placing;
  readonly #subject: StageSubject;
  readonly #colours: BusColours;
  readonly #theme: ThemeWatcher;
  readonly #legend: HTMLElement;
  readonly #events: StageEvents;
  readonly #scene: Scene;
  readonly #canvas: HTMLCanvasElement;
  readonly #picture: Picture;
  readonly #card = new HoverCard();
  readonly #progress: LayoutProgress;
  readonly #hint = h("div", {
    class: "wb-Hint",
    text: "Click the map, or hold Ctrl, to zoom",
    attributes: { hidden: "" },
  });
  readonly #notice = h("div", { class: "wb-Notice" });
  readonly #controls: PointerControls;
  readonly #observer: ResizeObserver;
  readonly #views: Partial<Record<Plane, CameraView>> = {};
  #branches: Record<LoadingClass, number[]>;
  #shownPlane: Plane;
  #hovered: Target | null = null;
  #frame = 0;
  #hintTimer = 0;
  #disposed = false;

  constructor(
    subject: StageSubject,
    colours: BusColours,
    theme: ThemeWatcher,
    legend: HTMLElement,
    events: StageEvents,
  ) {
    this.#subject = subject;
    this.#colours = colours;
    this.#theme = theme;
    this.#legend = legend;
    this.#events = events;
    const { graph, name, geography } = subject;
    this.#canvas = h("canvas", {
      class: "wb-Canvas",
      attributes: { tabindex: "0", role: "application" },
      on: { keydown: (event) => this.#keyed(event) },
    });
    this.#picture = new Picture(this.#canvas);
    this.#branches = subject.classify();
    this.#scene = new Scene(subject, (change) => this.#sceneChanged(change));
    this.#shownPlane = this.#scene.plane;
    this.#progress = new LayoutProgress(geography.layout, graph.busCount);
    this.placing = new Placing({ name, geography }, () => this.#placingChanged());
    const over = [this.#progress.node, this.#notice, legend, this.#hint, this.#card.node];
    this.node = h("div", { class: "wb-Stage" }, this.#canvas, ...over);
    this.#controls = new PointerControls(this.#canvas, this.camera, {
      moved: () => this.redraw(),
      hovered: (point) => this.#hover(point),
      clicked: (point) => this.#clicked(point),
      wheelIgnored: () => this.#showHint(),
    });
    this.#observer = new ResizeObserver(() => this.#resized());
    this.#observer.observe(this.node);
    this.#describe();
  }

  /** Rows of the branches of each class at the state shown. */
  get branches(): Record<LoadingClass, number[]> {
    return this.#branches;
  }

  get plane(): Plane {
    return this.#scene.plane;
  }

  /** Whether both Map and Diagram can be shown. */
  get choice(): boolean {
    return this.#scene.choice;
  }

  /** Shows the map or the diagram where there are both; each keeps its own view. */
  showPlane(plane: Plane): void {
    this.#scene.show(plane);
  }

  /** Takes over a new exact state; colours run into it unless the system asks for no motion. */
  stateChanged(): void {
    this.#branches = this.#subject.classify();
    if (!prefersReducedMotion()) {
      this.#colours.startFade(performance.now());
    }
  }

  /** Takes over new numbers: draws them at the next frame, and tells them on the card. */
  update(): void {
    this.#card.refresh();
    this.redraw();
  }

  /** Draws at the next frame. */
  redraw(): void {
    if (this.#frame === 0 && !this.#disposed) {
      this.#frame = requestAnimationFrame((now) => this.#draw(now));
    }
  }

  /** Shows the whole network, or the world while it is nowhere on it. */
  fit(): void {
    const geometry = this.#scene.geometry;
    const bounds = geometry?.bounds ?? WORLD;
    this.camera.fit(bounds, PADDING, geometry === null ? undefined : this.#inset(geometry));
    this.redraw();
  }

  /** Moves an element into view. */
  reveal({ kind, row }: Target): void {
    const geometry = this.#scene.geometry;
    const [x, y] = kind === "bus" ? [geometry?.busX[row], geometry?.busY[row]] : middleOf(geometry?.paths[row]);
    if (Number.isFinite(x) && Number.isFinite(y)) {
      this.camera.reveal(x ?? 0, y ?? 0, 2 * PADDING);
      this.redraw();
    }
  }

  dispose(): void {
    this.#disposed = true;
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#hintTimer);
    this.#observer.disconnect();
    this.#controls.dispose();
    this.#scene.dispose();
    this.placing.dispose();
  }

  #sceneChanged(change: SceneChange): void {
    const { geometry, plane } = this.#scene;
    this.#describe(); // before fitting: whether there is a legend decides how much room there is
    if (change === "plane") {
      this.#views[this.#shownPlane] = this.camera.view;
      this.#shownPlane = plane;
      if (plane === "diagram") {
        this.placing.end(); // there is nothing to move
      }
      this.#card.hide();
      const kept = this.#views[plane];
      if (kept !== undefined && geometry !== null) {
        this.camera.view = kept;
      } else {
        this.fit();
      }
    } else if (change === "positions" && geometry !== null) {
      this.#moved(geometry);
    }
    this.#events.planeChanged();
    this.redraw();
  }

  /** Other positions: while the network is being moved the picture stays where it is, unless nothing would be left in it. */
  #moved(geometry: Geometry): void {
    const { bounds } = geometry;
    const { camera } = this;
    const onScreen =
      camera.screenX(bounds.x1) > 0 &&
      camera.screenX(bounds.x0) < camera.width &&
      camera.screenY(bounds.y1) > 0 &&
      camera.screenY(bounds.y0) < camera.height;
    if (!this.placing.moving || !onScreen) {
      this.fit();
    }
  }

  #placingChanged(): void {
    if (this.placing.moving) {
      this.showPlane("map");
    }
    this.#describe();
    this.redraw();
  }

  /** Whether a click puts the network there instead of selecting. */
  get #places(): boolean {
    return this.plane === "map" && (this.placing.moving || this.#scene.geometry === null);
  }

  /** Says in words and attributes what the picture shows. */
  #describe(): void {
    const { geometry, plane, notice } = this.#scene;
    const { graph, name, geography } = this.#subject;
    const { busCount } = graph;
    const count = `${busCount} buses, ${graph.fromRow.length} lines`;
    const kind = plane === "map" ? "Map" : "Diagram";
    this.#canvas.setAttribute(
      "aria-label",
      `${kind} of ${name}, ${count}. ${this.#places ? PLACING_KEYS_TEXT : KEYS_TEXT}`,
    );
    this.camera.leastScale = this.#places ? this.camera.width / 400 : Infinity;
    this.#progress.update(geometry === null && (plane === "diagram" || geography.drawing === null));
    this.placing.show(plane === "map" && geometry === null);
    this.#notice.replaceChildren(
      ...(this.placing.moving ? [] : notice.map((text) => h("span", { text }))),
      ...(plane === "map" && geography.synthetic && !this.placing.moving ? [this.placing.moveButton] : []),
    );
    this.#legend.hidden = geometry === null;
    this.node.toggleAttribute("data-placed", geometry !== null);
    this.node.dataset["plane"] = plane;
    this.node.classList.toggle("wb-mod-placing", this.#places);
  }

  #resized(): void {
    const { clientWidth: width, clientHeight: height } = this.node;
    if (width === 0 || height === 0) {
      return;
    }
    const first = this.camera.width === 0;
    this.#picture.resize(width, height);
    this.camera.resize(width, height);
    const geometry = this.#scene.geometry;
    if (first) {
      this.fit();
    } else {
      this.camera.refit(geometry?.bounds ?? WORLD, PADDING, geometry === null ? undefined : this.#inset(geometry));
    }
    this.#describe();
    this.#draw(performance.now());
  }

  /** What to leave free so that the legend covers no bus when everything is shown. */
  #inset(geometry: Geometry): Inset {
    const { offsetLeft, offsetWidth, offsetTop } = this.#legend;
    const { width, height } = this.camera;
    const corner = { width: offsetLeft + offsetWidth, height: height - offsetTop };
    return offsetWidth === 0 ? { left: 0, bottom: 0 } : freeInset({ width, height }, geometry, PADDING, corner);
  }

  #draw(now: number): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.camera.width === 0) {
      return;
    }
    const fading = this.#colours.step(now);
    this.#picture.draw({
      geometry: this.#scene.geometry ?? NOWHERE,
      camera: this.camera,
      theme: this.#theme.theme,
      palette: this.#colours.palette,
      sizes: this.#subject.sizes,
      places: this.#colours.places,
      sides: this.#colours.sides,
      branches: this.#branches,
      hovered: this.#hovered,
      selected: this.#subject.selected,
      graticule: this.#places,
    });
    if (fading) {
      this.redraw();
    }
  }

  #clicked(point: { x: number; y: number; reach: number }): void {
    if (this.#places) {
      this.placing.put(unproject(this.camera.worldX(point.x), this.camera.worldY(point.y)));
    } else {
      this.#subject.select(this.#scene.targetAt(point, point.reach, this.camera));
    }
  }

  #hover(point: { x: number; y: number } | null): void {
    const element = point === null || this.#places ? null : this.#scene.targetAt(point, 6, this.camera);
    const changed = !sameTarget(element, this.#hovered);
    this.#hovered = element;
    this.#canvas.style.cursor = this.#places ? "crosshair" : element === null ? "" : "pointer";
    if (element === null || point === null) {
      this.#card.hide();
    } else {
      this.#card.show(() => this.#subject.card(element), point, this.camera.width, this.camera.height);
    }
    if (changed) {
      this.redraw();
    }
  }

  #keyed(event: KeyboardEvent): void {
    const { camera } = this;
    if (this.#places && this.placing.key(event, camera)) {
      event.preventDefault();
      this.redraw();
      return;
    }
    const handled = runKey(event, {
      step: (dx, dy) => this.#stepTo(this.#scene.busTowards(this.#subject.selected, dx, dy, camera)),
      pan: (dx, dy) => camera.panBy(dx, dy),
      zoom: (factor) => camera.zoomAt(factor, camera.width / 2, camera.height / 2),
      fit: () => this.fit(),
      clear: () => this.#subject.select(null),
      otherPlane: () => this.showPlane(this.plane === "map" ? "diagram" : "map"),
    });
    if (handled) {
      event.preventDefault();
      this.#card.hide();
      this.redraw();
    }
  }

  #stepTo(next: Target | null): void {
    if (next !== null) {
      this.#subject.select(next);
    }
  }

  #showHint(): void {
    this.#hint.hidden = false;
    clearTimeout(this.#hintTimer);
    this.#hintTimer = window.setTimeout(() => (this.#hint.hidden = true), HINT_MS);
  }
}
