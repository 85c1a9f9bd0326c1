import type { CaseTable } from "./elements/caseTable.ts";

/**
 * Rows of a table as text for files and spreadsheets: keys with units in the head, plain numbers of full precision with a full
 * stop, nothing where there is no value. Commas by default; tabs for the clipboard.
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
  // A spreadsheet would take a text that begins like this for a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
