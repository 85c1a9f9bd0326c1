import { busRadius } from "./busMarks.ts";
import { zoomFactor } from "../view/camera.ts";
import type { Frame } from "./frame.ts";

/** Width of the side of a symbol and of its outline, pixels. */
export const GENERATOR_LINE = { side: 1.8, rim: 1.6 } as const;

/** A square on the screen: its centre and half of its side. */
export interface GeneratorSquare {
  readonly x: number;
  readonly y: number;
  readonly half: number;
  readonly colour: string;
  /** Fraction of the lower side drawn thick: output relative to capacity. */
  readonly running: number;
}

/** The squares around the buses of generators, the largest first. */
export function generatorSquares(
  frame: Pick<Frame, "geometry" | "camera" | "sizes" | "generators">,
): GeneratorSquare[] {
  const { geometry, camera, generators = [] } = frame;
  const zoom = zoomFactor(camera);
  const radius = busRadius(frame);
  const seen = (x: number, y: number): boolean => x > -20 && y > -20 && x < camera.width + 20 && y < camera.height + 20;
  return generators
    .flatMap(({ row, size, colour, running }) => {
      const [wx, wy] = [geometry.busX[row] ?? NaN, geometry.busY[row] ?? NaN];
      const [x, y] = [camera.screenX(wx, wy), camera.screenY(wx, wy)];
      return seen(x, y) ? [{ x, y, half: radius + size * zoom, colour, running }] : [];
    })
    .sort((a, b) => b.half - a.half);
}

/** Draws the generators: a square around the bus by capacity, whose lower side is thick by the fraction in use. */
export function drawGenerators(
  context: CanvasRenderingContext2D,
  frame: Pick<Frame, "geometry" | "camera" | "sizes" | "theme" | "generators">,
): void {
  const squares = generatorSquares(frame);
  if (squares.length === 0) {
    return;
  }
  const { side, rim } = GENERATOR_LINE;
  context.save();
  context.lineJoin = "miter";
  for (const { x, y, half, colour, running } of squares) {
    context.strokeStyle = frame.theme.casing;
    context.lineWidth = side + rim;
    context.strokeRect(x - half, y - half, 2 * half, 2 * half);
    context.strokeStyle = colour;
    context.lineWidth = side;
    context.strokeRect(x - half, y - half, 2 * half, 2 * half);
    if (running > 0) {
      context.fillStyle = colour;
      context.fillRect(x - half, y + half - 1, 2 * half * Math.min(1, running), 3.4);
    }
  }
  context.restore();
}
