// Topologies: reading TopoJSON, removing corners, and writing the compact form of the basemap.

/** Numbers (never negative) of the lines of a geometry. */
export function arcsOfGeometry({ arcs = [] }) {
  return arcs.flat(Infinity).map((arc) => (arc < 0 ? ~arc : arc));
}

/** Signed area of a ring of points, square degrees. */
export function ringArea(ring) {
  return ring.reduce((sum, [x, y], k) => {
    const [nx, ny] = ring[(k + 1) % ring.length];
    return sum + (x * ny - nx * y) / 2;
  }, 0);
}

/**
 * A line without its smallest corners: while one spans a triangle below `least` square degrees, the smallest is removed
 * (Visvalingam and Whyatt, The Cartographic Journal 30(1), 1993). Its ends stay, and four points of a closed line.
 */
export function lineWithout(points, least) {
  const remaining = points.map((point) => ({ point, area: Infinity }));
  const closed = points.length > 3 && points[0].every((value, k) => value === points.at(-1)[k]);
  const measure = (k) => {
    if (k > 0 && k < remaining.length - 1)
      remaining[k].area = triangle(remaining[k - 1].point, remaining[k].point, remaining[k + 1].point);
  };
  remaining.forEach((_, k) => measure(k));
  while (remaining.length > (closed ? 4 : 2)) {
    let at = 0;
    remaining.forEach(({ area }, k) => (at = area < remaining[at].area ? k : at));
    if (!(remaining[at].area < least)) break;
    remaining.splice(at, 1);
    measure(at - 1);
    measure(at);
  }
  return remaining.map(({ point }) => point);
}

function triangle([ax, ay], [bx, by], [cx, cy]) {
  const shrink = Math.cos((by * Math.PI) / 180);
  return (Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2) * shrink;
}

/** A topology for the basemap: lines are simplified, and unused ones dropped. */
export class Packed {
  #scale;
  #translate;
  #arcs;

  constructor({ arcs, transform }, simplify) {
    const { scale, translate } = transform;
    this.#scale = scale;
    this.#translate = translate;
    this.#arcs = arcs.map((arc) => {
      let [x, y] = [0, 0];
      const whole = arc.map(([dx, dy]) => [(x += dx), (y += dy)]);
      const degrees = whole.map(([px, py]) => [px * scale[0] + translate[0], py * scale[1] + translate[1]]);
      const wanted = new Set(simplify(degrees));
      return { whole: whole.filter((_, k) => wanted.has(degrees[k])), degrees: degrees.filter((p) => wanted.has(p)) };
    });
  }

  /** Points of a ring of lines, degrees. */
  ring(arcs) {
    return arcs.flatMap((arc) => {
      const { degrees } = this.#arcs[arc < 0 ? ~arc : arc];
      return (arc < 0 ? degrees.toReversed() : degrees).slice(1);
    });
  }

  /**
   * The compact form: `arcs` have x, y and then differences; areas are polygons of rings of lines, ~k for k reversed.
   */
  finish({ areas, lines }) {
    const numbers = new Map();
    const numberOf = (arc) => {
      const own = arc < 0 ? ~arc : arc;
      if (!numbers.has(own)) numbers.set(own, numbers.size);
      const number = numbers.get(own);
      return arc < 0 ? ~number : number;
    };
    const entries = (table, map) => Object.fromEntries(Object.entries(table).map(([name, list]) => [name, map(list)]));
    const packedAreas = entries(areas, (polygons) => polygons.map((rings) => rings.map((ring) => ring.map(numberOf))));
    const packedLines = entries(lines, (list) => list.map(numberOf));
    const arcs = [...numbers.keys()].map((own) => {
      let [x, y] = [0, 0];
      return this.#arcs[own].whole.flatMap(([px, py]) => {
        const step = [px - x, py - y];
        [x, y] = [px, py];
        return step;
      });
    });
    return { scale: this.#scale, translate: this.#translate, arcs, areas: packedAreas, lines: packedLines };
  }
}
