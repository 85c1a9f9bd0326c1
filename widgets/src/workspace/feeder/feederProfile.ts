import type { McSolution } from "@service/engine";

/** A point of the profile: distance from the source in km, voltage per unit, and the name of the terminal. */
export interface ProfilePoint {
  x: number;
  y: number;
  name: string;
}

/** Phases with more segments are drawn by what can be told apart: by how many places across and along the chart. */
const ALL = 1000;
const [ACROSS, ALONG] = [160, 80];

/** Voltage against distance from the source, phase by phase. */
export class FeederProfile {
  readonly #solution: McSolution;
  /** By phase: rows of the terminals at both ends of each segment, one after the other. */
  readonly #segments = new Map<string, number[]>();
  /** By terminal, km. */
  readonly #distance: Float64Array;

  constructor(solution: McSolution) {
    this.#solution = solution;
    const { rows, columns } = solution;
    const { conductor_element: element, conductor_end: end, conductor_terminal: terminal } = columns;
    const { terminal_bus: bus, distance_m: distance, is_phase: phase } = columns;
    this.#distance = Float64Array.from(bus ?? [], (row) => (distance?.[row] ?? NaN) / 1000);
    if (!element || !end || !terminal || !phase) return;
    // The conductors of an element at its first end come before those at the other, in the same order.
    for (let row = 0; row < element.length;) {
      const ends: [number[], number[]] = [[], []];
      for (const of = element[row]; row < element.length && element[row] === of; row += 1) {
        ends[end[row] === 2 ? 1 : 0].push(terminal[row] ?? -1);
      }
      ends[0].forEach((from, k) => {
        const to = ends[1][k] ?? -1;
        const name = rows.terminals[from] ?? "";
        if (phase[from] !== 1 || phase[to] !== 1 || rows.terminals[to] !== name) return;
        const list = this.#segments.get(name) ?? [];
        list.push(from, to);
        this.#segments.set(name, list);
      });
    }
  }

  /**
   * The lines by phase for voltages of all terminals, p.u.: pairs of points, a gap after each pair. Of many segments between the same
   * places of a chart there is one.
   */
  lines(voltages: Float64Array): Map<string, (ProfilePoint | null)[]> {
    const lines = [...this.#segments].sort(([a], [b]) => a.localeCompare(b));
    return new Map(lines.map(([phase, ends]) => [phase, this.#line(ends, voltages)]));
  }

  #line(ends: readonly number[], voltages: Float64Array): (ProfilePoint | null)[] {
    const few = ends.length <= 2 * ALL;
    const across = few ? null : places(ends, this.#distance, ACROSS);
    const along = few ? null : places(ends, voltages, ALONG);
    const drawn = new Set<number>();
    const points: (ProfilePoint | null)[] = [];
    for (let k = 0; k < ends.length; k += 2) {
      const [from, to] = [ends[k] ?? -1, ends[k + 1] ?? -1];
      if (across !== null && along !== null) {
        const [a, b] = [across(from) * ALONG + along(from), across(to) * ALONG + along(to)];
        const key = Math.min(a, b) * ACROSS * ALONG + Math.max(a, b);
        if (drawn.has(key)) continue;
        drawn.add(key);
      }
      points.push(this.#point(from, voltages), this.#point(to, voltages), null);
    }
    return points;
  }

  #point(terminal: number, voltages: Float64Array): ProfilePoint {
    const { rows, columns } = this.#solution;
    return {
      x: this.#distance[terminal] ?? NaN,
      y: voltages[terminal] ?? NaN,
      name: `${rows.buses[columns.terminal_bus?.[terminal] ?? -1] ?? ""}.${rows.terminals[terminal] ?? ""}`,
    };
  }
}

/** Which of `count` places between the least and the greatest value of some rows a row has; the first for what is no number. */
function places(rows: readonly number[], values: Float64Array, count: number): (row: number) => number {
  let [low, high] = [Infinity, -Infinity];
  for (const row of rows) {
    const value = values[row] ?? NaN;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const scale = high > low ? (count - 1) / (high - low) : 0;
  return (row) => Math.round(((values[row] ?? NaN) - low) * scale) || 0;
}
