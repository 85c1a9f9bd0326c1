import { parseNumber, trans } from "../text/index.ts";
import type { CaseTable, Sorting } from "./elements/caseTable.ts";
import type { TableColumn } from "./elements/columns.ts";
import { filterWord } from "./elements/filterWords.ts";

/** A parsed filter, or the reason why it is invalid. */
export interface ParsedFilter {
  /** Whether a row is listed. */
  keeps(row: number): boolean;
  problem: string | null;
}

const COMPARISON = /([\p{L}_]+)\s*(<=|>=|<|>|=)\s*([-+\u2212]?[\d.,]+(?:e[-+]?\d+)?)/giu;

const COMPARE: Record<string, (value: number, bound: number) => boolean> = {
  "<": (value, bound) => value < bound,
  ">": (value, bound) => value > bound,
  "<=": (value, bound) => value <= bound,
  ">=": (value, bound) => value >= bound,
  "=": (value, bound) => value === bound,
};

/**
 * Parses a filter: comparisons such as `price > 40`, in displayed units, and words that a text or the number of the
 * element must contain. All terms must match.
 */
export function parseFilter(filter: string, table: CaseTable): ParsedFilter {
  const tests: ((row: number) => boolean)[] = [];
  let problem: string | null = null;
  const rest = filter.replace(COMPARISON, (_, word: string, sign: string, number: string) => {
    const column = columnNamed(word, table);
    const bound = parseNumber(number);
    const compare = COMPARE[sign];
    if (column === undefined) {
      const words = table.columns.filter(isNumeric).map(filterWord);
      problem ??= trans.__(
        "No column \u201c%1\u201d: try %2 or %3.",
        word,
        words.slice(0, -1).join(", "),
        words.at(-1) ?? "",
      );
    } else if (bound !== null && compare !== undefined) {
      const value = column.shown ?? column.value;
      tests.push((row) => {
        const found = value(row);
        return typeof found === "number" && compare(found, bound);
      });
    }
    return " ";
  });
  if (/[<>=]/.test(rest)) {
    problem ??= trans.__("Write comparisons as \u201cprice > 40\u201d.");
  }
  const words = rest
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "" && !/[<>=]/.test(word));
  const texts = table.columns.filter((column) => !isNumeric(column));
  for (const word of words) {
    tests.push(
      (row) =>
        String(table.columns[0]?.value(row)) === word ||
        texts.some((column) => column.text(row).toLowerCase().includes(word)),
    );
  }
  return { keeps: (row) => tests.every((test) => test(row)), problem };
}

/**
 * The rows of a table that pass a filter, in order. Rows without a value come last, ties follow the order of the case,
 * and rows that the table puts last come after all others.
 */
export function listedRows(table: CaseTable, filter: ParsedFilter, sorting: Sorting): Uint32Array {
  const rows = orderedRows(table, filter, sorting);
  const { isLast } = table;
  if (isLast === undefined || !rows.some((row) => isLast(row))) {
    return rows;
  }
  return Uint32Array.from([...rows.filter((row) => !isLast(row)), ...rows.filter((row) => isLast(row))]);
}

function orderedRows(table: CaseTable, filter: ParsedFilter, sorting: Sorting): Uint32Array {
  const rows: number[] = [];
  for (let row = 0; row < table.count; row += 1) {
    if (filter.keeps(row)) {
      rows.push(row);
    }
  }
  const column = table.columns.find(({ key }) => key === sorting.key);
  if (column === undefined) {
    return Uint32Array.from(rows);
  }
  const sign = sorting.descending ? -1 : 1;
  if (isNumeric(column)) {
    const values = new Float64Array(table.count);
    for (const row of rows) {
      values[row] = column.order?.(row) ?? (column.value(row) as number);
    }
    const order = Uint32Array.from(rows);
    return order.sort((a, b) => {
      const [left = NaN, right = NaN] = [values[a], values[b]];
      const missing = Number(Number.isNaN(left)) - Number(Number.isNaN(right));
      return missing || (left === right ? 0 : sign * (left - right)) || a - b;
    });
  }
  const texts = new Map(rows.map((row) => [row, String(column.value(row))]));
  const collator = new Intl.Collator("en", { numeric: true });
  return Uint32Array.from(
    rows.sort((a, b) => {
      const [left = "", right = ""] = [texts.get(a), texts.get(b)];
      return Number(left === "") - Number(right === "") || sign * collator.compare(left, right) || a - b;
    }),
  );
}

/** Whether a column holds numbers. */
export function isNumeric(column: TableColumn): boolean {
  return typeof column.value(0) === "number";
}

function columnNamed(word: string, table: CaseTable): TableColumn | undefined {
  const wanted = word.toLowerCase();
  return table.columns.find(
    (column) =>
      isNumeric(column) &&
      [column.word, filterWord(column), column.key, column.title].some((name) => name.toLowerCase() === wanted),
  );
}
