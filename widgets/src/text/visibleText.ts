/** White space that ends lines or columns: a space takes its place. */
const BREAKS = /[\t-\r\u0085\u2028\u2029]/gu;

/**
 * Controls, and characters without a picture that change how what stands around them is read: marks, embeddings, overrides and
 * isolates of the reading direction, spaces without width, byte order marks, tags, and what is no character at all.
 */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex -- control characters are what must not stay
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}\p{Cs}]/gu;

/** Joiners belong to the spelling of several scripts: one between two of their letters. */
const REPEATED_JOINERS = /[\u200c\u200d]+(?=[\u200c\u200d])/gu;
const STRAY_JOINERS = /(?<!\P{ASCII})[\u200c\u200d]+|[\u200c\u200d]+(?!\P{ASCII})/gu;

/** The name of a file as it may stand in a sentence. Names inside files are kept so by the engine, by the same rule. */
export function visibleText(text: string): string {
  return text.replace(BREAKS, " ").replace(INVISIBLE, "").replace(REPEATED_JOINERS, "").replace(STRAY_JOINERS, "");
}

/** A value as readable JSON whose texts say everything that they hold: characters that cannot be seen are escaped, `\u202e`. */
export function visibleJson(value: unknown): string {
  // Controls within texts are escaped already; line breaks stand between values.
  return JSON.stringify(value, null, 2).replace(INVISIBLE, escaped);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}
