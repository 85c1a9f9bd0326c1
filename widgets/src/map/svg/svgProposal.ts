import type { Frame } from "../picture/frame.ts";
import {
  type LabelPlace,
  labelPlaces,
  PROPOSED,
  proposedColour,
  type ProposedMark,
  proposedMarks,
} from "../picture/proposedChanges.ts";
import { px, xmlText } from "./svgText.ts";

/** Mean width of a letter of a label, pixels, because SVG is written without measuring text. */
const LETTER = 7;

/** A proposal as on the screen, but with letters `magnified`; empty without one. */
export function proposalGroup(frame: Frame, magnified = 1): string {
  const marks = proposedMarks(frame);
  if (marks.length === 0) {
    return "";
  }
  const { theme } = frame;
  const colour = proposedColour(frame);
  const { width, rim, dashes } = PROPOSED;
  const shapes = marks.map(shape).join("");
  return [
    `<g id="proposal" stroke-linecap="round" stroke-linejoin="round">`,
    `<g fill="none" stroke="${theme.casing}" stroke-width="${width + rim}">${shapes}</g>`,
    `<g fill="none" stroke="${colour}" stroke-width="${width}" stroke-dasharray="${dashes.join(" ")}">${shapes}</g>`,
    ...labelPlaces(marks, (text) => text.length * LETTER * magnified, magnified).map((place, k) =>
      label(marks[k]?.text ?? "", place, theme, colour, magnified),
    ),
    `</g>`,
  ].join("\n");
}

function shape({ points, radius }: ProposedMark): string {
  return radius > 0
    ? points.map(([x, y]) => `<circle cx="${px(x)}" cy="${px(y)}" r="${px(radius)}"/>`).join("")
    : `<path d="M${points.map(([x, y]) => `${px(x)} ${px(y)}`).join("L")}"/>`;
}

function label(text: string, place: LabelPlace, theme: Frame["theme"], colour: string, magnified: number): string {
  const { letters } = PROPOSED;
  const { x, y, width: wide, height: tall } = place;
  const box = `x="${px(x - wide / 2)}" y="${px(y - tall / 2)}" width="${px(wide)}" height="${px(tall)}" rx="4"`;
  const style = `font-size="${px(magnified * letters)}" font-weight="600" text-anchor="middle" dominant-baseline="central"`;
  return (
    `<rect ${box} fill="${theme.ground}" stroke="${colour}" stroke-width="1.5"/>` +
    `<text x="${px(x)}" y="${px(y)}" ${style} fill="${theme.text}">${xmlText(text)}</text>`
  );
}
