import { lengthText, scaleLength } from "../chrome/scaleBar.ts";
import { GLOBE_EDGE } from "../perspective/globeDisc.ts";
import { basemapStrata, meets } from "../basemap/basemapStyle.ts";
import { type Camera, zoomFactor } from "../view/camera.ts";
import { LABEL_SIZES, type LabelBox, type LabelMark, type PlacedLabel, placeLabels } from "../picture/labels.ts";
import type { LegendContent } from "../colour/legend.ts";
import { arrowCorners, arrowsOf, arrowSize, lineStrata } from "../picture/lineStyles.ts";
import type { Theme } from "../../ui/theme.ts";
import { trans } from "../../text/index.ts";
import type { Frame, SavedGround } from "../picture/frame.ts";
import { busRadius, busRim, TRIANGLE, triangle } from "../picture/busMarks.ts";
import { LINK_DASHES, LINK_RIMS, linkMarks } from "../picture/linkMarks.ts";
import { switchMarks } from "../picture/switchMarks.ts";
import { FIELD_OPACITY, type FieldImage } from "../contour/contour.ts";
import { fieldInPerspective } from "../perspective/field.ts";
import { GENERATOR_LINE, type GeneratorSquare, generatorSquares } from "../picture/generatorMarks.ts";
import { legendGroup } from "./svgLegend.ts";
import { proposalGroup } from "./svgProposal.ts";
import type { Overlay } from "../overlay/overlay.ts";
import { overlayGroup } from "./svgOverlay.ts";
import { px, wrapped, xmlText } from "./svgText.ts";
import { way, wayOnScreen } from "./svgWay.ts";

/** The content of a saved picture. */
export interface SavedPicture {
  frame: Frame;
  labels: readonly PlacedLabel[];
  legend: LegendContent | null;
  ground: SavedGround;
  /** The user's layers between basemap and network. */
  overlays?: readonly Overlay[];
  title: string;
  /** Lines above the picture, the first one as its heading; empty without a caption. */
  caption: readonly string[];
  /** Sentences at the lower right, besides the basemap's attribution. */
  notes: readonly string[];
  /** Whether it is cropped to the network, with the legend below. */
  crop?: boolean;
  /** Width on paper, cm, at which letters have their screen size; without it the picture is for a screen. */
  widthCm?: number | undefined;
}

/** CSS pixels per centimetre. */
const PX_PER_CM = 96 / 2.54;
/** Pixels per inch of images on paper. */
const PAPER_DPI = 300;
/** Largest magnification of a field's image. */
const MOST_MAGNIFIED = 16;
/** Largest share of the width for a legend on the picture; a wider one is placed below. */
const MOST_LEGEND = 0.4;

/**
 * The picture on the screen as SVG: lines and discs that can be scaled and edited, with caption, legend, scale and
 * sources. Its size is that of the screen, or of the network on it, plus the caption.
 */
