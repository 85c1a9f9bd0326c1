import { quantityWords, trans } from "../../text/index.ts";
import type { CaseSession, NamedQuantity } from "../../workspace/index.ts";

/** One column of a table. Rows are dense rows of the case. */
export interface TableColumn {
  /** Name in files and in filters, ending in an underscore and the unit. */
  readonly key: string;
  /** Short name in filters; {@link filterWord} translates it. */
  readonly word: string;
  readonly title: string;
  readonly unit: string;
  /** Width in a table of normal size, px. */
  readonly width: number;
  /** The quantity that it shows or is computed from; without it the column is absent. */
  readonly needs?: string;
  /** Whether it follows a preview. */
  readonly live?: boolean;
  /** The value for sorting, filters and files; NaN and "" where there is no value. */
  value(row: number): number | string;
  /** The displayed text. */
  text(row: number): string;
  /** The sort key where it is not the value: the size of a change. */
  order?(row: number): number;
  /** The number that filters compare, where the display has another unit, such as a loading in per cent. */
  shown?(row: number): number;
}

/** Columns that show a quantity or are computed from it. */
export function needing(quantity: string, ...columns: readonly TableColumn[]): TableColumn[] {
  return columns.map((column) => ({ ...column, needs: quantity }));
}

/** The columns whose quantity the state has, and a column for each other quantity of its elements. */
export function listed(
  { store }: CaseSession,
  element: NamedQuantity["element"],
  columns: readonly TableColumn[],
): readonly TableColumn[] {
  const shown = columns.filter(({ needs }) => needs === undefined || store.columns.has(needs));
  const others = store.columns.of(element).filter(({ name }) => !columns.some(({ needs }) => needs === name));
  return [...shown, ...others.map((quantity) => plainColumn(store, quantity))];
}

/** A column for a quantity without one of its own, with its name and unit. */
function plainColumn(store: CaseSession["store"], { name, unit }: NamedQuantity): TableColumn {
  const { label, unit: shown, format } = quantityWords(name, unit);
  const text = (value: number): string => (Number.isFinite(value) ? format(value) : "");
  return number(name, name, label, shown, 84, (row) => store.shownAt(name, row), text, true);
}

export function id(key: string, title: string, value: (row: number) => number): TableColumn {
  return { key, word: "id", title, unit: "", width: 74, value, text: (row) => String(value(row)) };
}

export function text(key: string, title: string, width: number, value: (row: number) => string): TableColumn {
  return { key, word: key, title, unit: "", width: roomFor(title, width), value, text: value };
}

/** Width of a letter in a head, and of the padding and the sort mark beside it, px. */
export const LETTER = 7.2;
const BESIDE_TITLE = 22;

/** The width of a column, px, enlarged for long translated titles. */
export function roomFor(title: string, width: number): number {
  return Math.max(width, Math.ceil(LETTER * title.length + BESIDE_TITLE));
}

/** States: in files as identifiers, on the screen as translated words. */
export function stated(value: (row: number) => string, words: (row: number) => string): TableColumn {
  return { ...text("state", trans.__("State"), 92, value), text: words };
}

export function number(
  key: string,
  word: string,
  title: string,
  unit: string,
  width: number,
  value: (row: number) => number,
  format: (value: number) => string,
  live = false,
): TableColumn {
  return { key, word, title, unit, width: roomFor(title, width), live, value, text: (row) => format(value(row)) };
}
