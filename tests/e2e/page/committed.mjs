// What a browser shows after a hand has moved the demand of a bus, compared with the server's own optimum.
import { formatPrice } from "@service/widgets/text";
import { all } from "../../server/events.ts";

export const CASE = "case500_goc";
export const MAP = '.wb-Page-document:not([hidden]) .wb-Map[data-status="ready"]';

/** The hand's place on a slider, from its box and what its element says of itself. */
export const thumb = ({ box, value, min, max }, share = (value - min) / (max - min)) => ({
  x: box.x + 8 + (box.width - 16) * share,
  y: box.y + box.height / 2,
});

/** `name`: the edit bar's title, `entry`: its MW, `bar`: all of its text. */
export async function checkCommitted(t, url, { name, entry, bar }) {
  const bus = Number(/\d+/.exec(name)?.[0]);
  const deltaMw = Number(entry.replaceAll(",", "").replace("\u2212", "-"));
  t.ok(deltaMw > 0, "the hand moved it");
  const stream = await all(await fetch(`${url}/api/cases/${CASE}/solve?d=${bus}:${deltaMw}`));
  const solved = stream.find(({ event }) => event === "solution")?.data;
  const price = solved.prices.find((row) => row.bus === bus)?.value ?? NaN;
  t.ok(bar.includes(formatPrice(price)), `${formatPrice(price)} in ${bar}`);
}