export function svgPicture(picture: SavedPicture): { text: string; width: number; height: number } {
  const { frame, labels, legend, ground, overlays = [], title, caption, notes, crop = false } = picture;
  const { camera, theme } = frame;
  const { drawn, attribution, onMap } = ground;
  const key = legend === null ? null : legendGroup(legend, theme);
  const box = crop
    ? networkBox(frame)
    : { x: 0, y: 0, width: Math.round(camera.width), height: Math.round(camera.height) };
  const { width } = box;
  // Magnification of letters, legend, caption and notes relative to the screen, so that they have their screen size on
  // paper.
  const magnified = picture.widthCm === undefined ? 1 : width / (picture.widthCm * PX_PER_CM);
  // Image pixels per screen pixel; 0 leaves smoothing to the screen.
  const density = picture.widthCm === undefined ? 0 : PAPER_DPI / 96 / magnified;
  const isBelow = key !== null && (crop || magnified * key.width > MOST_LEGEND * width);
  const keyHeight = key === null ? 0 : magnified * (key.height + 2 * EDGE);
  const sentences = wrapped(
    (attribution === "" ? notes : [...notes, attribution]).join(". "),
    lettersIn(width / magnified),
  );
  const sentencesHeight = magnified * CAPTION.line * sentences.length;
  const height = box.height + (isBelow ? Math.round(keyHeight + sentencesHeight) : 0);
  const corner = { x1: box.x + width, y1: box.y + box.height };
  const letters = isBelow ? SCALE_LETTERS : Math.max(SCALE_LETTERS, ...sentences.map((line) => line.length));
  const scaleHeight = magnified * NOTES + (isBelow ? 0 : sentencesHeight);
  const onPicture: LabelBox[] = [
    { ...corner, x0: corner.x1 - magnified * CAPTION.letter * letters, y0: corner.y1 - scaleHeight },
    ...(key === null || isBelow
      ? []
      : [{ ...corner, x0: 0, x1: magnified * (key.width + EDGE), y0: corner.y1 - keyHeight }]),
  ];
  const isCut = crop || picture.widthCm !== undefined; // names that cross an edge of the paper are left out
  const names = placeLabels(
    labels,
    camera,
    // Letters of another font may be wider than those that the screen has measured.
    ({ kind, text, width }) => magnified * Math.max(width, LETTER[kind] * text.length),
    { taken: onPicture, marks: shownBuses(frame).map(({ x, y, half }): LabelMark => ({ x, y, half })) },
    magnified,
  );
  const font = theme.font.replaceAll('"', "'");
  const parts = [
    `<rect width="${camera.width}" height="${camera.height}" fill="${drawn === null || camera.round ? theme.ground : theme.water}"/>`,
    ...(drawn === null ? [] : [groundGroup(drawn, camera, theme)]),
    ...(camera.round ? [globeEdge(camera, theme)] : []),
    ...overlays.map((overlay) => overlayGroup(overlay, camera)),
    ...(frame.field ? [fieldGroup(frame.field, camera, density)] : []),
    linesGroup(frame),
    linksGroup(frame),
    switchesGroup(frame),
    busesGroup(frame),
    generatorsGroup(frame),
    ...(frame.proposed?.length ? [proposalGroup(frame, magnified)] : []),
    labelsGroup(isCut ? names.filter((label) => within(label, box, magnified)) : names, theme, magnified),
  ];
  const around = [
    ...(height > box.height
      ? [`<rect y="${box.height}" width="${width}" height="${height - box.height}" fill="${theme.ground}"/>`]
      : []),
    ...(key === null
      ? []
      : [
          `<g transform="translate(${px(magnified * EDGE)} ${px((isBelow ? box.height : height - keyHeight) + magnified * EDGE)})${scaled(magnified)}">${key.text}</g>`,
        ]),
    `<g transform="translate(0 0)${scaled(magnified)}">`,
    notesGroup(sentences, onMap ? camera : null, theme, {
      ...{
        width: width / magnified,
        height: height / magnified,
        magnified,
        scaleAt: isBelow ? box.height / magnified : null,
      },
    }),
    `</g>`,
  ];
  const head = captionGroup(caption, theme, width / magnified);
  const above = Math.round(magnified * head.height);
  const tall = height + above;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${tall}" viewBox="0 0 ${width} ${tall}" ` +
    `font-family="${font}" font-size="11">\n<title>${xmlText(title)}</title>\n` +
    `<g transform="translate(0 ${above})">\n<g transform="translate(${-box.x} ${-box.y})">\n${parts.join("\n")}\n</g>\n` +
    `${around.join("\n")}\n</g>\n<g transform="translate(0 0)${scaled(magnified)}">\n${head.text}</g>\n</svg>\n`;
  return { text: svg, width, height: tall };
}

/** Distance between the legend and the edges, and around a cropped network, pixels. */
const EDGE = 8;
const AROUND = 24;
/** Smallest width of a picture, with room for legend and notes, pixels. */
const LEAST_WIDTH = 420;

/** Mean letter width of a label, and the height of scale and notes at the lower edge, pixels. */
const LETTER = { state: 9, place: 6.4, bus: 6.4 } as const;
const NOTES = 38;

/** Whether a name lies within a box, above the notes there. */
function within({ width, sx, sy }: PlacedLabel, box: Box, magnified: number): boolean {
  const [x, y] = [sx - box.x, sy - box.y];
  return x >= 10 && x + width <= box.width && y >= 8 * magnified && y <= box.height - NOTES * magnified;
}

