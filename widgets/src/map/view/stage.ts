import type { StudyCamera } from "@service/engine";
import { basemapStore } from "../basemap/loadBasemap.ts";
import { BoxMode, type BoxPurpose } from "../gestures/boxMode.ts";
import type { Camera } from "./camera.ts";
import { h } from "../../ui/dom.ts";
import { formatCount, trans } from "../../text/index.ts";
import { Footer } from "../chrome/footer.ts";
import { NOWHERE, unproject } from "./geometry.ts";
import { Hint, noDiagram, wheelHint } from "../chrome/hint.ts";
import { HoverCard } from "../panels/hoverCard.ts";
import { LayoutProgress } from "../chrome/layoutProgress.ts";
import { runKey } from "../gestures/pictureKeys.ts";
import { MapParts } from "../picture/mapPicture.ts";
import type { PlacedLabel } from "../picture/labels.ts";
import { Picture } from "../picture/picture.ts";
import { pictureLabel } from "../picture/pictureLabel.ts";
import { Placing } from "../gestures/placing.ts";
import { type Box, PointerControls } from "../gestures/pointer.ts";
import { type Plane, Scene, type SceneChange } from "./scene.ts";
import { SelectionBox } from "../chrome/selectionBox.ts";
import type { BusColours, SceneModel } from "./sceneModel.ts";
import { sameTarget, type Target } from "../picture/targets.ts";
import { prefersReducedMotion, type ThemeWatcher } from "../../ui/theme.ts";
import { Viewpoint } from "./viewpoint.ts";
import type { Frame } from "../picture/frame.ts";

/** What a stage tells those around it. */
export interface StageEvents {
  /** The plane shown, or whether there is another, changed. */
  planeChanged(): void;
  /** The right button was pressed on an element, or beside all of them. */
  asked?(target: Target | null, point: { x: number; y: number }): void;
  /** A key that the stage has no use for. */
  keyed?(event: KeyboardEvent): boolean;
  /** Something was said over the picture, for a live region. */
  said?(text: string): void;
}

/** What is left free around a network with symbols beside its buses, pixels. */
const DETAIL_PADDING = 52;

