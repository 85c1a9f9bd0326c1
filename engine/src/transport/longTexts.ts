// Long texts in pieces. The module of a feeder of 100,000 terminals has 140 MB, and posting it in one message blocks
// the page for 200 to 400 ms.
import type { Call } from "../contract/protocol.ts";

/** Shorter texts are posted with their call. Characters. */
const LONG = 2 ** 24;
const PIECE = 2 ** 22;

/** A call without its long text, and the pieces of the text; null if the call has no long text. Runs in the page. */
export function inPieces(call: Call): { call: Call; pieces: Iterable<string> } | null {
  let text = "";
  const rest = withText(call, (long) => {
    text = long;
    return "";
  });
  return text.length < LONG ? null : { call: rest, pieces: piecesOf(text) };
}

/** The call with the text of its pieces. Runs in the worker. */
export function withPieces(call: Call, pieces: readonly string[]): Call {
  return withText(call, () => pieces.join(""));
}

function* piecesOf(text: string): Iterable<string> {
  for (let from = 0; from < text.length; from += PIECE) yield text.slice(from, from + PIECE);
}

/** The call with a changed case. */
function withText(call: Call, change: (text: string) => string): Call {
  if ("module" in call) return { ...call, module: change(call.module) };
  if (call.op === "jobStart" && "module" in call.what) {
    return { ...call, what: { ...call.what, module: change(call.what.module) } };
  }
  return call;
}