/** A scaling transform, appended to another one. */
const scaled = (factor: number): string => (factor === 1 ? "" : ` scale(${Number(factor.toFixed(4))})`);

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The part of the screen with buses, plus a margin, in whole pixels. */
function networkBox({ geometry, camera }: Frame): Box {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (let row = 0; row < geometry.busX.length; row += 1) {
    const [wx, wy] = [geometry.busX[row] ?? NaN, geometry.busY[row] ?? NaN];
    const [x, y] = [camera.screenX(wx, wy), camera.screenY(wx, wy)];
    if (x >= 0 && y >= 0 && x <= camera.width && y <= camera.height) {
      box.x0 = Math.min(box.x0, x);
      box.x1 = Math.max(box.x1, x);
      box.y0 = Math.min(box.y0, y);
      box.y1 = Math.max(box.y1, y);
    }
  }
  if (box.x0 > box.x1) {
    return { x: 0, y: 0, width: Math.round(camera.width), height: Math.round(camera.height) };
  }
  const wide = Math.min(camera.width, Math.max(box.x1 - box.x0 + 2 * AROUND, LEAST_WIDTH));
  const x = Math.round(Math.max(0, Math.min(camera.width - wide, (box.x0 + box.x1 - wide) / 2)));
  const y = Math.round(Math.max(0, box.y0 - AROUND));
  return { x, y, width: Math.round(wide), height: Math.round(Math.min(camera.height, box.y1 + AROUND)) - y };
}

/** Sizes of the caption, and the mean width of a letter, pixels. */
const CAPTION = { padding: 10, line: 15, heading: 13, letter: 6 };

/** Mean number of letters in a line of a width, pixels. */
const lettersIn = (width: number): number => Math.max(20, Math.floor((width - 2 * CAPTION.padding) / CAPTION.letter));
/** Width of scale and north mark in letters. */
const SCALE_LETTERS = 32;

/** A band above the picture, which covers what is drawn beyond the picture's upper edge. */
function captionGroup(caption: readonly string[], theme: Theme, width: number): { text: string; height: number } {
  if (caption.length === 0) {
    return { text: "", height: 0 };
  }
  const most = lettersIn(width);
  const [heading = "", ...rest] = caption;
  const lines = rest.flatMap((line) => wrapped(line, most));
  const height = CAPTION.padding + CAPTION.heading + CAPTION.line * lines.length + CAPTION.padding;
  const y = (k: number): number => CAPTION.padding + CAPTION.heading + CAPTION.line * k;
  const texts = lines.map((line, k) => {
    return `<text x="${CAPTION.padding}" y="${y(k + 1)}" fill="${theme.muted}">${xmlText(line)}</text>`;
  });
  const first = `<text x="${CAPTION.padding}" y="${y(0)}" font-size="${CAPTION.heading}" font-weight="600">${xmlText(heading)}</text>`;
  const ground = `<rect width="${width}" height="${height}" fill="${theme.ground}"/>`;
  return { text: `<g id="caption" fill="${theme.text}">${ground}\n${[first, ...texts].join("\n")}\n</g>\n`, height };
}

/** The basemap as shapes, or as an image. */
function groundGroup(drawn: NonNullable<SavedGround["drawn"]>, camera: Camera, theme: Theme): string {
  if ("image" in drawn) {
    return `<image id="basemap" width="${camera.width}" height="${camera.height}" href="${drawn.image}"/>`;
  }
  const { basemap, counties } = drawn;
  const box = camera.seen();
  const groups = basemapStrata(basemap, counties, camera, theme).map(({ shapes, fill, stroke, width }) => {
    const seen = shapes.filter((shape) => meets(shape, box));
    const paths = seen.map(({ rings }) =>
      rings.map((ring) => way(clipped(ring, box, fill !== null), camera, fill !== null)).join(""),
    );
    const style =
      fill === null
        ? `fill="none" stroke="${stroke}" stroke-width="${px(width)}" stroke-linejoin="round"`
        : `fill="${fill}" fill-rule="evenodd"`;
    return `<g ${style}>${paths
      .filter(Boolean)
      .map((d) => `<path d="${d}"/>`)
      .join("")}</g>`;
  });
  const edge = camera.round ? wayOnScreen(camera.projection.edge(), true) : "";
  const globe = edge === "" ? [] : [`<path d="${edge}" fill="${theme.water}"/>`];
  return `<g id="basemap">\n${[...globe, ...groups].join("\n")}\n</g>`;
}

function globeEdge(camera: Camera, theme: Theme): string {
  const edge = wayOnScreen(camera.projection.edge(), true);
  return `<path id="globe" d="${edge}" fill="none" stroke="${theme.border}" stroke-width="${GLOBE_EDGE}"/>`;
}

/**
 * A ring or line without most of what lies far outside a box: runs of points beyond one edge, past a margin, are
 * reduced to their two ends. The part inside does not change.
 */
