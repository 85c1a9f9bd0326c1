/**
 * Translation of what people read. Texts in the code are English and stand in calls of {@link trans}, which `npm run
 * translations` collects; a host with translations, as JupyterLab, gives them once with {@link setTranslation}.
 */

/**
 * Gettext's functions as in JupyterLab's `TranslationBundle`. `%1`, `%2` in a text are its arguments in order; in `_n`
 * the count itself is `%1` and the arguments begin with `%2`.
 */
export interface Translation {
  /** A text. */
  __(text: string, ...args: (string | number)[]): string;
  /** A text that depends on a count: English has one form for 1 and one for all others, other languages have more. */
  _n(one: string, many: string, count: number, ...args: (string | number)[]): string;
  /** A text whose meaning depends on the context: `trans._p("noun", "load")`. */
  _p(context: string, text: string, ...args: (string | number)[]): string;
}

/** Puts arguments into a text: `%1` is the first, `%%1` stays `%1`. */
function filled(text: string, args: readonly (string | number)[]): string {
  return text.replace(/%(%|\d+)/g, (_, place: string) => (place === "%" ? "%" : String(args[Number(place) - 1])));
}

/** The texts as in the code. */
const english: Translation = {
  __: (text, ...args) => filled(text, args),
  _n: (one, many, count, ...args) => filled(count === 1 ? one : many, [count, ...args]),
  _p: (_, text, ...args) => filled(text, args),
};

let current: Translation = english;

/**
 * The translation of this page. Call it where a text is shown, not when a module is loaded, because the language is
 * known only later. First arguments must be literals, so that they can be collected.
 */
export const trans: Translation = {
  __: (text, ...args) => current.__(text, ...args),
  _n: (one, many, count, ...args) => current._n(one, many, count, ...args),
  _p: (context, text, ...args) => current._p(context, text, ...args),
};

/**
 * A template of the engine's catalogue in the language of the page, with its placeholders; `npm run translations`
 * collects these from the catalogue. `count` selects the form where a template has two.
 */
export function translatedTemplate(one: string, other: string, count: number | null): string {
  return count === null || one === other ? current.__(other) : current._n(one, other, count);
}

/** Sets the translation of the page, before the first view is made; null selects English. */
export function setTranslation(bundle: Translation | null): void {
  current = bundle ?? english;
}
