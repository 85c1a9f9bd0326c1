import {
  clippedEnds,
  type LegendContent,
  type LegendKind,
  type LegendScale,
  legendStops,
  legendTicks,
  lineKinds,
  linesNote,
  MOST_KINDS,
  outsideText,
  symbolKeys,
} from "../colour/legend.ts";
import { trans } from "../../text/index.ts";
import type { Theme } from "../../ui/theme.ts";
import { LINK_DASHES, linkStyle } from "../picture/linkMarks.ts";
import { px, wrapped, xmlText } from "./svgText.ts";

/** Sizes of the legend, pixels. */
const LEGEND = { width: 236, padding: 10, line: 15, bar: 10 };

/** The legend and its size, pixels. */
export function legendGroup(legend: LegendContent, theme: Theme): { text: string; width: number; height: number } {
  const rows: string[] = [];
  let y = LEGEND.padding + 8;
  const write = (text: string, extra = ""): void => {
    rows.push(`<text x="${LEGEND.padding}" y="${y}"${extra}>${xmlText(text)}</text>`);
  };
  /** Categories after marks in their colours, in as many rows as necessary. */
  const kindRows = (kinds: readonly LegendKind[]): void => {
    let x = LEGEND.padding;
    for (const { text, colour } of kinds.slice(0, MOST_KINDS)) {
      const wide = 13 + 6.2 * text.length + 10;
      if (x > LEGEND.padding && x + wide > LEGEND.width - LEGEND.padding) {
        [x, y] = [LEGEND.padding, y + LEGEND.line];
      }
      rows.push(
        `<rect x="${x}" y="${y - 9}" width="9" height="9" rx="2" fill="${colour}"/>`,
        `<text x="${x + 13}" y="${y}">${xmlText(text)}</text>`,
      );
      x += wide;
    }
    y += LEGEND.line;
  };
  const gradients: string[] = [];
  const scalePart = (content: LegendScale, name: string): void => {
    const { title, unit, scale, uniform, note } = content;
    rows.push(
      `<text x="${LEGEND.padding}" y="${y}"><tspan font-weight="600">${xmlText(title)}</tspan> ${xmlText(unit)}</text>`,
    );
    y += LEGEND.line - 6;
    if (uniform !== null || scale === null) {
      y += 6;
      for (const line of wrapped(uniform ?? trans.__("No values"), 38)) {
        write(line);
        y += LEGEND.line;
      }
      return;
    }
    if (scale.kind === "category") {
      y += 8;
      kindRows(content.kinds);
      return;
    }
    const [left, wide] = [LEGEND.padding + 14, LEGEND.width - 2 * LEGEND.padding - 28];
    const stops = legendStops(scale).map((colour, k, all) => {
      return `<stop offset="${((100 * k) / (all.length - 1)).toFixed(1)}%" stop-color="${colour}"/>`;
    });
    gradients.push(`<linearGradient id="${name}">${stops.join("")}</linearGradient>`);
    rows.push(`<rect x="${left}" y="${y}" width="${wide}" height="${LEGEND.bar}" rx="2" fill="url(#${name})"/>`);
    for (const { side, colour } of clippedEnds(content, scale)) {
      const [x, tip] = side === "below" ? [left - 1, left - 9] : [left + wide + 1, left + wide + 9];
      rows.push(`<path fill="${colour}" d="M${x} ${y}L${tip} ${y + LEGEND.bar / 2}L${x} ${y + LEGEND.bar}Z"/>`);
    }
    for (const { text, share, zero } of legendTicks(content, scale)) {
      const x = px(left + share * wide);
      rows.push(
        `<path stroke="${zero ? theme.text : theme.muted}" d="M${x} ${zero ? y - 2 : y + LEGEND.bar}V${y + LEGEND.bar + 4}"/>`,
        share < 0.01
          ? `<text x="${LEGEND.padding}" y="${y + LEGEND.bar + 15}">${xmlText(text)}</text>`
          : share > 0.99
            ? `<text x="${LEGEND.width - LEGEND.padding}" y="${y + LEGEND.bar + 15}" text-anchor="end">${xmlText(text)}</text>`
            : `<text x="${x}" y="${y + LEGEND.bar + 15}" text-anchor="middle">${xmlText(text)}</text>`,
      );
    }
    y += LEGEND.bar + 30;
    const outside = outsideText(content, scale);
    for (const line of [...(outside?.split("\n") ?? []), ...(note === null ? [] : wrapped(note, 38))]) {
      write(line);
      y += LEGEND.line;
    }
  };
  scalePart(legend.buses, "wb-buses");
  if (legend.lines !== null) {
    scalePart(legend.lines, "wb-lines");
  }
  for (const [k, { kind, text }] of lineKinds(legend).entries()) {
    const x = LEGEND.padding;
    y += k > 0 ? LEGEND.line : 0;
    const colour = legend.lines !== null ? theme.text : kind === "binding" ? theme.binding : theme.warning;
    const thick = kind === "binding" ? 4 : 2;
    rows.push(`<path stroke="${colour}" stroke-width="${thick}" stroke-linecap="round" d="M${x} ${y - 4}h18"/>`);
    for (const [n, line] of wrapped(text, 32).entries()) {
      y += n > 0 ? LEGEND.line : 0;
      rows.push(`<text x="${x + 24}" y="${y}">${xmlText(line)}</text>`);
    }
  }
  for (const { state, text } of legend.links ?? []) {
    const { colour, width } = linkStyle(state, theme);
    y += LEGEND.line;
    rows.push(
      `<path stroke="${colour}" stroke-width="${px(width)}" stroke-dasharray="${LINK_DASHES.join(" ")}" d="M${LEGEND.padding} ${y - 4}h18"/>`,
      `<text x="${LEGEND.padding + 24}" y="${y}">${xmlText(text)}</text>`,
    );
  }
  for (const { open, text } of legend.switches ?? []) {
    y += LEGEND.line;
    const fill = open ? theme.ground : theme.text;
    rows.push(
      `<rect x="${LEGEND.padding + 5}" y="${y - 8}" width="8" height="8" fill="${fill}" stroke="${theme.text}" stroke-width="1.4"/>`,
      `<text x="${LEGEND.padding + 24}" y="${y}">${xmlText(text)}</text>`,
    );
  }
  const note = linesNote(legend);
  if (note !== null) {
    y += LEGEND.line;
    write(note);
  }
  for (const { title, entries } of symbolKeys(legend)) {
    if (title !== "") {
      y += LEGEND.line;
      write(title);
    }
    y += LEGEND.line;
    kindRows(entries);
    y -= LEGEND.line;
  }
  y += LEGEND.padding - 2;
  const ground = `<rect width="${LEGEND.width}" height="${y}" rx="3" fill="${theme.ground}" fill-opacity="0.93"/>`;
  const text = `<g id="legend" fill="${theme.text}"><defs>${gradients.join("")}</defs>${ground}\n${rows.join("\n")}\n</g>`;
  return { text, width: LEGEND.width, height: y };
}
