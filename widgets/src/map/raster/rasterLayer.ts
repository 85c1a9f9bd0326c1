import { zoomFactor } from "../view/camera.ts";
import type { Geometry } from "../view/geometry.ts";
import {
  type Arrow,
  arrowCorners,
  arrowSize,
  casingWidth,
  COLOURED_WIDTH,
  lineStyles,
  WARNING_RIM,
} from "../picture/lineStyles.ts";
import {
  BINDING,
  branchCodes,
  isSelectedCode,
  markedBranches,
  type Pass,
  segmentsOfPasses,
} from "../picture/passes.ts";
import { detailScale, type Segments, segmentsOf } from "../picture/segments.ts";
import { type Ink, inkOf, type Pixels, wordOf } from "./pixels.ts";
import { capsule, convex, disc } from "./shapes.ts";
import type { Frame, PictureSize } from "../picture/frame.ts";
import { busRadius, busRim, triangle } from "../picture/busMarks.ts";

/** If frames take longer than this, ms, the picture is drawn coarser while it moves. */
const SLOW_MS = 28;
/** Frames that follow each other within this time, ms, belong to one movement. */
const MOVING_MS = 180;
/** Fraction of the resolution during a slow movement. */
const COARSE = 0.5;

/** The background of a network. */
export interface Ground {
  /** Changes whenever its look changes while the frame does not. */
  stamp: unknown;
  /** Copies it into pixels of the size of the picture, where it is in memory; false where it is not. */
  copy(pixels: Pixels): boolean;
  /** Draws it on the canvas; true when a better version follows soon. */
  draw(): boolean;
}

/** The branches at one level of detail. */
interface Detail {
  segments: Segments;
  /** The codes that the passes were made from. */
  codes: Uint8Array | null;
  passes: Record<Pass, number[]>;
}

/** The stroke of every branch, and its inputs. */
interface Strokes {
  key: readonly unknown[];
  inks: readonly Ink[];
  widths: Float64Array;
}

/**
 * Draws the branches and buses of one network on the main thread, pixel by pixel: without a graphics card this is
 * several times faster than WebGL or canvas paths in software. The background with the lines stays in memory while only
 * the colours of the buses change.
 */
export class RasterLayer {
  readonly #again: () => void;
  readonly #coarse = document.createElement("canvas");
  #image: ImageData | null = null;
  #pixels: Pixels = { width: 0, height: 0, words: new Uint32Array() };
  /** The picture without the buses, and its inputs. */
  #under = new Uint32Array();
  /** The background alone, and its inputs. */
  #groundWords = new Uint32Array();
  #groundKey: readonly unknown[] = [];
  #underKey: readonly unknown[] = [];
  #geometry: Geometry | null = null;
  #origin = { x: 0, y: 0 };
  readonly #details = new Map<number, Detail>();
  #codes: Uint8Array = new Uint8Array();
  #codesKey: readonly unknown[] = [];
  /** Screen positions, reused by every frame. */
  #placed = new Float64Array();
  #strokes: Strokes = { key: [], inks: [], widths: new Float64Array() };
  /** Recent time of a frame at full resolution, ms. */
  #took = 0;
  /** The background's share of that time. */
  #groundTook = 0;
  #last = -Infinity;
  #timer = 0;

  /** `again` is called when the picture has come to rest and should be redrawn at full resolution. */
  constructor(again: () => void) {
    this.#again = again;
  }