function clipped(
  ring: Float64Array,
  box: { x0: number; y0: number; x1: number; y1: number },
  area: boolean,
): Float64Array {
  const [wide, tall] = [box.x1 - box.x0, box.y1 - box.y0];
  const side = (k: number): number => {
    const [x, y] = [ring[k] ?? 0, ring[k + 1] ?? 0];
    return x < box.x0 - wide ? 1 : x > box.x1 + wide ? 2 : y < box.y0 - tall ? 3 : y > box.y1 + tall ? 4 : 0;
  };
  const remaining: number[] = [];
  for (let k = 0; k < ring.length; k += 2) {
    const own = side(k);
    const inRun = own !== 0 && k > 0 && k + 2 < ring.length && side(k - 2) === own && side(k + 2) === own;
    if (!inRun) {
      remaining.push(ring[k] ?? NaN, ring[k + 1] ?? NaN);
    }
  }
  return area || remaining.length > 2 ? Float64Array.from(remaining) : new Float64Array();
}

function linesGroup(frame: Frame): string {
  const { geometry, camera, theme, branches, selection } = frame;
  const strata = lineStrata(branches, theme, zoomFactor(camera)).map(({ rows, colour, width, kind }) => {
    const d = rows.map((row) => way(geometry.paths[row] ?? new Float64Array(), camera)).join("");
    return d === "" ? "" : `<path class="${kind}" stroke="${colour}" stroke-width="${px(width)}" d="${d}"/>`;
  });
  const halos = selection
    .filter(({ kind }) => kind === "branch")
    .map(({ row }) => {
      const d = way(geometry.paths[row] ?? new Float64Array(), camera);
      return `<path stroke="${theme.text}" stroke-width="9" stroke-opacity="0.35" d="${d}"/>`;
    });
  const arrows = arrowsOf(frame).map((arrow) => {
    const corners = arrowCorners(arrow, arrowSize(camera)).map(([x, y]) => `${px(x)} ${px(y)}`);
    return `M${corners.join("L")}Z`;
  });
  return [
    `<g id="lines" fill="none" stroke-linecap="round" stroke-linejoin="round">`,
    ...halos,
    ...strata.filter(Boolean),
    `</g>`,
    ...(arrows.length > 0 ? [`<path id="arrows" fill="${theme.arrow}" d="${arrows.join("")}"/>`] : []),
  ].join("\n");
}

/** The links as on the screen; empty without links. */
function linksGroup(frame: Frame): string {
  const marks = linkMarks(frame);
  if (marks.length === 0) {
    return "";
  }
  const { theme, selection } = frame;
  const chosen = new Set(selection.filter(({ kind }) => kind === "link").map(({ row }) => row));
  const links = marks.map(({ row, ways, colour, width, arrow }) => {
    const d = ways.map((points) => wayOnScreen(points, false)).join("");
    const head = arrow === null ? "" : `M${arrow.map(([x, y]) => `${px(x)} ${px(y)}`).join("L")}Z`;
    return [
      ...(chosen.has(row)
        ? [`<path stroke="${theme.text}" stroke-width="${px(width + LINK_RIMS.halo)}" stroke-opacity="0.35" d="${d}"/>`]
        : []),
      `<path stroke="${theme.casing}" stroke-width="${px(width + LINK_RIMS.casing)}" d="${d}"/>`,
      `<path stroke="${colour}" stroke-width="${px(width)}" stroke-dasharray="${LINK_DASHES.join(" ")}" d="${d}"/>`,
      ...(head === ""
        ? []
        : [
            `<path stroke="${theme.casing}" stroke-width="${px(LINK_RIMS.casing)}" d="${head}"/>`,
            `<path fill="${colour}" d="${head}"/>`,
          ]),
    ].join("");
  });
  return `<g id="links" fill="none" stroke-linejoin="round">\n${links.join("\n")}\n</g>`;
}

/** The switches as on the screen; empty without switches. */
function switchesGroup(frame: Frame): string {
  const { theme } = frame;
  const marks = switchMarks(frame).map(({ open, corners, outline }) => {
    const d = `M${corners.map(([x, y]) => `${px(x)} ${px(y)}`).join("L")}Z`;
    return [
      `<path stroke="${theme.casing}" stroke-width="${px(3 * outline)}" d="${d}"/>`,
      `<path fill="${open ? theme.ground : theme.text}" stroke="${theme.text}" stroke-width="${px(outline)}" d="${d}"/>`,
    ].join("");
  });
  return marks.length === 0 ? "" : `<g id="switches" fill="none">\n${marks.join("\n")}\n</g>`;
}

/** A bus of the picture: the centre and size of its mark, and half of its extent with its outline or, if selected, its ring. */
interface ShownBus {
  row: number;
  x: number;
  y: number;
  size: number;
  half: number;
  side: number;
  chosen: boolean;
}

