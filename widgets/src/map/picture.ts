import { type BranchLook, classOf } from "./branchLook.ts";
import { type Camera, zoomFactor } from "./camera.ts";
import type { Geometry } from "./geometry.ts";
import { drawGraticule } from "./graticule.ts";
import { LineLayer, lineStyles, trace } from "./lineLayer.ts";
import type { Target } from "./stageSubject.ts";
import type { Theme } from "./theme.ts";

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
  /** Draws what is behind the network, device pixels. */
  behind?(context: CanvasRenderingContext2D, frame: Frame, size: PictureSize): void;
  /** Draws lines and buses; false leaves them to the canvas. */
  network?(context: CanvasRenderingContext2D, frame: Frame, size: PictureSize): boolean;
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
  readonly #lines = new LineLayer();
  readonly #parts: PictureParts;
  #pixelRatio = 1;

  constructor(canvas: HTMLCanvasElement, parts: PictureParts = {}) {
    const context = canvas.getContext("2d");
    if (context === null) {
      throw new Error("This browser gives no canvas to draw on.");
    }
    this.canvas = canvas;
    this.#context = context;
    this.#parts = parts;
  }

  /** Takes the size of the picture in CSS pixels. */
  resize(width: number, height: number): void {
    this.#pixelRatio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * this.#pixelRatio);
    this.canvas.height = Math.round(height * this.#pixelRatio);
  }

  /** Gives back what only the next frame needs; the picture stays. */
  release(): void {
    this.#lines.release();
  }

  draw(frame: Frame): void {
    const context = this.#context;
    const { width, height } = this.canvas;
    const ratio = this.#pixelRatio;
    const size = { width, height, ratio };
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    this.#parts.behind?.(context, frame, size);
    if (frame.graticule) {
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawGraticule(context, frame.camera, frame.theme);
      context.setTransform(1, 0, 0, 1, 0, 0);
    }
    const drawn = this.#parts.network?.(context, frame, size) ?? false;
    if (!drawn) {
      context.drawImage(this.#lines.at(frame, width, height, ratio), 0, 0);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.lineCap = "round";
    context.lineJoin = "round";
    if (!drawn) {
      this.#lineHalos(frame);
      this.#buses(frame);
    }
    this.#busRings(frame);
    this.#parts.before?.(context, frame);
  }

  #buses(frame: Frame): void {
    const { geometry, camera, theme, palette, places } = frame;
    const context = this.#context;
    const radius = busRadius(frame);
    const byPlace = new Map<number, number[]>();
    places.forEach((place, row) => {
      const x = camera.screenX(geometry.busX[row] ?? NaN);
      const y = camera.screenY(geometry.busY[row] ?? NaN);
      if (x > -radius && y > -radius && x < camera.width + radius && y < camera.height + radius) {
        const rows = byPlace.get(place);
        if (rows === undefined) {
          byPlace.set(place, [row]);
        } else {
          rows.push(row);
        }
      }
    });
    context.beginPath();
    for (const rows of byPlace.values()) {
      this.#marks(frame, rows, radius, busRim(radius, theme));
    }
    context.fillStyle = theme.rim;
    context.fill();
    for (const [place, rows] of byPlace) {
      context.beginPath();
      this.#marks(frame, rows, radius, 0);
      context.fillStyle = palette[place] ?? theme.idle;
      context.fill();
    }
  }

  #marks({ geometry, camera, sides, sizes }: Frame, rows: number[], radius: number, edge: number): void {
    for (const row of rows) {
      const x = camera.screenX(geometry.busX[row] ?? NaN);
      const y = camera.screenY(geometry.busY[row] ?? NaN);
      mark(this.#context, x, y, radius * (sizes[row] ?? 1) + edge, sides[row] ?? 0);
    }
  }

  /** Rings around the bus under the pointer and the selected ones. */
  #busRings(frame: Frame): void {
    const { geometry, camera, theme, sizes } = frame;
    for (const [row, width] of marked(frame, "bus")) {
      const [x, y] = [camera.screenX(geometry.busX[row] ?? NaN), camera.screenY(geometry.busY[row] ?? NaN)];
      this.#context.beginPath();
      this.#context.arc(x, y, busRadius(frame) * (sizes[row] ?? 1) + 3.5, 0, 2 * Math.PI);
      this.#stroke(theme.casing, width + 2.5);
      this.#stroke(theme.text, width);
    }
  }

  /** Halos around the line under the pointer and the selected ones, which keep their own colour. */
  #lineHalos(frame: Frame): void {
    const { geometry, camera, theme, branches } = frame;
    const styles = lineStyles(theme, zoomFactor(camera));
    for (const [row, width] of marked(frame, "branch")) {
      const own = styles[classOf(branches, row)];
      const colour = branches.palette[branches.places?.[row] ?? -1] ?? own.colour;
      this.#context.beginPath();
      trace(this.#context, camera, geometry.paths[row]);
      this.#stroke(theme.text, own.width + 3 + 2 * width);
      this.#stroke(theme.casing, own.width + 3);
      this.#stroke(colour, Math.max(1.5, own.width));
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

/** A disc; a triangle upwards above the range of the colours, downwards below it. */
function mark(context: CanvasRenderingContext2D, x: number, y: number, radius: number, side: number): void {
  if (side === 0) {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
    return;
  }
  triangle(x, y, radius, side).forEach(([px, py], k) => (k === 0 ? context.moveTo(px, py) : context.lineTo(px, py)));
  context.closePath();
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
