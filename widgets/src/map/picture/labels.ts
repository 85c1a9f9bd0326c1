import type { PlaceLabel } from "../basemap/basemap.ts";
import type { Camera } from "../view/camera.ts";
import type { Theme } from "../../ui/theme.ts";

/** A label to place on the picture, in order of importance. */
export interface LabelWish {
  text: string;
  /** Its anchor in the coordinates of the picture. */
  x: number;
  y: number;
  kind: "state" | "place" | "bus";
  /** Free margin around it, pixels. */
  gap: number;
  /** Its distance from the anchor, pixels; 0 centres it there. */
  offset: number;
}

/** A name with its place on the screen: the left end of the text at half its height. */
export interface PlacedLabel extends LabelWish {
  sx: number;
  sy: number;
  /** Its point on the screen. */
  px: number;
  py: number;
  /** Width of the text, pixels, as it was measured. */
  width: number;
  /** The end of the text that stays in place if letters are narrower than measured: that beside its point. */
  anchor: "start" | "middle" | "end";
}

/** Font size by kind, pixels. */
export const LABEL_SIZES = { state: 11, place: 11, bus: 11 } as const;
/** Largest number of labels on screen. */
const MOST_LABELS = 80;
/**
 * Distance beyond the edges within which labels take part, so that a label does not depend on neighbours that just left
 * the screen, pixels.
 */
const BEYOND = 120;
/** Points that are closer than this are one, pixels. */
const SAME_POINT = 0.5;

/** A box on the screen, pixels. */
export interface LabelBox {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** The mark of a bus on the screen: its middle, and half its width and height, pixels. */
export interface LabelMark {
  x: number;
  y: number;
  half: number;
}

/** The room that names leave free. */
export interface Obstacles {
  /** Boxes that no name lies on. */
  taken?: readonly LabelBox[];
  /** Boxes that a name lies on only where it has no other place. */
  avoided?: readonly LabelBox[];
  /** Marks that no name lies on, other than that at its own point. */
  marks?: readonly LabelMark[];
}

/**
 * Chooses the names that fit without overlapping: the first wishes first. `widthOf` measures a text in pixels. Letters are
 * `magnified` against those on the screen.
 */
export function placeLabels<Wish extends LabelWish>(
  wishes: Iterable<Wish>,
  camera: Camera,
  widthOf: (wish: Wish) => number,
  { taken = [], avoided = [], marks = [] }: Obstacles = {},
  magnified = 1,
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
    const spots = spotsOf(wish, px, py, width, magnified);
    const foreign = marks.filter(({ x, y }) => Math.abs(x - px) > SAME_POINT || Math.abs(y - py) > SAME_POINT);
    // Within the picture, so that no name of a visible element is cut off.
    const inside = ({ left, box }: (typeof spots)[number]): boolean =>
      wish.kind !== "bus" || (left >= 0 && box.x1 - wish.gap <= camera.width);
    const free = spots.filter(
      (one) =>
        inside(one) &&
        !boxes.some((other) => overlaps(one.box, other)) &&
        !foreign.some((mark) => overlaps(one.letters, boxOf(mark))),
    );
    const spot = free.find(({ box }) => !avoided.some((other) => overlaps(box, other))) ?? free[0];
    if (spot === undefined) {
      continue;
    }
    boxes.push(spot.box);
    placed.push({ ...wish, sx: spot.left, sy: spot.middle, px, py, width, anchor: spot.anchor });
    if (placed.length >= MOST_LABELS) {
      break;
    }
  }
  return placed;
}

/** A place for a name: the left end and middle of its text, its box with the room around it, and that of the letters. */
interface Spot {
  anchor: PlacedLabel["anchor"];
  left: number;
  middle: number;
  box: LabelBox;
  letters: LabelBox;
}

/**
 * Where a name may go, the best first: that of a bus to its right, to its left, above or below it, that of a place to its right or left,
 * that of a state on its middle.
 */
function spotsOf({ kind, offset, gap }: LabelWish, px: number, py: number, width: number, magnified: number): Spot[] {
  const half = (magnified * LABEL_SIZES[kind]) / 2 + 2;
  const centred = px - width / 2;
  const beyond = offset + half - 3;
  type Place = [anchor: PlacedLabel["anchor"], left: number, middle: number];
  const beside: Place[] = [
    ["start", px + offset, py],
    ["end", px - offset - width, py],
  ];
  const above: Place[] = [
    ["middle", centred, py - beyond],
    ["middle", centred, py + beyond],
  ];
  const places: Place[] =
    kind === "state" ? [["middle", centred, py]] : kind === "place" ? beside : [...beside, ...above];
  return places.map(([anchor, left, middle]) => ({
    anchor,
    left,
    middle,
    box: { x0: left - gap, x1: left + width + gap, y0: middle - half - gap / 2, y1: middle + half + gap / 2 },
    letters: { x0: left, x1: left + width, y0: middle - half + 2, y1: middle + half - 2 },
  }));
}

function boxOf({ x, y, half }: LabelMark): LabelBox {
  return { x0: x - half, x1: x + half, y0: y - half, y1: y + half };
}

function overlaps(a: LabelBox, b: LabelBox): boolean {
  return a.x0 < b.x1 && a.x1 > b.x0 && a.y0 < b.y1 && a.y1 > b.y0;
}

/** The labels of the basemap at a scale, most important first. */
export function* basemapWishes(labels: readonly PlaceLabel[], camera: Camera): Generator<LabelWish> {
  const { scale } = camera;
  const { x0, x1, y0, y1 } = camera.seen(BEYOND);
  // A place is labelled from the scale at which about this many people live on a square of 100 pixels.
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

/** Writes labels on a canvas, each with an outline in the background colour so that it is readable on lines. */
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
    context.strokeStyle = theme.land;
    context.lineWidth = 3;
    // By kind: labels do not overlap, and setting a font takes longer than writing a label.
    for (const one of ["state", "place", "bus"] as const) {
      const own = labels.filter(({ kind }) => kind === one);
      if (own.length > 0) {
        setFont(context, one, theme);
        context.fillStyle = one === "bus" ? theme.text : one === "state" ? theme.stateName : theme.placeName;
      }
      for (const { text, sx, sy, px, py } of own) {
        const [x, y] = [Math.round(sx), Math.round(sy)];
        context.strokeText(text, x, y);
        context.fillText(text, x, y);
        if (one === "place") {
          context.beginPath();
          context.arc(Math.round(px), Math.round(py), 1.8, 0, 2 * Math.PI);
          context.fill();
        }
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
