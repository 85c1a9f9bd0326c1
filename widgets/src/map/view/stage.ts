import type { StudyCamera } from "@service/engine";
import { basemapStore } from "../basemap/loadBasemap.ts";
import { type GestureEvents, type GestureHost, PictureGestures } from "../gestures/pictureGestures.ts";
import type { Camera } from "./camera.ts";
import { h } from "../../ui/dom.ts";
import { trans } from "../../text/index.ts";
import { afterFrame } from "../../ui/pageFrame.ts";
import type { ChosenBasemap } from "../userBasemap/chosenBasemap.ts";
import type { MapOverlays } from "../overlay/mapOverlays.ts";
import { Footer } from "../chrome/footer.ts";
import { Hint, noDiagram } from "../chrome/hint.ts";
import { HoverCard } from "../panels/hoverCard.ts";
import { LayoutProgress } from "../chrome/layoutProgress.ts";
import { MapParts } from "../picture/mapPicture.ts";
import type { PlacedLabel } from "../picture/labels.ts";
import { Picture } from "../picture/picture.ts";
import { pictureLabel } from "../picture/pictureLabel.ts";
import { Placing } from "../gestures/placing.ts";
import { type Plane, Scene, type SceneChange } from "./scene.ts";
import type { BusColours, SceneModel } from "./sceneModel.ts";
import type { Target } from "../picture/targets.ts";
import { prefersReducedMotion, type ThemeWatcher } from "../../ui/theme.ts";
import { StageFrames } from "./stageFrames.ts";
import { Viewpoint } from "./viewpoint.ts";
import type { Frame, SavedGround } from "../picture/frame.ts";

/** Events of a stage. */
export interface StageEvents extends GestureEvents {
  /** The plane, or the choice of planes, changed. */
  planeChanged(): void;
}

/** Margin around a network with symbols beside its buses, pixels. */
const DETAIL_PADDING = 52;

