import type { BranchLook } from "../colour/branchLook.ts";
import { type Camera, zoomFactor } from "../view/camera.ts";
import type { Geometry } from "../view/geometry.ts";
import { drawGraticule } from "./graticule.ts";
import type { Pixels } from "../raster/pixels.ts";
import { type Ground, RasterLayer } from "../raster/rasterLayer.ts";
import type { Target } from "../view/sceneModel.ts";
import type { Theme } from "../../ui/theme.ts";
import { trans } from "../../text/index.ts";

/** Everything one frame shows. Rows are dense rows. */
export interface Frame {
  geometry: Geometry;
  camera: Camera;
  theme: Theme;
  palette: readonly string[];
  /** Size of every bus as a factor: by voltage level, not by value. */
  sizes: Float32Array;
  /** Place of every bus in the palette, -1 for a bus that takes no part. */
  places: Int16Array;
  /** -1, 0 or 1: below, inside or above the range of the colours. */
  sides: Int8Array;
  branches: BranchLook;
  /** The element under the pointer, and those selected, the primary one last: with a ring or a halo. */
  hovered: Target | null;
  selection: readonly Target[];
  /** Whether meridians and parallels lie behind it, for placing a network. */
  graticule: boolean;
}

/** What else lies in a picture: behind the network, the network itself where something faster draws it, and names. */
export interface PictureParts {
  /** What is behind the network: null for nothing, otherwise another value when it looks otherwise. */
  readonly ground?: number | null;
  /** Draws what is behind the network, device pixels; true when it will soon look better. */
  behind?(context: CanvasRenderingContext2D, frame: Frame, size: PictureSize): boolean;
  /** Copies what is behind the network into pixels of that size, where it is in memory. */
  copyBehind?(pixels: Pixels, frame: Frame, size: PictureSize): boolean;
  /** Draws lines and buses over what is on the canvas, where `accelerated` says that it can. */
  network?(context: CanvasRenderingContext2D, frame: Frame, size: PictureSize): void;
  accelerated?(): boolean;
  /** Draws what is in front, CSS pixels. */
  before?(context: CanvasRenderingContext2D, frame: Frame): void;
}

/** Size of a picture in device pixels, and how many of them a CSS pixel has. */
export interface PictureSize {
  width: number;
  height: number;
  ratio: number;
}

/** Draws frames on a canvas at the resolution of the screen. */
export class Picture {
  readonly canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #raster: RasterLayer;
  readonly #parts: PictureParts;
  #pixelRatio = 1;

  /** `again` is called when the picture is to be drawn once more. */
  constructor(canvas: HTMLCanvasElement, parts: PictureParts, again: () => void) {
    const context = canvas.getContext("2d");
    if (context === null) {
      throw new Error(trans.__("This browser gives no canvas to draw on."));
    }
    this.canvas = canvas;
    this.#context = context;
    this.#parts = parts;
    this.#raster = new RasterLayer(again);
  }

  /** Takes the size of the picture in CSS pixels. */
  resize(width: number, height: number): void {
    this.#pixelRatio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * this.#pixelRatio);
    this.canvas.height = Math.round(height * this.#pixelRatio);
  }

  /** Gives back what only the next frame needs; the picture stays. */
  release(): void {
    this.#raster.release();
  }

  draw(frame: Frame): void {
    const context = this.#context;
    const { width, height } = this.canvas;
    const ratio = this.#pixelRatio;
    const size = { width, height, ratio };
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (this.#parts.accelerated?.() === true) {
      this.#ground(frame, size);
      this.#parts.network?.(context, frame, size);
    } else {
      const { ground: behind = null } = this.#parts;
      const ground: Ground = {
        stamp: frame.graticule ? `${String(behind)} with degrees` : behind,
        copy: (pixels) => !frame.graticule && (this.#parts.copyBehind?.(pixels, frame, size) ?? false),
        draw: () => this.#ground(frame, size),
      };
      this.#raster.draw(frame, context, size, behind === null && !frame.graticule ? null : ground);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.lineCap = "round";
    context.lineJoin = "round";
    this.#busRings(frame);
    this.#parts.before?.(context, frame);
  }

  #ground(frame: Frame, size: PictureSize): boolean {
    const context = this.#context;
    context.fillStyle = frame.theme.ground;
    context.fillRect(0, 0, size.width, size.height);
    const unfinished = this.#parts.behind?.(context, frame, size) ?? false;
    if (frame.graticule) {
      context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
      drawGraticule(context, frame.camera, frame.theme);
      context.setTransform(1, 0, 0, 1, 0, 0);
    }
    return unfinished;
  }

  /** Rings around the bus under the pointer and the selected ones. */
  #busRings(frame: Frame): void {
    const { geometry, camera, theme, sizes } = frame;
    for (const [row, width] of marked(frame, "bus")) {
      const [wx, wy] = [geometry.busX[row] ?? NaN, geometry.busY[row] ?? NaN];
      const [x, y] = [camera.screenX(wx, wy), camera.screenY(wx, wy)];
      this.#context.beginPath();
      this.#context.arc(x, y, busRadius(frame) * (sizes[row] ?? 1) + 3.5, 0, 2 * Math.PI);
      this.#stroke(theme.casing, width + 2.5);
      this.#stroke(theme.text, width);
    }
  }

  #stroke(colour: string, width: number): void {
    this.#context.strokeStyle = colour;
    this.#context.lineWidth = width;
    this.#context.stroke();
  }
}

/** Rows of the elements of a kind under the pointer and selected, with the width of the mark around them. */
export function marked(
  { hovered, selection }: Pick<Frame, "hovered" | "selection">,
  kind: Target["kind"],
): [row: number, width: number][] {
  const marks = [
    ...(hovered === null ? [] : [[hovered, 1.5] as const]),
    ...selection.map((one) => [one, 2.5] as const),
  ];
  return marks.flatMap(([element, width]) => (element.kind === kind ? [[element.row, width]] : []));
}

/** Radius of a bus in CSS pixels: by the room there is, and slowly growing with the zoom. */
export function busRadius({ camera, geometry }: Pick<Frame, "camera" | "geometry">): number {
  const room = Math.sqrt((camera.width * camera.height) / Math.max(1, geometry.busX.length));
  return Math.max(1.5, Math.min(7, 0.13 * room)) * zoomFactor(camera);
}

/** Width of the rim around a bus of a radius, pixels. The smallest have none, unless the theme asks for strong contrasts. */
export function busRim(radius: number, { contrast }: Pick<Theme, "contrast">): number {
  return radius < 2 && !contrast ? 0 : Math.min(1.2, 0.35 * radius);
}

/** Sizes by the rank of the voltage level: the lowest level 0.8, the highest 1.35, a single level 1. */
export function busSizes(baseKv: readonly number[]): Float32Array {
  const levels = [...new Set(baseKv)].sort((a, b) => a - b);
  const steps = levels.length - 1;
  return Float32Array.from(baseKv, (kv) => (steps === 0 ? 1 : 0.8 + (0.55 * levels.indexOf(kv)) / steps));
}

/** Corners of the mark of a bus whose value lies outside the range: upwards for side 1, downwards for -1. */
export function triangle(x: number, y: number, radius: number, side: number): [x: number, y: number][] {
  const size = 1.45 * radius * side;
  return [
    [x, y - size],
    [x + 0.87 * size, y + 0.5 * size],
    [x - 0.87 * size, y + 0.5 * size],
  ];
}
