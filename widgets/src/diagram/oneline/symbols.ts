/** Symbols of one-line diagrams after IEC 60617, in units where the symbol is about 2 wide; x runs along the line, to the right. */

/** Symbols within a line. */
export type EdgeSymbol = "transformer" | "regulator" | "switch-closed" | "switch-open" | "out";
/** Symbols of equipment at a bus; the bus is at the left. */
export type DeviceSymbol = "source" | "load" | "generator" | "inverter" | "storage" | "capacitor" | "reactor" | "shunt";
export type SymbolName = EdgeSymbol | DeviceSymbol;

/** A symbol as paths of SVG: `body` is filled with the ground and stroked, `strokes` are stroked only, `solid` is filled. */
export interface SymbolPaths {
  body?: string;
  strokes?: string;
  solid?: string;
  /** Half of the length that it takes along the line. */
  reach: number;
}

const circle = (x: number, r: number): string => `M${x - r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
const ARROW = "M-1.35 1.35L1.35 -1.35";
const ARROW_HEAD = "M1.5 -1.5L1.3 -0.7L0.7 -1.3Z";
const HINGES = `${circle(-0.95, 0.2)}${circle(0.95, 0.2)}`;

const SYMBOLS: Record<SymbolName, SymbolPaths> = {
  transformer: { body: circle(-0.5, 0.85), strokes: circle(0.5, 0.85), reach: 1.35 },
  regulator: { body: circle(-0.5, 0.85), strokes: `${circle(0.5, 0.85)}${ARROW}`, solid: ARROW_HEAD, reach: 1.35 },
  "switch-closed": {
    body: "M-1.3 -0.6h2.6v1.2h-2.6z",
    strokes: `M-1.3 0H-1.15M1.15 0H1.3M-0.95 0H0.95`,
    solid: HINGES,
    reach: 1.3,
  },
  "switch-open": {
    body: "M-1.3 -0.6h2.6v1.2h-2.6z",
    strokes: `M-1.3 0H-1.15M1.15 0H1.3M-0.95 0L0.7 -1.1`,
    solid: HINGES,
    reach: 1.3,
  },
  out: { strokes: "M-0.6 -0.6L0.6 0.6M-0.6 0.6L0.6 -0.6", reach: 0.6 },
  source: { body: circle(0, 1), strokes: "M-0.55 0C-0.4 -0.6 -0.15 -0.6 0 0S0.4 0.6 0.55 0", reach: 1 },
  load: { strokes: "M-1 0H0", solid: "M0.9 0L-0.35 -0.65V0.65Z", reach: 1 },
  generator: { body: circle(0, 1), strokes: "M0.42 -0.3A0.5 0.5 0 1 0 0.5 0.12H0.05", reach: 1 },
  inverter: {
    body: "M-1 -0.9h2v1.8h-2z",
    strokes: "M-1 0.9L1 -0.9M-0.75 -0.6h0.7M-0.75 -0.35h0.7M0.05 0.45c0.12 -0.35 0.25 -0.35 0.35 0s0.23 0.35 0.35 0",
    reach: 1,
  },
  storage: {
    strokes: "M-1 0H-0.25M-0.25 -0.85V0.85M0.1 -0.45V0.45M0.1 0H0.5M0.5 -0.85V0.85M0.85 -0.45V0.45",
    reach: 1,
  },
  capacitor: { strokes: "M-1 0H-0.2M-0.2 -0.85V0.85M0.2 -0.85V0.85M0.2 0H0.7M0.7 -0.5V0.5M0.95 -0.25V0.25", reach: 1 },
  reactor: {
    strokes:
      "M-1 0H-0.8A0.25 0.25 0 0 1 -0.3 0A0.25 0.25 0 0 1 0.2 0A0.25 0.25 0 0 1 0.7 0M0.7 -0.5V0.5M0.95 -0.25V0.25",
    reach: 1,
  },
  shunt: { body: "M-0.8 -0.4h1.4v0.8h-1.4z", strokes: "M-1 0H-0.8M0.6 0H0.75M0.75 -0.5V0.5M0.98 -0.25V0.25", reach: 1 },
};

/** The paths of a symbol. */
export function symbolPath(name: SymbolName): SymbolPaths {
  return SYMBOLS[name];
}

const paths = new Map<SymbolName, { body: Path2D | null; strokes: Path2D | null; solid: Path2D | null }>();

function compiled(name: SymbolName): { body: Path2D | null; strokes: Path2D | null; solid: Path2D | null } {
  let found = paths.get(name);
  if (found === undefined) {
    const { body, strokes, solid } = SYMBOLS[name];
    const path = (text: string | undefined): Path2D | null => (text === undefined ? null : new Path2D(text));
    found = { body: path(body), strokes: path(strokes), solid: path(solid) };
    paths.set(name, found);
  }
  return found;
}

/** Position, direction and size of a symbol, pixels. */
export interface SymbolPlace {
  x: number;
  y: number;
  dx: number;
  dy: number;
  size: number;
}

/** Draws a symbol. */
export function drawSymbol(
  context: CanvasRenderingContext2D,
  name: SymbolName,
  { x, y, dx, dy, size }: SymbolPlace,
  { ink, ground, width }: { ink: string; ground: string; width: number },
): void {
  const { body, strokes, solid } = compiled(name);
  context.save();
  context.transform(dx * size, dy * size, -dy * size, dx * size, x, y);
  context.strokeStyle = ink;
  context.lineWidth = width / size;
  if (name === "transformer" || name === "regulator") {
    // Both coils cover the line behind them before either is stroked.
    context.fillStyle = ground;
    context.fill(body as Path2D);
    context.save();
    context.transform(-1, 0, 0, 1, 0, 0);
    context.fill(body as Path2D);
    context.restore();
  } else if (body !== null) {
    context.fillStyle = ground;
    context.fill(body);
  }
  const frame = name === "switch-closed" || name === "switch-open"; // covers the line, and has no outline
  if (body !== null && !frame) {
    context.stroke(body);
  }
  if (strokes !== null) {
    context.stroke(strokes);
  }
  if (solid !== null) {
    context.fillStyle = ink;
    context.fill(solid);
  }
  context.restore();
}
