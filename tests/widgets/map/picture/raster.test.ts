// Shapes drawn pixel by pixel: their coverage against areas in closed form, and how they overlap.
import t from "tap";
import { capsule, convex, disc, type Ink, type Pixels } from "@service/widgets/map";

const BLACK = 0xff000000;
/** White ink: the green byte of a pixel is its coverage. */
const WHITE: Ink = { rb: 0x00ff00ff, g: 0x0000ff00, weight: 256 };

function blank(width = 60, height = 40): Pixels {
  return { width, height, words: new Uint32Array(width * height).fill(BLACK) };
}

/** The number of covered pixels, each by its share. */
function covered({ words }: Pixels): number {
  return words.reduce((sum, word) => sum + ((word >>> 8) & 255) / 255, 0);
}

t.test("areas have their closed-form coverage", async (t) => {
  const close = (pixels: Pixels, area: number, what: string): void => {
    const found = covered(pixels);
    t.ok(Math.abs(found - area) < 0.03 * area + 0.45, `${what}: ${found.toFixed(2)}, not ${area.toFixed(2)}`);
    t.ok(
      pixels.words.every((word) => word >>> 24 === 255),
      "every pixel stays opaque",
    );
  };
  for (let k = 0; k < 12; k += 1) {
    const angle = 0.55 * k;
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    for (const [half, length] of [
      [2, 12],
      [0.8, 15],
      [0.25, 14],
      [3, 0],
    ] as const) {
      const pixels = blank();
      const [x, y] = [30.3 + 0.1 * k, 20.7];
      capsule(
        pixels,
        x - (dx * length) / 2,
        y - (dy * length) / 2,
        x + (dx * length) / 2,
        y + (dy * length) / 2,
        half,
        WHITE,
      );
      // A line thinner than a pixel has soft edges of half a pixel and an opacity given by its width.
      const thin = 2 * half * (half + 0.5) ** 2 * length;
      const area = half < 0.5 ? thin : 2 * half * length + Math.PI * half ** 2;
      close(pixels, area, `a line of width ${2 * half} and length ${length} at ${angle}`);
    }
    const round = blank();
    disc(round, 30 + 0.13 * k, 20 - 0.07 * k, 2 + 0.3 * k, WHITE);
    close(round, Math.PI * (2 + 0.3 * k) ** 2, `a disc of radius ${2 + 0.3 * k}`);
    const triangle = blank();
    const corners = [0, 1, 2].map((corner) => {
      const at = angle + (2 * Math.PI * corner) / 3;
      return [30.2 + 9 * Math.cos(at), 20.1 + 9 * Math.sin(at)] as const;
    });
    convex(triangle, corners, WHITE);
    close(triangle, ((3 * Math.sqrt(3)) / 4) * 81, "a triangle");
    const other = blank();
    convex(other, corners.toReversed(), WHITE);
    t.strictSame(other.words, triangle.words, "whichever way round its corners go");
  }
});

t.test("shapes outside the picture are not drawn, and those across its edge are clipped", async (t) => {
  const outside = blank();
  capsule(outside, -20, 5, -5, 30, 3, WHITE);
  capsule(outside, 10, 60, 50, 47, 3, WHITE);
  disc(outside, -9, 20, 8, WHITE);
  convex(
    outside,
    [
      [70, 10],
      [80, 10],
      [75, 20],
    ],
    WHITE,
  );
  t.equal(covered(outside), 0);
  const crossing = blank();
  capsule(crossing, -1e6, 20, 1e6, 20, 2, WHITE);
  t.ok(Math.abs(covered(crossing) - 4 * 60) < 1, "a line far beyond both edges");
  const half = blank();
  disc(half, 60, 20, 10, WHITE);
  t.ok(Math.abs(covered(half) - 50 * Math.PI) < 1.5, "half a disc");
});

t.test("opaque inks replace pixels, others blend by their weight", async (t) => {
  const pixels = blank();
  disc(pixels, 30, 20, 8, { rb: 0x00000040, g: 0x00008000, weight: 256 });
  const at = 20 * 60 + 30;
  t.equal(pixels.words[at], 0xff008040);
  disc(pixels, 30, 20, 8, { rb: 0x00800000, g: 0, weight: 128 });
  t.equal(pixels.words[at], 0xff404020, "half of each");
  disc(pixels, 30, 20, 8, WHITE);
  t.equal(pixels.words[at], 0xffffffff);
});
