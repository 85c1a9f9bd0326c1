import { trans } from "../../text/index.ts";

/** The minus sign has the place of a character that no text has. */
const MINUS = 127;
/** The encoding of the fonts: Windows' of western languages, and the minus sign. */
export const ENCODING = `<< /BaseEncoding /WinAnsiEncoding /Differences [${MINUS} /minus] >>`;
/** Letters that are not at their own number in that encoding (ISO 32000-1, annex D), and those that are written by another. */
const CODES: Readonly<Record<string, number>> = {
  ...{ "\u2212": MINUS, "\u20ac": 128, "\u2026": 133, "\u2018": 145, "\u2019": 146, "\u201c": 147, "\u201d": 148 },
  ...{ "\u2022": 149, "\u2013": 150, "\u2014": 151, "\u0160": 138, "\u0161": 154, "\u017d": 142, "\u017e": 158 },
  ...{
    "\u0141": 76,
    "\u0142": 108,
    "\u0131": 105,
    "\u0110": 68,
    "\u0111": 100,
    "\u00a0": 32,
    "\u202f": 32,
    "\u2009": 32,
  },
};

/** Marks and letters that other fonts of every viewer have, with their numbers there (ISO 32000-1, annex D.5 and D.6). */
const SYMBOLS: Readonly<Record<string, readonly [font: PdfFont, code: number]>> = {
  ...{ "\u25b2": ["ZapfDingbats", 0x73], "\u25bc": ["ZapfDingbats", 0x74] },
  ...{ "\u2264": ["Symbol", 0xa3], "\u2265": ["Symbol", 0xb3], "\u221e": ["Symbol", 0xa5], "\u2192": ["Symbol", 0xae] },
  ...{ "\u0394": ["Symbol", 0x44], "\u2202": ["Symbol", 0xb6], "\u03bb": ["Symbol", 0x6c], "\u03bc": ["Symbol", 0x6d] },
};
const SYMBOL = new RegExp(`([${Object.keys(SYMBOLS).join("")}])`, "u");

/** The fonts of a PDF, in the order of their names F1, F2, ... */
export const FONTS = ["Helvetica", "Helvetica-Bold", "Symbol", "ZapfDingbats"] as const;
export type PdfFont = (typeof FONTS)[number];

/** A text in parts of one font each, as strings of a PDF. Throws for letters that no font has. */
export function pdfParts(text: string, bold: boolean): { text: string; font: PdfFont; string: string }[] {
  return text
    .split(SYMBOL)
    .filter((part) => part !== "")
    .map((part) => {
      const symbol = SYMBOLS[part];
      return symbol === undefined
        ? { text: part, font: bold ? "Helvetica-Bold" : "Helvetica", string: pdfString(part) }
        : { text: part, font: symbol[0], string: `(${String.fromCharCode(symbol[1])})` };
    });
}

/** A text as a string of a PDF. Throws for letters that its fonts do not have. */
function pdfString(text: string): string {
  const codes = Array.from(text, (letter) => codeOf(letter) ?? plain(letter, text)).flat();
  return `(${codes.map((code) => String.fromCharCode(code).replace(/[()\\]/, "\\$&")).join("")})`;
}

function codeOf(letter: string): number | undefined {
  const code = letter.codePointAt(0) ?? 0;
  const own = (code >= 32 && code < MINUS) || (code >= 0xa0 && code <= 0xff);
  return CODES[letter] ?? (own ? code : undefined);
}

/** A letter without its accents. */
function plain(letter: string, text: string): number[] {
  const codes = Array.from(letter.normalize("NFKD").replace(/\p{M}/gu, ""), codeOf);
  if (codes.length === 0 || codes.includes(undefined)) {
    throw new Error(
      trans.__("The fonts of the PDF have no \u201c%1\u201d, as in \u201c%2\u201d: save as SVG.", letter, text),
    );
  }
  return codes as number[];
}

/** Measures texts in a font as wide as Helvetica, which every viewer of PDF has: Arial and Liberation Sans are. */
export class TextMeasure {
  readonly #context = document.createElement("canvas").getContext("2d");

  width(text: string, size: number, bold: boolean): number {
    if (this.#context === null) {
      throw new Error(trans.__("This browser provides no canvas to draw on."));
    }
    this.#context.font = `${bold ? "bold" : "normal"} 100px Helvetica, Arial, "Liberation Sans", sans-serif`;
    return (this.#context.measureText(text).width * size) / 100;
  }
}
