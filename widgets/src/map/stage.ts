import type { CaseSession, Selection } from "../workspace/index.ts";
import type { BusPaint } from "./busPaint.ts";
import { Camera, type Inset } from "./camera.ts";
import { h } from "./dom.ts";
import { freeInset } from "./freeInset.ts";
import { type Geometry, geometryOf } from "./geometry.ts";
import { HoverCard } from "./hoverCard.ts";
import { classifyBranches, type LoadingClass } from "./loading.ts";
import { KEYS_TEXT, runKey } from "./mapKeys.ts";
import { Picker } from "./picker.ts";
import { busRadius, busSizes, Picture } from "./picture.ts";
import { PointerControls } from "./pointer.ts";
import { prefersReducedMotion, type ThemeWatcher } from "./theme.ts";

const PADDING = 28;
const HINT_MS = 1600;

/** The picture with what lies on it: canvas, legend, hover card, hint and notice. Built when it first has a size. */
export class Stage {
  readonly node: HTMLElement;
  readonly camera = new Camera();
  readonly #session: CaseSession;
  readonly #paint: BusPaint;
  readonly #theme: ThemeWatcher;
  readonly #legend: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #picture: Picture;
  readonly #card: HoverCard;
  readonly #sizes: Float32Array;
  readonly #hint = h("div", {
    class: "wb-Hint",
    text: "Click the map, or hold Ctrl, to zoom",
    attributes: { hidden: "" },
  });
  readonly #notice = h("div", { class: "wb-Notice" });
  readonly #placing = h("div", { class: "wb-Placing", attributes: { role: "status" } });
  readonly #controls: PointerControls;
  readonly #observer: ResizeObserver;
  #geometry: Geometry | null = null;
  #picker: Picker | null = null;
  #branches: Record<LoadingClass, number[]>;
  #hovered: Selection | null = null;
  #frame = 0;
  #hintTimer = 0;
  #disposed = false;

  constructor(session: CaseSession, paint: BusPaint, theme: ThemeWatcher, legend: HTMLElement) {
    this.#session = session;
    this.#paint = paint;
    this.#theme = theme;
    this.#legend = legend;
    const { opened, caseName } = session;
    const count = `${opened.buses.length} buses, ${opened.branches.length} lines`;
    this.#canvas = h("canvas", {
      class: "wb-Canvas",
      attributes: { tabindex: "0", role: "application", "aria-label": `Map of ${caseName}, ${count}. ${KEYS_TEXT}` },
      on: { keydown: (event) => this.#keyed(event) },
    });
    this.#picture = new Picture(this.#canvas);
    this.#card = new HoverCard(session);
    this.#sizes = busSizes(opened.buses.map((bus) => bus.base_kv));
    this.#placing.textContent = `Placing ${opened.buses.length} buses\u2026`;
    const over = [this.#placing, this.#notice, legend, this.#hint, this.#card.node];
    this.node = h("div", { class: "wb-Stage" }, this.#canvas, ...over);
    this.#branches = classifyBranches(session.store.columns);
    this.#controls = new PointerControls(this.#canvas, this.camera, {
      moved: () => this.redraw(),
      hovered: (point) => this.#hover(point),
      clicked: (point) => void session.select(this.#elementAt(point, point.reach)),
      wheelIgnored: () => this.#showHint(),
    });
    this.#observer = new ResizeObserver(() => this.#resized());
    this.#observer.observe(this.node);
    void this.#place();
  }

  /** Numbers of the lines to draw anew after a change of the exact state. */
  get branches(): Record<LoadingClass, number[]> {
    return this.#branches;
  }

  /** Takes over a new exact state; colours run into it unless the system asks for no motion. */
  stateChanged(): void {
    this.#branches = classifyBranches(this.#session.store.columns);
    if (!prefersReducedMotion()) {
      this.#paint.startFade(performance.now());
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

  /** Shows the whole network. */
  fit(): void {
    if (this.#geometry !== null) {
      this.camera.fit(this.#geometry.bounds, PADDING, this.#inset(this.#geometry));
      this.redraw();
    }
  }

  /** Moves a selected element into view. */
  reveal(selection: Selection): void {
    const geometry = this.#geometry;
    if (geometry === null) {
      return;
    }
    const row = this.#session.opened.rowOf(selection);
    const path = geometry.paths[row];
    const [x, y] =
      selection.kind === "bus" ? [geometry.busX[row], geometry.busY[row]] : [middle(path, 0), middle(path, 1)];
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
  }

  async #place(): Promise<void> {
    const geometry = await geometryOf(this.#session.opened);
    if (this.#disposed) {
      return;
    }
    this.#geometry = geometry;
    this.#picker = new Picker(geometry);
    const missing = geometry.busX.filter(Number.isNaN).length;
    const words = [
      ...(geometry.synthetic ? ["Layout is synthetic"] : []),
      ...(missing > 0 ? [`${missing} buses without a position are not drawn`] : []),
    ];
    this.#notice.textContent = words.join(". ");
    this.#placing.remove();
    this.camera.fit(geometry.bounds, PADDING, this.#inset(geometry));
    this.node.dataset["placed"] = "";
    this.redraw();
  }

  #resized(): void {
    const { clientWidth: width, clientHeight: height } = this.node;
    if (width === 0 || height === 0) {
      return;
    }
    this.#picture.resize(width, height);
    this.camera.resize(width, height);
    if (this.#geometry !== null) {
      this.camera.refit(this.#geometry.bounds, PADDING, this.#inset(this.#geometry));
      this.#draw(performance.now());
    }
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
    const geometry = this.#geometry;
    if (geometry === null || this.camera.width === 0) {
      return;
    }
    const fading = this.#paint.step(now);
    this.#picture.draw({
      geometry,
      camera: this.camera,
      theme: this.#theme.theme,
      palette: this.#paint.scale?.palette ?? [],
      sizes: this.#sizes,
      places: this.#paint.places,
      sides: this.#paint.sides,
      branches: this.#branches,
      hovered: this.#hovered,
      selected: this.#session.selection,
      rowOf: (selection) => this.#session.opened.rowOf(selection),
    });
    if (fading) {
      this.redraw();
    }
  }

  #elementAt(point: { x: number; y: number }, reach: number): Selection | null {
    const { camera } = this;
    const geometry = this.#geometry;
    if (geometry === null || this.#picker === null) {
      return null;
    }
    const [x, y] = [camera.worldX(point.x), camera.worldY(point.y)];
    const { buses, branches } = this.#session.opened;
    const bus = buses[this.#picker.busAt(x, y, (busRadius({ camera, geometry }) + reach - 2) / camera.scale)];
    if (bus !== undefined) {
      return { kind: "bus", id: bus.id };
    }
    const branch = branches[this.#picker.branchAt(x, y, reach / camera.scale)];
    return branch === undefined ? null : { kind: "branch", id: branch.id };
  }

  #hover(point: { x: number; y: number } | null): void {
    const element = point === null ? null : this.#elementAt(point, 6);
    this.#hovered = element;
    this.#canvas.style.cursor = element === null ? "" : "pointer";
    if (element === null || point === null) {
      this.#card.hide();
    } else {
      this.#card.show(element, point, this.camera.width, this.camera.height);
    }
    this.redraw();
  }

  #keyed(event: KeyboardEvent): void {
    const { camera } = this;
    const handled = runKey(event, {
      step: (dx, dy) => this.#stepTo(dx, dy),
      pan: (dx, dy) => camera.panBy(dx, dy),
      zoom: (factor) => camera.zoomAt(factor, camera.width / 2, camera.height / 2),
      fit: () => this.fit(),
      clear: () => void this.#session.select(null),
    });
    if (handled) {
      event.preventDefault();
      this.#card.hide();
      this.redraw();
    }
  }

  #stepTo(dx: number, dy: number): void {
    const { selection, opened } = this.#session;
    const { camera } = this;
    const picker = this.#picker;
    if (picker === null) {
      return;
    }
    const next =
      selection?.kind === "bus"
        ? picker.busTowards(opened.busRow(selection.id), dx, dy)
        : picker.busAt(camera.worldX(camera.width / 2), camera.worldY(camera.height / 2), Infinity);
    const bus = opened.buses[next];
    if (bus !== undefined) {
      void this.#session.select({ kind: "bus", id: bus.id });
    }
  }

  #showHint(): void {
    this.#hint.hidden = false;
    clearTimeout(this.#hintTimer);
    this.#hintTimer = window.setTimeout(() => (this.#hint.hidden = true), HINT_MS);
  }
}

/** Coordinate 0 (x) or 1 (y) at the middle of a path. */
function middle(path: Float64Array | undefined, coordinate: 0 | 1): number {
  const points = (path?.length ?? 0) / 2;
  const [a, b] = [Math.floor((points - 1) / 2), Math.ceil((points - 1) / 2)];
  return ((path?.[2 * a + coordinate] ?? NaN) + (path?.[2 * b + coordinate] ?? NaN)) / 2;
}
