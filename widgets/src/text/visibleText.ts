/** White space that breaks lines or columns, replaced by a space. */
const BREAKS = /[\t-\r\u0085\u2028\u2029]/gu;

/**
 * Controls and invisible characters that change how the surrounding text is read: marks, embeddings, overrides and
 * isolates of the reading direction, zero-width spaces, byte order marks, tags, and non-characters.
 */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex -- control characters are what must not stay
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}\p{Cs}]/gu;

/** Joiners are part of the spelling of several scripts, where a single one stands between two letters. */
const REPEATED_JOINERS = /[\u200c\u200d]+(?=[\u200c\u200d])/gu;
const STRAY_JOINERS = /(?<!\P{ASCII})[\u200c\u200d]+|[\u200c\u200d]+(?!\P{ASCII})/gu;

/** A file name made safe for a sentence. The engine applies the same rule to names inside files. */
export function visibleText(text: string): string {
  return text.replace(BREAKS, " ").replace(INVISIBLE, "").replace(REPEATED_JOINERS, "").replace(STRAY_JOINERS, "");
}

/** A value as readable JSON with invisible characters escaped, such as `\u202e`. */
export function visibleJson(value: unknown): string {
  // Controls within texts are escaped already; line breaks stand between values.
  return JSON.stringify(value, null, 2).replace(INVISIBLE, escaped);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}
