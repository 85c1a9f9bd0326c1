import type { CaseTable } from "./elements/caseTable.ts";

/**
 * Rows of a table as text for files and spreadsheets: keys with units in the head, numbers at full precision with a
 * decimal point, empty where there is no value. Commas by default; tabs for the clipboard.
 */
export function tableText(table: CaseTable, rows: Iterable<number>, separator: "," | "\t" = ","): string {
  const lines = [table.columns.map(({ key }) => key).join(separator)];
  for (const row of rows) {
    lines.push(table.columns.map((column) => cell(column.value(row), separator)).join(separator));
  }
  return lines.join("\r\n") + "\r\n";
}

function cell(value: number | string, separator: string): string {
  if (typeof value === "number") {
    return Number.isFinite(value) ? String(value) : "";
  }
  // A spreadsheet would evaluate a text with this start as a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