/** The picture with what lies on it: canvas, legend, hover card, placement and notice. Built when it first has a size. */
export class Stage {
  readonly node: HTMLElement;
  /** Puts the network on the map and moves it there; its node is the bar above the picture. */
  readonly placing: Placing;
  readonly #model: SceneModel;
  readonly #colours: BusColours;
  readonly #theme: ThemeWatcher;
  readonly #legend: HTMLElement;
  readonly #events: StageEvents;
  readonly #scene: Scene;
  readonly #canvas: HTMLCanvasElement;
  readonly #picture: Picture;
  readonly #parts: MapParts;
  readonly #card = new HoverCard();
  readonly #progress: LayoutProgress;
  readonly #hint = new Hint();
  readonly #box = new SelectionBox();
  readonly #boxing: BoxMode;
  readonly #footer: Footer;
  readonly #controls: PointerControls;
  readonly #observer: ResizeObserver;
  readonly #sight: IntersectionObserver;
  readonly #viewpoint: Viewpoint;
  #hovered: Target | null = null;
  #frame = 0;
  #inSight = true;
  #disposed = false;
  #faded: { from: Int16Array | null; kept: ReadonlySet<number> | undefined; places: Int16Array } = {
    from: null,
    kept: undefined,
    places: NO_PLACES,
  };
  #noSides = new Int8Array();

  constructor(model: SceneModel, colours: BusColours, theme: ThemeWatcher, legend: HTMLElement, events: StageEvents) {
    this.#model = model;
    this.#colours = colours;
    this.#theme = theme;
    this.#legend = legend;
    this.#events = events;
    const { graph, name, geography } = model;
    this.#canvas = h("canvas", {
      class: "wb-Canvas",
      attributes: { tabindex: "0", role: "application" },
      on: { keydown: (event) => this.#keyed(event) },
    });
    this.#scene = new Scene(model, (change) => this.#sceneChanged(change));
    this.#parts = new MapParts(
      model,
      () => this.#scene.plane,
      () => this.redraw(),
    );
    this.#picture = new Picture(this.#canvas, this.#parts, () => this.redraw());
    this.#progress = new LayoutProgress(geography.layout, graph.busCount);
    this.placing = new Placing({ name, geography }, () => this.#placingChanged());
    this.#footer = new Footer(legend, () => this.northUp());
    this.#viewpoint = new Viewpoint(
      this.#scene,
      () => this.#footer.corner(this.node),
      () => this.redraw(),
      model.detail === undefined ? undefined : DETAIL_PADDING,
    );
    const over = [
      this.#progress.node,
      this.#box.node,
      this.#footer.node,
      this.#hint.node,
      this.#card.node,
      this.#parts.node,
    ];
    this.node = h("div", { class: "wb-Stage" }, this.#canvas, ...over);
    this.#boxing = new BoxMode(this.#box, {
      camera: this.camera,
      found: (kind, box) => this.#in(kind, box),
      hint: (text) => this.#hint.hold(text),
      say: (text) => this.#events.said?.(text),
    });
    this.#controls = new PointerControls(this.#canvas, this.camera, {
      taken: () => this.#viewpoint.taken(),
      moved: () => this.redraw(),
      turned: () => this.#viewpoint.turned(),
      hovered: (point) => this.#hover(point),
      clicked: (point) => this.#clicked(point),
      asked: (point) => this.#asked(point),
      boxes: () => this.#boxing.on,
      boxing: (box) => this.#showBox(box),
      boxed: (box, add) => this.#boxed(box, add),
      wheelIgnored: () => this.#hint.show(wheelHint()),
    });
    this.#observer = new ResizeObserver(() => this.#resized());
    this.#observer.observe(this.node);
    this.#sight = new IntersectionObserver((entries) => this.#sightChanged(entries.at(-1)?.isIntersecting ?? true));
    this.#sight.observe(this.node);
    basemapStore.changed.connect(this.#describe, this);
    this.#describe();
  }

  get camera(): Camera {
    return this.#viewpoint.camera;
  }

  get plane(): Plane {
    return this.#scene.plane;
  }

  /** From where the network is looked at, to be saved; null for all of it. */
  get saved(): StudyCamera | null {
    return this.#viewpoint.saved;
  }

  /** Begins with a view that was saved. */
  lookFrom(saved: StudyCamera): void {
    if (saved.drawing && this.choice) {
      this.showPlane("diagram");
    }
    this.#viewpoint.lookFrom(saved);
  }

  /** Whether both Map and Diagram can be shown. */
  get choice(): boolean {
    return this.#scene.choice;
  }

  /** What is drawn now, for pictures to be saved; null while the network is nowhere. */
  get shown(): { frame: Frame; labels: PlacedLabel[] } | null {
    const context = this.#canvas.getContext("2d");
    if (context === null || this.#scene.geometry === null || this.camera.width === 0) {
      return null;
    }
    this.#draw(performance.now());
    const frame = { ...this.#frameNow(), hovered: null };
    return { frame, labels: this.#parts.labels(context, frame) };
  }

  /** Puts the focus on the picture. */
  focus(): void {
    this.#canvas.focus({ preventScroll: true });
  }

  /** Whether somebody can see it. */
  get inSight(): boolean {
    return this.#inSight && this.node.isConnected && this.node.clientWidth > 0;
  }

  /** Lets a box be drawn, by a drag or with the keys. */
  drawBox(purpose: BoxPurpose): void {
    this.#card.hide();
    this.#boxing.start(purpose);
    this.#canvas.style.cursor = "crosshair";
    this.focus();
  }

  /** Lets the buses in a box be selected. */
  selectBox(): void {
    if (this.#model.selectMany !== undefined && this.#scene.geometry !== null && !this.#places) {
      this.drawBox({
        kind: "bus",
        tell: ({ length }) => trans._n("%2 bus", "%2 buses", length, formatCount(length)),
        take: (found, add) => this.#selectMany(found, add),
        given: () => undefined,
      });
    }
  }

  /** Gives up the box that is being drawn. */
  endBox(): void {
    this.#boxing.end();
  }

  /** Shows the map or the diagram where there are both; each keeps its own view. */
  showPlane(plane: Plane): void {
    this.#scene.show(plane);
  }

  /** Goes from the map to the diagram or back; where there is no diagram, says so. */
  showOtherPlane(): void {
    if (this.choice) {
      this.showPlane(this.plane === "map" ? "diagram" : "map");
    } else {
      this.#hint.show(noDiagram());
      this.#events.said?.(noDiagram());
    }
  }

  /** Takes over a new exact state; colours run into it unless the system asks for no motion. */
  stateChanged(): void {
    if (!prefersReducedMotion()) {
      this.#colours.startFade(performance.now());
    }
  }

  /** Takes over new numbers: draws them at the next frame, and tells them on the card. */
  update(): void {
    this.#card.refresh();
    this.#footer.changed();
    this.redraw();
  }

  /** Draws at the next frame; out of sight, when it is seen again. */
  redraw(): void {
    if (this.#frame === 0 && this.#inSight && !this.#disposed) {
      this.#frame = requestAnimationFrame((now) => this.#draw(now));
    }
  }

  /** Draws at once what the next frame is to show, so that the frame itself has only to be painted. */
  drawNow(): void {
    if (this.#inSight && !this.#disposed) {
      this.#draw(performance.now());
    }
  }

  /** Shows the whole network, or the world while it is nowhere on it. */
  fit(): void {
    this.#viewpoint.fit();
  }

  /** Shows the whole network again where it was shown: the legend has become another. */
  refit(): void {
    this.#viewpoint.refit();
  }

  /** Brings north up, or the upper edge of a drawing. */
  northUp(): void {
    this.#viewpoint.northUp();
  }

  /** Moves an element into view. */
  reveal(target: Target): void {
    this.#viewpoint.reveal(target);
  }

  /** Puts an element in the middle, near enough to see its neighbours. */
  zoomTo(target: Target): void {
    this.#viewpoint.zoomTo(target);
  }

  dispose(): void {
    this.#disposed = true;
    this.#boxing.end();
    cancelAnimationFrame(this.#frame);
    this.#hint.dispose();
    this.#observer.disconnect();
    this.#sight.disconnect();
    basemapStore.changed.disconnect(this.#describe, this);
    this.#controls.dispose();
    this.#viewpoint.dispose();
    this.#scene.dispose();
    this.#parts.dispose();
    this.#picture.release();
    this.placing.dispose();
  }

  #sceneChanged(change: SceneChange): void {
    const { geometry, plane } = this.#scene;
    this.#describe(); // before fitting: whether there is a legend decides how much room there is
    if (change === "plane") {
      if (plane === "diagram") {
        this.placing.end(); // there is nothing to move
      }
      this.#card.hide();
      this.#viewpoint.planeChanged();
    } else if (change === "positions" && geometry !== null) {
      this.#viewpoint.positionsChanged(this.placing.moving);
    }
    this.#events.planeChanged();
    this.redraw();
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
    const { geography } = this.#model;
    const onMap = plane === "map";
    this.#canvas.setAttribute("aria-label", pictureLabel(this.#model, plane, this.#places));
    this.camera.leastScale = this.#places ? this.camera.width / 400 : Infinity;
    this.#progress.update(geometry === null && (plane === "diagram" || geography.drawing === null));
    this.placing.show(onMap && geometry === null);
    const problem = onMap && basemapStore.problem !== null ? [basemapStore.problem] : [];
    this.#footer.show({
      notices: this.placing.moving ? [] : [...notice, ...problem],
      action: onMap && geography.synthetic && !this.placing.moving ? this.placing.moveButton : null,
      scale: onMap && geometry !== null,
      sources: onMap && basemapStore.basemap !== null,
    });
    this.#legend.hidden = geometry === null;
    this.node.toggleAttribute("data-placed", geometry !== null);
    this.node.dataset["plane"] = plane;
    this.node.classList.toggle("wb-mod-placing", this.#places);
    this.#footer.changed();
  }

  #resized(): void {
    const { clientWidth: width, clientHeight: height } = this.node;
    if (width === 0 || height === 0) {
      return;
    }
    this.#picture.resize(width, height);
    this.#viewpoint.resize(width, height, this.#model.selected);
    this.#describe();
    this.#draw(performance.now());
  }

  /** Out of sight the last picture stays, and what only the next one needs is given back. */
  #sightChanged(inSight: boolean): void {
    this.#inSight = inSight;
    if (inSight) {
      this.redraw();
    } else {
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
      this.#parts.release();
      this.#picture.release();
    }
  }

  #frameNow(now = performance.now()): Frame {
    const geometry = this.#scene.geometry;
    const { look, sizes } = this.#model;
    const { theme } = this.#theme;
    const field = geometry === null ? null : (look?.field(geometry) ?? null);
    const marks = field === null ? this.#colours : this.#faint();
    return {
      geometry: geometry ?? NOWHERE,
      camera: this.camera,
      theme,
      palette: this.#colours.palette,
      sizes: geometry === null ? sizes : (look?.sizes(sizes, geometry, this.camera) ?? sizes),
      places: geometry === null ? NO_PLACES : marks.places,
      sides: marks.sides,
      field,
      generators: geometry === null ? [] : (look?.generators(theme.dark) ?? []),
      branches: this.#model.branches,
      hovered: this.#hovered,
      selection: geometry === null ? [] : this.#model.selection,
      proposed: geometry === null ? [] : (this.#model.proposed ?? []),
      events: geometry === null ? [] : (this.#model.events?.(now) ?? []),
      graticule: this.#places,
    };
  }

  /** Marks above a field: those of the lowest and highest values keep their colours, all others have that of the idle. */
  #faint(): Pick<BusColours, "places" | "sides"> {
    const { places, sides } = this.#colours;
    const kept = this.#model.look?.extremes;
    if (this.#faded.from !== places || this.#faded.kept !== kept) {
      this.#faded = { from: places, kept, places: places.map((place, row) => (kept?.has(row) === true ? place : -1)) };
    }
    return { places: this.#faded.places, sides: sides.length === places.length ? this.#plain(sides.length) : sides };
  }

  #plain(count: number): Int8Array {
    this.#noSides = this.#noSides.length === count ? this.#noSides : new Int8Array(count);
    return this.#noSides;
  }

  #draw(now: number): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.camera.width === 0) {
      return;
    }
    const fading = this.#colours.step(now);
    this.#parts.covered = this.#footer.covered(this.node);
    this.#parts.prepare();
    const frame = this.#frameNow(now);
    this.#picture.draw(frame);
    this.node.dataset["bearing"] = String(Math.round(this.camera.bearing));
    this.node.dataset["ground"] = this.#parts.groundBy;
    this.node.dataset["renderer"] = this.#parts.accelerated() ? "webgl2" : "canvas";
    this.#footer.showView(this.camera, this.plane);
    if (fading || frame.events?.some(({ strength }) => strength < 1) === true) {
      this.redraw();
    }
  }

  #clicked(point: { x: number; y: number; reach: number; add: boolean }): void {
    if (this.#places) {
      this.placing.put(unproject(this.camera.worldX(point.x, point.y), this.camera.worldY(point.x, point.y)));
      return;
    }
    const target = this.#scene.targetAt(point, point.reach, this.camera);
    if (this.#boxing.on) {
      this.#boxing.takeOne(target, point.add);
    } else if (point.add && this.#model.toggle !== undefined) {
      if (target !== null) {
        this.#model.toggle(target);
      }
    } else {
      this.#model.select(target);
    }
  }

  #asked(point: { x: number; y: number; reach: number }): void {
    if (!this.#places) {
      this.#card.hide();
      this.#events.asked?.(this.#scene.targetAt(point, point.reach, this.camera), point);
    }
  }

  #showBox(box: Box | null): void {
    this.#card.hide();
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
    this.#model.selectMany?.(add ? [...this.#model.selection, ...found] : found);
  }

  /** The elements of a kind in a box of the screen. */
  #in(kind: Target["kind"], box: Box): Target[] {
    if (this.#places) {
      return [];
    }
    return kind === "bus" ? this.#scene.busesIn(box, this.camera) : this.#scene.branchesIn(box, this.camera);
  }

  #hover(point: { x: number; y: number } | null): void {
    const element = point === null || this.#places ? null : this.#scene.targetAt(point, 6, this.camera);
    const changed = !sameTarget(element, this.#hovered);
    this.#hovered = element;
    this.#canvas.style.cursor = this.#places || this.#boxing.on ? "crosshair" : element === null ? "" : "pointer";
    if (element === null || point === null) {
      this.#card.hide();
    } else {
      this.#card.show(() => this.#model.card(element), point, this.camera.width, this.camera.height);
    }
    if (changed) {
      this.redraw();
    }
  }

  #keyed(event: KeyboardEvent): void {
    const { camera } = this;
    if ((this.#places && this.placing.key(event, camera)) || this.#boxing.key(event)) {
      event.preventDefault();
      this.redraw();
      return;
    }
    const handled = runKey(event, {
      step: (dx, dy) => this.#stepTo(this.#scene.busTowards(this.#model.selected, dx, dy, camera)),
      pan: (dx, dy) => camera.panBy(dx, dy),
      zoom: (factor) => camera.zoomAt(factor, camera.width / 2, camera.height / 2),
      fit: () => this.fit(),
      turn: (degrees) => this.#viewpoint.turnBy(degrees),
      northUp: () => this.northUp(),
      clear: () => this.#model.select(null),
      otherPlane: () => this.showOtherPlane(),
      box: () => this.selectBox(),
    });
    if (handled || this.#events.keyed?.(event)) {
      event.preventDefault();
      this.#card.hide();
      this.redraw();
    }
  }

  #stepTo(next: Target | null): void {
    if (next !== null) {
      this.#model.select(next);
    }
  }
}

const NO_PLACES = new Int16Array();