  draw(frame: Frame, context: CanvasRenderingContext2D, size: PictureSize, ground: Ground | null): void {
    const began = performance.now();
    this.#groundTook = 0;
    const moving = began - this.#last < MOVING_MS;
    const coarse = moving && this.#took > SLOW_MS;
    const part = coarse ? COARSE : 1;
    this.#last = began;
    clearTimeout(this.#timer);
    if (coarse) {
      this.#timer = window.setTimeout(this.#again, MOVING_MS);
    }
    const ratio = size.ratio * part;
    this.#resize(Math.ceil(size.width * part), Math.ceil(size.height * part));
    this.#layUnder(frame, context, size, ratio, ground);
    this.#drawBuses(frame, ratio);
    this.#show(context, size, coarse);
    if (!coarse) {
      const own = performance.now() - began - this.#groundTook;
      this.#took = 0.6 * this.#took + 0.4 * own;
    }
  }

  /** Frees the memory; the next frame allocates it again. */
  release(): void {
    clearTimeout(this.#timer);
    this.#image = null;
    this.#pixels = { width: 0, height: 0, words: new Uint32Array() };
    this.#under = new Uint32Array();
    this.#underKey = [];
    this.#groundWords = new Uint32Array();
    this.#details.clear();
    this.#placed = new Float64Array();
    this.#coarse.width = this.#coarse.height = 0;
  }

  #resize(width: number, height: number): void {
    if (this.#image?.width !== width || this.#image.height !== height) {
      this.#image = new ImageData(width, height);
      this.#pixels = { width, height, words: new Uint32Array(this.#image.data.buffer) };
      this.#under = new Uint32Array(width * height);
      this.#underKey = [];
    }
  }

  #show(context: CanvasRenderingContext2D, { width, height }: PictureSize, coarse: boolean): void {
    if (this.#image === null) {
      return;
    }
    const small = coarse ? this.#smallContext() : null;
    if (small === null) {
      context.putImageData(this.#image, 0, 0);
    } else {
      small.putImageData(this.#image, 0, 0);
      context.drawImage(small.canvas, 0, 0, width, height);
    }
  }

  #smallContext(): CanvasRenderingContext2D | null {
    const { width, height } = this.#pixels;
    if (this.#coarse.width !== width || this.#coarse.height !== height) {
      this.#coarse.width = width;
      this.#coarse.height = height;
    }
    return this.#coarse.getContext("2d", { willReadFrequently: true });
  }

  /** Copies the background with the lines into the pixels, from memory if it is unchanged. */
  #layUnder(
    frame: Frame,
    context: CanvasRenderingContext2D,
    size: PictureSize,
    ratio: number,
    ground: Ground | null,
  ): void {
    const { camera, geometry, theme, branches } = frame;
    const marked = markedBranches(frame);
    const key = [geometry, theme, branches, marked.hovered, marked.chosen.join(), ratio, ground?.stamp];
    key.push(...Object.values(camera.view));
    const { words } = this.#pixels;
    if (this.#underKey.length > 0 && key.every((value, k) => value === this.#underKey[k])) {
      words.set(this.#under);
      return;
    }
    const before = performance.now();
    const unfinished = this.#rememberedGround(frame, context, size, ratio, ground);
    this.#groundTook = performance.now() - before;
    this.#drawLines(frame, ratio);
    this.#under.set(words);
    this.#underKey = unfinished ? [] : key;
  }

  /**
   * The background without the lines, from memory if only the lines have changed, as in each step of a playing series.
   */
  #rememberedGround(
    frame: Frame,
    context: CanvasRenderingContext2D,
    size: PictureSize,
    ratio: number,
    ground: Ground | null,
  ): boolean {
    const { words } = this.#pixels;
    const key = [frame.theme, ratio, ground?.stamp, ground === null, ...Object.values(frame.camera.view)];
    const stays = key.every((value, k) => value === this.#groundKey[k]);
    if (stays && this.#groundWords.length === words.length) {
      words.set(this.#groundWords);
      return false;
    }
    const unfinished = this.#layGround(frame, context, size, ground);
    // Not stored while the map moves, because every frame has another background.
    this.#groundWords = stays && !unfinished ? words.slice() : new Uint32Array();
    this.#groundKey = key;
    return unfinished;
  }

  #layGround({ theme }: Frame, context: CanvasRenderingContext2D, size: PictureSize, ground: Ground | null): boolean {
    const { width, height, words } = this.#pixels;
    if (ground === null) {
      words.fill(wordOf(inkOf(theme.ground)));
      return false;
    }
    const whole = width === size.width && height === size.height;
    if (whole && ground.copy(this.#pixels)) {
      return false;
    }
    const unfinished = ground.draw();
    const small = this.#smallContext(); // made for reading back, unlike the canvas of the picture
    small?.drawImage(context.canvas, 0, 0, width, height);
    words.set(new Uint32Array((small ?? context).getImageData(0, 0, width, height).data.buffer));
    return unfinished;
  }

  #drawLines(frame: Frame, ratio: number): void {
    const { camera, geometry, theme } = frame;
    if (geometry.paths.length === 0) {
      return;
    }
    const { segments, passes } = this.#detailOf(frame);
    const ends = this.#onScreen(frame, segments.ends, ratio);
    const zoom = zoomFactor(camera);
    const { inks, widths } = this.#strokesOf(frame, zoom);
    const stroke = (which: readonly number[], widthOf: ((row: number) => number) | null, one: Ink | null): void => {
      for (const k of which) {
        const [row, at] = [segments.rows[k] as number, 4 * k];
        const width = widthOf === null ? (widths[row] as number) : widthOf(row);
        const [ax, ay] = [ends[at] as number, ends[at + 1] as number];
        const [bx, by] = [ends[at + 2] as number, ends[at + 3] as number];
        capsule(this.#pixels, ax, ay, bx, by, 0.5 * ratio * width, one ?? (inks[row] as Ink));
      }
    };
    const wider = (row: number, by: number): number => (widths[row] as number) + by;
    const halo = (row: number): number => wider(row, isSelectedCode(this.#codes[row] ?? 0) ? 8 : 6);
    const casing = inkOf(theme.casing);
    stroke(passes.base, null, null);
    const rim = frame.branches.places === null ? WARNING_RIM : 0;
    const cased = (row: number): number =>
      ((this.#codes[row] ?? 0) & BINDING) === BINDING ? Math.max(casingWidth(zoom), wider(row, 3)) : wider(row, rim);
    stroke(passes.cased, cased, casing);
    stroke(passes.cased, null, null);
    stroke(passes.marked, halo, inkOf(theme.text));
    stroke(passes.marked, (row) => wider(row, 3), casing);
    stroke(passes.marked, (row) => Math.max(1.5, wider(row, 0)), null);
    this.#drawArrows(frame, segments, ratio);
  }

  /** Ink and width, CSS pixels, of every branch. */
  #strokesOf({ theme, branches }: Frame, zoom: number): Strokes {
    const key = [this.#codes, branches, theme, zoom];
    if (key.some((value, k) => value !== this.#strokes.key[k])) {
      const styles = lineStyles(theme, zoom);
      const kinds = [styles.out, styles.calm, styles.warning, styles.binding] as const;
      const [kindInks, placeInks] = [kinds.map(({ colour }) => inkOf(colour)), branches.palette.map(inkOf)];
      const rest = inkOf(theme.branch);
      const widths = new Float64Array(this.#codes.length);
      const inks = Array.from(this.#codes, (code, row) => {
        const kind = code & BINDING;
        const own = placeInks[branches.places?.[row] ?? -1];
        const width = own === undefined || kind === BINDING ? (kinds[kind]?.width ?? 1) : COLOURED_WIDTH * zoom;
        widths[row] = width * (branches.widths?.[row] ?? 1);
        return own ?? kindInks[kind] ?? rest;
      });
      this.#strokes = { key, inks, widths };
    }
    return this.#strokes;
  }

  #drawArrows(frame: Frame, { longest, longestRows }: Segments, ratio: number): void {
    const { camera, theme, branches } = frame;
    if (branches.directions === null) {
      return;
    }
    const ends = this.#onScreen(frame, longest, ratio);
    const size = ratio * arrowSize(camera);
    const ink = inkOf(theme.arrow);
    longestRows.forEach((row, k) => {
      const [ax = 0, ay = 0, bx = 0, by = 0] = ends.subarray(4 * k, 4 * k + 4);
      const direction = branches.directions?.[row] ?? 0;
      const [dx, dy] = [(bx - ax) * direction, (by - ay) * direction];
      const span = Math.hypot(dx, dy);
      if (direction !== 0 && span >= 5 * size) {
        const arrow: Arrow = { x: (ax + bx) / 2, y: (ay + by) / 2, dx: dx / span, dy: dy / span };
        convex(this.#pixels, arrowCorners(arrow, size), ink);
      }
    });
  }

  #drawBuses(frame: Frame, ratio: number): void {
    const { camera, geometry, theme, palette, places, sides, sizes } = frame;
    const { width, height } = this.#pixels;
    const radius = busRadius(frame);
    const rim = busRim(radius, theme);
    const inks = palette.map(inkOf);
    const [idle, rimInk] = [inkOf(theme.idle), inkOf(theme.rim)];
    const most = ratio * (2.2 * radius + rim + 1);
    const { cos, sin, scale, flat } = camera;
    const { x: cx, y: cy } = camera.view;
    const [k, mx, my] = [scale * ratio, (camera.width / 2) * ratio, (camera.height / 2) * ratio];
    for (const edge of rim > 0 ? [rim, 0] : [0]) {
      for (let row = 0; row < places.length; row += 1) {
        const factor = sizes[row] ?? 1;
        if (factor === 0) {
          continue; // another bus represents its substation
        }
        const wx = (geometry.busX[row] as number) - cx;
        const wy = (geometry.busY[row] as number) - cy;
        let x = (cos * wx + sin * wy) * k + mx;
        let y = (cos * wy - sin * wx) * k + my;
        if (!flat) {
          [x, y] = camera.projection.toScreen(wx + cx, wy + cy);
          [x, y] = [ratio * x, ratio * y];
        }
        if (!(x > -most && y > -most && x < width + most && y < height + most)) {
          continue;
        }
        const size = ratio * (radius * factor + edge);
        const ink = edge > 0 ? rimInk : (inks[places[row] ?? -1] ?? idle);
        const side = sides[row] ?? 0;
        if (side === 0) {
          disc(this.#pixels, x, y, size, ink);
        } else {
          convex(this.#pixels, triangle(x, y, size, side), ink);
        }
      }
    }
  }

  /** The segments at the level of detail of the frame, and those of each pass. */
  #detailOf(frame: Frame): Detail {
    const { camera, geometry, branches } = frame;
    if (geometry !== this.#geometry) {
      this.#geometry = geometry;
      const { x0, x1, y0, y1 } = geometry.bounds;
      this.#origin = { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
      this.#details.clear();
    }
    const marked = markedBranches(frame);
    const key = [geometry, branches, marked.hovered, marked.chosen.join()];
    if (key.some((value, k) => value !== this.#codesKey[k])) {
      this.#codesKey = key;
      this.#codes = branchCodes(frame, marked);
    }
    const scale = detailScale(camera.scale);
    let detail = this.#details.get(scale);
    if (detail === undefined) {
      const segments = segmentsOf(geometry, this.#origin, scale);
      detail = { segments, codes: null, passes: { base: [], cased: [], marked: [] } };
      this.#details.set(scale, detail);
    }
    if (detail.codes !== this.#codes) {
      detail.codes = this.#codes;
      detail.passes = segmentsOfPasses(detail.segments.rows, this.#codes);
    }
    return detail;
  }

  /** Converts x, y pairs relative to the origin to pixels of the picture; the result is valid until the next call. */
  #onScreen({ camera }: Frame, points: Float32Array, ratio: number): Float64Array {
    if (!camera.flat) {
      return this.#inPerspective(camera, points, ratio);
    }
    const { cos, sin } = camera;
    const scale = camera.scale * ratio;
    const [left, top] = [camera.view.x - this.#origin.x, camera.view.y - this.#origin.y];
    const [mx, my] = [(camera.width / 2) * ratio, (camera.height / 2) * ratio];
    if (this.#placed.length < points.length) {
      this.#placed = new Float64Array(points.length);
    }
    const placed = this.#placed;
    for (let k = 0; k < points.length; k += 2) {
      const [x, y] = [(points[k] as number) - left, (points[k + 1] as number) - top];
      placed[k] = (cos * x + sin * y) * scale + mx;
      placed[k + 1] = (cos * y - sin * x) * scale + my;
    }
    return placed;
  }

  /** The same for segments of a picture in perspective; NaN where hidden. */
  #inPerspective({ projection }: Frame["camera"], ends: Float32Array, ratio: number): Float64Array {
    if (this.#placed.length < ends.length) {
      this.#placed = new Float64Array(ends.length);
    }
    const [placed, { x, y }] = [this.#placed, this.#origin];
    const segment = new Float64Array(4);
    for (let k = 0; k < ends.length; k += 4) {
      for (let part = 0; part < 4; part += 1) {
        segment[part] = (ends[k + part] as number) + (part % 2 === 0 ? x : y);
      }
      projection.segment(segment, placed, k);
      for (let part = 0; part < 4; part += 1) {
        placed[k + part] = (placed[k + part] as number) * ratio;
      }
    }
    return placed;
  }
}
