import type { PlaceLabel } from "../basemap/basemap.ts";
import type { Camera } from "../view/camera.ts";
import type { Theme } from "../../ui/theme.ts";

/** A name to be put on the picture, in the order of importance. */
export interface LabelWish {
  text: string;
  /** Where it belongs, in the coordinates of the picture. */
  x: number;
  y: number;
  kind: "state" | "place" | "bus";
  /** Room to be kept free around it, pixels. */
  gap: number;
  /** Its distance from the point, pixels; 0 puts it on the point itself. */
  offset: number;
}

/** A name with its place on the screen: the middle of the text for states, otherwise its left end. */
export interface PlacedLabel extends LabelWish {
  sx: number;
  sy: number;
}

/** Height of the letters by kind, pixels. */
export const LABEL_SIZES = { state: 11, place: 11, bus: 11 } as const;
/** At most this many names are on screen. */
const MOST_LABELS = 80;
/** Names beyond the edges that take part, so that a name does not come and go with its neighbours there, pixels. */
const BEYOND = 120;

/** A box on the screen, pixels. */
export interface LabelBox {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/**
 * Chooses the names that fit without overlapping: the first wishes first. `widthOf` measures a text in pixels; a `taken` box is
 * kept free.
 */
export function placeLabels(
  wishes: Iterable<LabelWish>,
  camera: Camera,
  widthOf: (wish: LabelWish) => number,
  taken: readonly LabelBox[] = [],
): PlacedLabel[] {
  const boxes = [...taken];
  const placed: PlacedLabel[] = [];
  for (const wish of wishes) {
    const [px, py] = [camera.screenX(wish.x, wish.y), camera.screenY(wish.x, wish.y)];
    const beyond = px < -BEYOND || py < -BEYOND || px > camera.width + BEYOND || py > camera.height + BEYOND;
    if (beyond || !Number.isFinite(px + py)) {
      continue;
    }
    const width = widthOf(wish);
    const left = wish.kind === "state" ? px - width / 2 : px + wish.offset;
    const half = LABEL_SIZES[wish.kind] / 2 + 2;
    const { gap } = wish;
    const box = { x0: left - gap, x1: left + width + gap, y0: py - half - gap / 2, y1: py + half + gap / 2 };
    if (boxes.some((other) => overlaps(box, other))) {
      continue;
    }
    boxes.push(box);
    placed.push({ ...wish, sx: left, sy: py });
    if (placed.length >= MOST_LABELS) {
      break;
    }
  }
  return placed;
}

function overlaps(a: LabelBox, b: LabelBox): boolean {
  return a.x0 < b.x1 && a.x1 > b.x0 && a.y0 < b.y1 && a.y1 > b.y0;
}

/** The names of the basemap that a scale calls for, most important first. */
export function* basemapWishes(labels: readonly PlaceLabel[], camera: Camera): Generator<LabelWish> {
  const { scale } = camera;
  const { x0, x1, y0, y1 } = camera.seen(BEYOND);
  // A place is named from where about this many people live on a square of 100 pixels.
  const least = 60_000 / scale ** 1.35;
  for (const { text, x, y, thousands, size } of labels) {
    if (x < x0 || x > x1 || y < y0 || y > y1) {
      continue;
    }
    if (size > 0) {
      const pixels = size * scale;
      if (pixels > 9 * text.length && pixels < 1800) {
        yield { text: text.toUpperCase(), x, y, kind: "state", gap: 10, offset: 0 };
      }
    } else if (thousands >= least) {
      yield { text, x, y, kind: "place", gap: 14, offset: 5 };
    }
  }
}

/** Writes names on a canvas, each with a rim of the ground so that it stays readable on lines. */
export class LabelPainter {
  readonly #widths = new Map<string, number>();
  #font = "";

  /** Width of a text in pixels. */
  widthOf(context: CanvasRenderingContext2D, { text, kind }: LabelWish, theme: Theme): number {
    if (theme.font !== this.#font) {
      this.#font = theme.font;
      this.#widths.clear();
    }
    const key = `${kind} ${text}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      setFont(context, kind, theme);
      width = context.measureText(text).width;
      this.#widths.set(key, width);
    }
    return width;
  }

  draw(context: CanvasRenderingContext2D, labels: readonly PlacedLabel[], theme: Theme): void {
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    for (const { text, sx, sy, kind, offset } of labels) {
      setFont(context, kind, theme);
      const [x, y] = [Math.round(sx), Math.round(sy)];
      context.strokeStyle = theme.land;
      context.lineWidth = 3;
      context.strokeText(text, x, y);
      context.fillStyle = kind === "bus" ? theme.text : kind === "state" ? theme.stateName : theme.placeName;
      context.fillText(text, x, y);
      if (kind === "place") {
        context.beginPath();
        context.arc(x - offset, y, 1.8, 0, 2 * Math.PI);
        context.fill();
      }
    }
    context.letterSpacing = "0px";
    context.textBaseline = "alphabetic";
  }
}

function setFont(context: CanvasRenderingContext2D, kind: LabelWish["kind"], { font }: Theme): void {
  context.font = `${kind === "bus" ? 500 : 400} ${LABEL_SIZES[kind]}px ${font}`;
  context.letterSpacing = kind === "state" ? "1.5px" : "0px";
}