function shownBuses(frame: Frame): ShownBus[] {
  const { geometry, camera, theme, places, sides, sizes, selection } = frame;
  const radius = busRadius(frame);
  const selected = new Set(selection.filter(({ kind }) => kind === "bus").map(({ row }) => row));
  return [...places.keys()].flatMap((row) => {
    const [wx, wy] = [geometry.busX[row] ?? NaN, geometry.busY[row] ?? NaN];
    const [x, y] = [camera.screenX(wx, wy), camera.screenY(wx, wy)];
    const factor = sizes[row] ?? 1;
    const chosen = selected.has(row);
    const hidden = factor === 0 && !chosen; // another bus of its substation stands for it
    if (hidden || !(x > -radius && y > -radius && x < camera.width + radius && y < camera.height + radius)) {
      return [];
    }
    const size = radius * (factor || 1);
    const side = sides[row] ?? 0;
    const half = (side === 0 ? size : TRIANGLE * size) + (chosen ? RING + RING_WIDTH / 2 : busRim(radius, theme));
    return [{ row, x, y, size, half, side, chosen }];
  });
}

/** Distance of the ring around a selected bus from its mark, and its width, pixels. */
const RING = 3.5;
const RING_WIDTH = 2.5;

function busesGroup(frame: Frame): string {
  const { theme, palette, places } = frame;
  const radius = busRadius(frame);
  const marks: string[] = [];
  const rings: string[] = [];
  for (const { row, x, y, size, side, chosen } of shownBuses(frame)) {
    const fill = palette[places[row] ?? -1] ?? theme.idle;
    marks.push(
      side === 0
        ? `<circle cx="${px(x)}" cy="${px(y)}" r="${px(size)}" fill="${fill}"/>`
        : `<path d="M${triangle(x, y, size, side)
            .map(([a, b]) => `${px(a)} ${px(b)}`)
            .join("L")}Z" fill="${fill}"/>`,
    );
    if (chosen) {
      rings.push(`<circle cx="${px(x)}" cy="${px(y)}" r="${px(size + RING)}"/>`);
    }
  }
  return [
    // All outlines are below all marks, as on the screen: the same marks once more, stroked.
    `<use href="#buses" stroke="${theme.rim}" stroke-width="${px(2 * busRim(radius, theme))}"/>`,
    `<g id="buses">`,
    ...marks,
    `</g>`,
    ...(rings.length > 0
      ? [`<g fill="none" stroke="${theme.text}" stroke-width="${RING_WIDTH}">${rings.join("")}</g>`]
      : []),
  ].join("\n");
}

/** The field between the buses: an image of its cells, which the viewer smooths. */
function fieldGroup({ image: cells, box }: FieldImage, camera: Camera, density: number): string {
  if (!camera.flat) {
    const seen = fieldInPerspective({ image: cells, box }, camera, Math.max(1, density)).toDataURL("image/png");
    return `<image id="field" width="${camera.width}" height="${camera.height}" opacity="${FIELD_OPACITY}" href="${seen}"/>`;
  }
  const image = magnifiedCells(
    cells,
    Math.abs(camera.screenX(box.x1, box.y0) - camera.screenX(box.x0, box.y0)) * density,
  );
  const [ox, oy] = [camera.screenX(box.x0, box.y0), camera.screenY(box.x0, box.y0)];
  const to = (x: number, y: number, count: number): [string, string] => [
    ((camera.screenX(x, y) - ox) / count).toFixed(5),
    ((camera.screenY(x, y) - oy) / count).toFixed(5),
  ];
  const [a, b] = to(box.x1, box.y0, image.width);
  const [c, d] = to(box.x0, box.y1, image.height);
  return (
    `<image id="field" width="${image.width}" height="${image.height}" opacity="${FIELD_OPACITY}" ` +
    `transform="matrix(${a} ${b} ${c} ${d} ${px(ox)} ${px(oy)})" href="${image.toDataURL("image/png")}"/>`
  );
}

/**
 * An image at least this many pixels wide, interpolated between the centres of its cells, for viewers that do not
 * smooth.
 */
function magnifiedCells(cells: HTMLCanvasElement, width: number): HTMLCanvasElement {
  const factor = Math.min(MOST_MAGNIFIED, Math.ceil(width / cells.width));
  if (factor <= 1) {
    return cells;
  }
  const image = document.createElement("canvas");
  [image.width, image.height] = [factor * cells.width, factor * cells.height];
  const context = image.getContext("2d");
  if (context === null) {
    return cells;
  }
  context.imageSmoothingQuality = "high";
  context.drawImage(cells, 0, 0, image.width, image.height);
  return image;
}