/** The picture with its overlays: canvas, legend, hover card, placement and notice. Built when it first has a size. */
export class Stage {
  readonly node: HTMLElement;
  /** Puts the network on the map and moves it there; its node is the bar above the picture. */
  readonly placing: Placing;
  /** Pointer and keys on the picture. */
  readonly gestures: PictureGestures;
  readonly #model: SceneModel;
  readonly #colours: BusColours;
  readonly #legend: HTMLElement;
  readonly #events: StageEvents;
  readonly #scene: Scene;
  readonly #canvas: HTMLCanvasElement;
  readonly #picture: Picture;
  readonly #parts: MapParts;
  readonly #card = new HoverCard();
  readonly #progress: LayoutProgress;
  readonly #hint = new Hint();
  readonly #footer: Footer;
  readonly #frames: StageFrames;
  readonly #observer: ResizeObserver;
  readonly #sight: IntersectionObserver;
  readonly #viewpoint: Viewpoint;
  #frame = 0;
  /** Cancels the work that is deferred until the picture is visible. */
  #later: (() => void) | null = null;
  #inSight = true;
  #disposed = false;
  constructor(model: SceneModel, colours: BusColours, theme: ThemeWatcher, legend: HTMLElement, events: StageEvents) {
    this.#model = model;
    this.#colours = colours;
    this.#legend = legend;
    this.#events = events;
    this.#frames = new StageFrames(model, colours, theme);
    const { graph, name, geography } = model;
    this.#canvas = h("canvas", {
      class: "wb-Canvas",
      attributes: { tabindex: "0", role: "application" },
      on: { keydown: (event) => this.gestures.keyed(event) },
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
      { corner: () => this.#footer.corner(this.node), covered: () => this.#footer.measured(this.node) },
      () => this.redraw(),
      model.detail === undefined ? undefined : DETAIL_PADDING,
    );
    this.gestures = new PictureGestures(this.#gestureHost());
    const over = [
      this.#progress.node,
      this.gestures.node,
      this.#footer.node,
      this.#hint.node,
      this.#card.node,
      this.#parts.node,
    ];
    this.node = h("div", { class: "wb-Stage" }, this.#canvas, ...over);
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

  /** The basemap. */
  get basemap(): ChosenBasemap {
    return this.#parts.chosen;
  }

  /** The user's layers between basemap and network. */
  get overlays(): MapOverlays {
    return this.#parts.overlays;
  }

  /** The camera, to be saved; null if everything is shown. */
  get saved(): StudyCamera | null {
    return this.#viewpoint.saved;
  }

  /** Starts with a saved view. */
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

  /** The present frame and labels, for saved pictures; null without positions. */
  get shown(): { frame: Frame; labels: PlacedLabel[] } | null {
    const context = this.#canvas.getContext("2d");
    if (context === null || this.#scene.geometry === null || this.camera.width === 0) {
      return null;
    }
    this.#draw(performance.now());
    const frame = { ...this.#frameAt(performance.now()), hovered: null };
    return { frame, labels: this.#parts.labels(context, frame) };
  }

  /** The present background, for saved pictures. */
  ground(ratio: number): SavedGround {
    return this.#parts.saved(ratio);
  }

  /** Focuses the picture. */
  focus(): void {
    this.#canvas.focus({ preventScroll: true });
  }

  /** Whether it is visible. */
  get inSight(): boolean {
    return this.#inSight && this.node.isConnected && this.node.clientWidth > 0;
  }

  /** Shows the map or the diagram where there are both; each has its own view. */
  showPlane(plane: Plane): void {
    this.#scene.show(plane);
  }

  /** Switches between map and diagram, or reports that there is no diagram. */
  showOtherPlane(): void {
    if (this.choice) {
      this.showPlane(this.plane === "map" ? "diagram" : "map");
      this.#events.announced?.(this.plane === "map" ? trans.__("Map") : trans.__("Diagram"));
    } else {
      this.explain(noDiagram());
    }
  }

  /** Shows over the picture, and announces, why something did not happen. */
  explain(text: string): void {
    this.#hint.show(text);
    this.#events.announced?.(text);
  }

  /** Handles a new exact state; colours fade to it unless the system requests reduced motion. */
  stateChanged(): void {
    this.#describe(); // edits of costs change the notices
    if (!prefersReducedMotion()) {
      this.#colours.startFade(performance.now());
    }
  }

  /** Handles new numbers: redraws with the next frame, and updates the card. */
  update(): void {
    this.#card.refresh();
    this.#footer.changed();
    this.redraw();
  }

  /** Redraws with the next frame, or when the picture becomes visible. */
  redraw(): void {
    if (this.#frame === 0 && this.#inSight && !this.#disposed) {
      this.#frame = requestAnimationFrame((now) => this.#draw(now));
    }
  }

  /** Draws the content of the next frame at once, so that the frame only has to paint. */
  drawNow(): void {
    if (this.#inSight && !this.#disposed) {
      this.#draw(performance.now());
    }
  }

  /** Shows the whole network, or the world while it has no positions. */
  fit(): void {
    this.#viewpoint.fit();
  }

  /** Fits again if the whole network was shown, because the legend has changed. */
  refit(): void {
    this.#viewpoint.refit();
  }

  /** The rows of the buses in view. */
  get busesInView(): number[] {
    const { width, height } = this.camera;
    return this.#scene.busesIn({ x0: 0, y0: 0, x1: width, y1: height }, this.camera).map(({ row }) => row);
  }

  /** Brings north up, or the upper edge of a drawing, and looks from above. */
  northUp(): void {
    this.#viewpoint.northUp();
  }

  /** Tilts a map by degrees. */
  tilt(degrees: number): void {
    this.#viewpoint.tiltBy(degrees);
  }

  /** Draws the earth as a globe, or as a plane. */
  globe(globe: boolean): void {
    this.#viewpoint.showGlobe(globe);
  }

  /** Moves an element into view. */
  reveal(target: Target): void {
    this.#viewpoint.reveal(target);
  }

  /** Centres an element, near enough to show its neighbours. */
  zoomTo(target: Target, ...others: readonly Target[]): void {
    this.#viewpoint.zoomTo(target, ...others);
  }

  dispose(): void {
    this.#disposed = true;
    this.gestures.dispose();
    cancelAnimationFrame(this.#frame);
    this.#later?.();
    this.#hint.dispose();
    this.#footer.dispose();
    this.#observer.disconnect();
    this.#sight.disconnect();
    basemapStore.changed.disconnect(this.#describe, this);
    this.#viewpoint.dispose();
    this.#scene.dispose();
    this.#parts.dispose();
    this.#picture.release();
    this.placing.dispose();
  }

  #sceneChanged(change: SceneChange): void {
    const { geometry, plane } = this.#scene;
    this.#describe(); // before fitting, because the legend determines the room
    if (change === "plane") {
      if (plane === "diagram") {
        this.placing.end(); // there is nothing to move
      }
      this.#card.hide();
      this.#viewpoint.planeChanged();
    } else if (change === "positions" && geometry !== null) {
      this.#viewpoint.positionsChanged(this.placing.moving);
      this.#prepareLater();
    }
    this.#events.planeChanged();
    this.redraw();
  }

  #placingChanged(): void {
    if (this.placing.moving) {
      this.showPlane("map");
      this.#viewpoint.flatten();
    }
    this.#describe();
    this.redraw();
  }

  /** Whether a click places the network instead of selecting. */
  get #places(): boolean {
    return this.plane === "map" && (this.placing.moving || this.#scene.geometry === null);
  }

  /** Describes the picture in words and attributes. */
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
    this.#prepareLater();
  }

  /** Builds the picker for the pointer in idle time, since no picture waits for it. */
  #prepareLater(): void {
    this.#later?.();
    this.#later = afterFrame(() => this.#scene.prepare());
  }

  /** Out of sight the last picture stays, and resources of the next one are freed. */
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

  #frameAt(now: number): Frame {
    const { geometry } = this.#scene;
    const { hovered } = this.gestures;
    return this.#frames.at(now, { geometry, camera: this.camera, hovered, places: this.#places });
  }

  #gestureHost(): GestureHost {
    const places = (): boolean => this.#places;
    return {
      ...{ canvas: this.#canvas, model: this.#model, scene: this.#scene, viewpoint: this.#viewpoint },
      ...{ placing: this.placing, card: this.#card, hint: this.#hint, events: this.#events, camera: this.camera },
      get places() {
        return places();
      },
      redraw: () => this.redraw(),
      fit: () => this.fit(),
      northUp: () => this.northUp(),
      showOtherPlane: () => this.showOtherPlane(),
      explain: (text) => this.explain(text),
    };
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
    const frame = this.#frameAt(now);
    this.#picture.draw(frame);
    this.node.dataset["bearing"] = String(Math.round(this.camera.bearing));
    this.node.dataset["pitch"] = String(Math.round(this.camera.pitch));
    this.node.dataset["globe"] = String(this.camera.globe);
    this.node.dataset["ground"] = this.#parts.groundBy;
    this.node.dataset["basemap"] = this.#parts.basemapKind;
    this.node.dataset["renderer"] = this.#parts.accelerated() ? "webgl2" : "canvas";
    this.#footer.showView(this.camera, this.plane, this.#parts.attribution);
    if (fading || frame.events?.some(({ strength }) => strength < 1) === true) {
      this.redraw();
    }
  }
}
