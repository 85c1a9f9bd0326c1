/** Control points of a quarter of a circle as a cubic Bezier curve: 4/3 (sqrt(2) - 1). */
const QUARTER = 0.5522847498;

/** A number with as many digits as one can see. */
export function pdfNumber(value: number): string {
  return String(Math.round(1e4 * value) / 1e4);
}

/** A path of straight lines as operators of a PDF. */
export function pdfWay(data: string): string {
  const parts: string[] = [];
  let [x, y] = [0, 0];
  for (const [, command = "", values = ""] of data.matchAll(/([MLHVlhvZ])([^MLHVlhvZ]*)/g)) {
    if (command === "Z") {
      parts.push("h");
      continue;
    }
    const [first = 0, second = 0] = values
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const from = command === command.toLowerCase() ? [x, y] : [0, 0];
    switch (command.toUpperCase()) {
      case "H":
        x = (from[0] ?? 0) + first;
        break;
      case "V":
        y = (from[1] ?? 0) + first;
        break;
      default:
        [x, y] = [(from[0] ?? 0) + first, (from[1] ?? 0) + second];
    }
    parts.push(`${pdfNumber(x)} ${pdfNumber(y)} ${command === "M" ? "m" : "l"}`);
  }
  return parts.join(" ");
}

/** A circle of four curves. */
export function bezierCircle(x: number, y: number, radius: number): string {
  const k = QUARTER * radius;
  const at = (...numbers: number[]): string => numbers.map(pdfNumber).join(" ");
  return [
    `${at(x + radius, y)} m`,
    `${at(x + radius, y + k, x + k, y + radius, x, y + radius)} c`,
    `${at(x - k, y + radius, x - radius, y + k, x - radius, y)} c`,
    `${at(x - radius, y - k, x - k, y - radius, x, y - radius)} c`,
    `${at(x + k, y - radius, x + radius, y - k, x + radius, y)} c h`,
  ].join(" ");
}