/** The symbols of generators, as on the screen; empty without symbols. */
function generatorsGroup(frame: Frame): string {
  const squares = generatorSquares(frame);
  if (squares.length === 0) {
    return "";
  }
  const { side, rim } = GENERATOR_LINE;
  const box = ({ x, y, half }: GeneratorSquare): string =>
    `x="${px(x - half)}" y="${px(y - half)}" width="${px(2 * half)}" height="${px(2 * half)}"`;
  const marks = squares.map((square) => {
    const { x, y, half, colour, running } = square;
    const bottom =
      running > 0
        ? `<rect x="${px(x - half)}" y="${px(y + half - 1)}" width="${px(2 * half * Math.min(1, running))}" height="3.4" fill="${colour}"/>`
        : "";
    return (
      `<rect ${box(square)} fill="none" stroke="${frame.theme.casing}" stroke-width="${px(side + rim)}"/>` +
      `<rect ${box(square)} fill="none" stroke="${colour}" stroke-width="${px(side)}"/>${bottom}`
    );
  });
  return `<g id="generators">\n${marks.join("\n")}\n</g>`;
}

function labelsGroup(labels: readonly PlacedLabel[], theme: Theme, magnified: number): string {
  const texts = labels.map((label) => {
    const { text, sx, sy, kind, width, anchor } = label;
    const fill = kind === "bus" ? theme.text : kind === "state" ? theme.stateName : theme.placeName;
    const spacing = kind === "state" ? ` letter-spacing="${px(1.5 * magnified)}"` : "";
    const dot = kind === "place" ? `<circle cx="${px(label.px)}" cy="${px(label.py)}" r="1.8" fill="${fill}"/>` : "";
    const along = { start: 0, middle: width / 2, end: width }[anchor];
    const at = `x="${px(sx + along)}" text-anchor="${anchor}" y="${px(sy)}" font-size="${px(magnified * LABEL_SIZES[kind])}" fill="${fill}"${spacing}`;
    return `${dot}<text ${at} dominant-baseline="central">${xmlText(text)}</text>`;
  });
  return `<g id="names" stroke="${theme.land}" stroke-width="${px(3 * magnified)}" stroke-linejoin="round" paint-order="stroke">\n${texts.join("\n")}\n</g>`;
}

/**
 * Sentences at the lower right of a picture, in which letters are larger than on the screen, with scale and north above
 * them or at a given height.
 */
function notesGroup(
  sentences: readonly string[],
  camera: Camera | null,
  theme: Theme,
  { width, height, magnified, scaleAt }: { width: number; height: number; magnified: number; scaleAt: number | null },
): string {
  const style = `fill="${theme.muted}" stroke="${theme.ground}" stroke-width="3" paint-order="stroke" text-anchor="end"`;
  const first = height - 10 - CAPTION.line * (sentences.length - 1);
  const y = scaleAt === null ? first - 15 : scaleAt - 10;
  const scale = camera === null ? null : scaleLength(camera, magnified);
  const bar =
    scale === null
      ? ""
      : `<text x="${px(width - 46 - scale.pixels)}" y="${px(y)}">${lengthText(scale.km)}</text>` +
        `<path stroke="${theme.muted}" stroke-width="1" fill="none" d="M${px(width - 40 - scale.pixels)} ${px(y - 7)}v5h${px(scale.pixels)}v-5"/>`;
  const north = camera === null ? "" : northMark(camera, theme, width - 16, y - 4);
  const lines = sentences.map(
    (line, k) => `<text x="${px(width - 10)}" y="${px(first + CAPTION.line * k)}">${xmlText(line)}</text>`,
  );
  return `<g id="notes" ${style}>${bar}${north}${lines.join("")}</g>`;
}

/** The north mark beside the scale. */
function northMark({ bearing }: Camera, theme: Theme, x: number, y: number): string {
  const letter = xmlText(trans._p("north", "N"));
  return (
    `<g id="north"><text x="${px(x - 8)}" y="${px(y + 4)}">${letter}</text>` +
    `<path transform="translate(${px(x)} ${px(y)}) rotate(${px(-bearing)})" fill="none" stroke="${theme.muted}" stroke-width="1.2" d="M0 6V-6M-3 -2.5L0 -6L3 -2.5"/></g>`
  );
}
