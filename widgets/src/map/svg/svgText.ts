/** A number of pixels with as many digits as one can see. */
export function px(value: number): string {
  return String(Math.round(10 * value) / 10);
}

/** Characters that XML has no place for, escaped or not. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A text as XML has it. */
export function xmlText(text: string): string {
  return text.replace(NOT_XML, "").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
