import { quantityWords, trans } from "../../text/index.ts";
import type { CaseSession, NamedQuantity } from "../../workspace/index.ts";

/** One column of a table. Rows are dense rows of the case. */
export interface TableColumn {
  /** Name in files and in filters; its unit follows an underscore. */
  readonly key: string;
  /** Short name in filters; {@link filterWord} has it in the language of the page. */
  readonly word: string;
  readonly title: string;
  readonly unit: string;
  /** Width in a table of plain size, px. */
  readonly width: number;
  /** The quantity of the state that it shows, or is worked out from; without it the column is absent. */
  readonly needs?: string;
  /** Whether it moves with a preview. */
  readonly live?: boolean;
  /** What it is sorted and filtered by, and written to files; NaN and "" where there is nothing. */
  value(row: number): number | string;
  /** What is shown. */
  text(row: number): string;
  /** What it is ordered by, where that is not its value: a change by its size. */
  order?(row: number): number;
  /** The number that filters compare, where what is shown has another unit: a loading in per cent. */
  shown?(row: number): number;
}

/** Columns that show a quantity, or are worked out from it. */
export function needing(quantity: string, ...columns: readonly TableColumn[]): TableColumn[] {
  return columns.map((column) => ({ ...column, needs: quantity }));
}

/** The columns whose quantity the state has, and one for each other quantity of its elements. */
export function listed(
  { store }: CaseSession,
  element: NamedQuantity["element"],
  columns: readonly TableColumn[],
): readonly TableColumn[] {
  const shown = columns.filter(({ needs }) => needs === undefined || store.columns.has(needs));
  const others = store.columns.of(element).filter(({ name }) => !columns.some(({ needs }) => needs === name));
  return [...shown, ...others.map((quantity) => plainColumn(store, quantity))];
}

/** A quantity without a column of its own: under its name and in its unit. */
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

/** Width of a letter of a head, and of what is beside it: room and the mark of the order, px. */
export const LETTER = 7.2;
const BESIDE_TITLE = 22;

/** A width of a column, px, or more where the title is long in the language of the page. */
export function roomFor(title: string, width: number): number {
  return Math.max(width, Math.ceil(LETTER * title.length + BESIDE_TITLE));
}

/** States: in files as they are, on the screen in the words of the page. */
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
