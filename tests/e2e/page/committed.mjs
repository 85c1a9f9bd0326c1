// Compares what a browser shows after a drag of a bus's demand with the server's own optimum.
import { formatPrice } from "@service/widgets/text";
import { all } from "../../server/events.ts";

export const CASE = "case500_goc";
export const MAP = '.wb-Page-document:not([hidden]) .wb-Map[data-status="ready"]';

/** The position of the slider's thumb, from its box and its ARIA values. */
export const thumb = ({ box, value, min, max }, share = (value - min) / (max - min)) => ({
  x: box.x + 8 + (box.width - 16) * share,
  y: box.y + box.height / 2,
});

/** `name`: the edit bar's title, `entry`: its MW, `bar`: its whole text. */
export async function checkCommitted(t, url, { name, entry, bar }) {
  const bus = Number(/\d+/.exec(name)?.[0]);
  const deltaMw = Number(entry.replaceAll(",", "").replace("\u2212", "-"));
  t.ok(deltaMw > 0, "the hand moved it");
  const stream = await all(await fetch(`${url}/api/cases/${CASE}/solve?d=${bus}:${deltaMw}`));
  const solved = stream.find(({ event }) => event === "solution")?.data;
  const price = solved.prices.find((row) => row.bus === bus)?.value ?? NaN;
  t.ok(bar.includes(formatPrice(price)), `${formatPrice(price)} in ${bar}`);
}
