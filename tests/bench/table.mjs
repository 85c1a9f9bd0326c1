// Rows as CSV and as Markdown.
import { cpus, totalmem } from "node:os";

/** CSV text; the columns are those of the first row. */
export function csv(rows) {
  const columns = Object.keys(rows[0] ?? {});
  const cell = (value) => {
    const text = typeof value === "number" && !Number.isInteger(value) ? value.toFixed(3) : String(value ?? "");
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((cells) => `${cells.map(cell).join(",")}\n`)
    .join("");
}

/** A Markdown table; `columns` maps a title to the text of a row's cell. The first column is left-aligned. */
export function markdown(columns, rows) {
  const titles = Object.keys(columns);
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const rule = titles.map((_, k) => (k === 0 ? "---" : "---:"));
  return [titles, rule, ...rows.map((row) => titles.map((title) => columns[title](row)))].map(line).join("\n");
}

/** Some columns of a table, by title: those of the page; the CSV beside it has all. */
export const chosen = (columns, titles) => Object.fromEntries(titles.map((title) => [title, columns[title]]));

/** The cells of such a table as CSV, for rows that the page omits. */
export const cells = (columns, rows) =>
  csv(
    rows.map((row) => Object.fromEntries(Object.entries(columns).map(([title, cell]) => [title, String(cell(row))]))),
  );

/** Milliseconds with their significant digits. */
export const ms = (value) => (value === undefined ? "-" : value < 10 ? value.toFixed(1) : value.toFixed(0));

/** A ratio with its significant digits. */
export const times = (value) => (value === undefined ? "-" : `${value < 10 ? value.toFixed(1) : value.toFixed(0)} x`);

/** Geometric mean of the defined values; undefined for an empty list. */
export function geometricMean(values) {
  const present = values.filter((value) => value !== undefined);
  if (present.length === 0) return undefined;
  return Math.exp(present.reduce((sum, value) => sum + Math.log(value), 0) / present.length);
}

/** The value that `p` per cent of a list do not exceed (nearest rank); undefined for an empty list. */
export function percentile(values, p) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)];
}

/** Date and versions under a table. */
export function footer({ versions, repeats, profile }, names) {
  const list = names.map((name) => `${name} ${versions[name]}`).join(", ");
  return `Measured on ${new Date().toISOString().slice(0, 10)} with ${list} (profile ${profile}). Least of up to ${repeats} repeats.`;
}

/** The machine of a measurement: processor and memory. */
export function environment() {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? "unknown processor";
  return `Environment: ${process.platform} ${process.arch}, ${processors.length} x ${model}, ${Math.round(totalmem() / 2 ** 30)} GB.`;
}

/** The note on a page with missing rows. */
export const partial = (rows, all) =>
  `**Partial: ${rows} of ${all} rows. The run that wrote this did not end, or has not yet.**`;
