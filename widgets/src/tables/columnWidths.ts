import type { CaseTable } from "./elements/caseTable.ts";
import type { TableColumn } from "./elements/columns.ts";
import { isNumeric } from "./listing.ts";

/** Width of a digit of an id, and of the padding and the selection mark beside it, px. */
const DIGIT = 8;
const BESIDE_ID = 28;
/** Smallest width of a column of numbers, and of texts, px. */
const LEAST_NUMBER = 76;
const LEAST_TEXT = 44;
/** Width given to names where there is room, px. */
const MOST_TEXT = 240;

/**
 * Widths of the columns of a table in `room` px. Where the leading columns do not fit, the texts among them share what
 * numbers and ids leave; where all columns fit, texts take the rest.
 */
export function columnWidths(table: CaseTable, room: number): number[] {
  const { columns, leading } = table;
  const plain = columns.map(({ width }) => width);
  const ahead = columns.slice(0, leading);
  if (sum(plain.slice(0, leading)) > room) {
    const narrow = ahead.map((column, k) => (k === 0 ? idWidth(table) : Math.min(column.width, LEAST_NUMBER)));
    const texts = columns.map((column, k) => k > 0 && k < leading && isText(column));
    const numbers = sum(narrow.filter((_, k) => texts[k] !== true));
    const share = Math.floor((room - numbers) / Math.max(1, texts.filter(Boolean).length));
    return plain.map((width, k) =>
      texts[k] === true ? Math.min(width, Math.max(LEAST_TEXT, share)) : (narrow[k] ?? width),
    );
  }
  const spare = room - sum(plain);
  const growing = ahead.filter((column, k) => k > 0 && isText(column)).length;
  if (spare <= 0 || growing === 0) {
    return plain;
  }
  return columns.map((column, k) =>
    k > 0 && k < leading && isText(column)
      ? Math.min(Math.max(MOST_TEXT, column.width), column.width + Math.floor(spare / growing))
      : column.width,
  );
}

/** Smallest width for the longest id of a table; ids are ascending numbers. */
function idWidth({ columns, count }: CaseTable): number {
  const [column] = columns;
  const last = column === undefined || count === 0 ? "" : column.text(count - 1);
  const digits = Math.max(last.length, (column?.title.length ?? 0) - 1);
  return Math.min(column?.width ?? 0, BESIDE_ID + DIGIT * digits);
}

function isText(column: TableColumn): boolean {
  return !isNumeric(column);
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
