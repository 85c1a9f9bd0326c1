import type { McSolution } from "@service/engine";

/** The voltage that colours a bus. */
export type BusVoltage = "lowest" | "highest" | "1" | "2" | "3" | "neutral";

export const BUS_VOLTAGES: readonly BusVoltage[] = ["lowest", "highest", "1", "2", "3", "neutral"];

/** Rows of terminals, conductors and loads by bus, computed once per feeder. */
export class FeederRows {
  /** Rows of the terminals of each bus. */
  readonly terminals: readonly (readonly number[])[];
  readonly #isPhase: Float64Array;
  readonly #names: readonly string[];
  readonly #elements: Map<string, number>;
  /** Rows of the conductors of each element, and of those at each bus. */
  readonly #ofElement: readonly (readonly number[])[];
  readonly #atBus: readonly (readonly number[])[];

  constructor({ rows, columns }: McSolution) {
    this.#elements = new Map(rows.elements.map((name, row) => [name.toLowerCase(), row]));
    const [ofElement, atBus]: [number[][], number[][]] = [rows.elements.map(() => []), rows.buses.map(() => [])];
    columns.conductor_element?.forEach((element, row) => {
      ofElement[element]?.push(row);
      atBus[columns.terminal_bus?.[columns.conductor_terminal?.[row] ?? -1] ?? -1]?.push(row);
    });
    [this.#ofElement, this.#atBus] = [ofElement, atBus];
    const of: number[][] = rows.buses.map(() => []);
    columns.terminal_bus?.forEach((bus, row) => of[bus]?.push(row));
    this.terminals = of;
    this.#isPhase = columns.is_phase ?? new Float64Array();
    this.#names = rows.terminals;
  }

  /** Row of an element by the kind and name of an edge; -1 where the result has none. */
  elementRow(kind: string, id: string): number {
    const names = [`${kind}.${id}`, `line.${id}`, id];
    return names.map((name) => this.#elements.get(name.toLowerCase())).find((row) => row !== undefined) ?? -1;
  }

  /** Rows of the conductors of an element, those of its first end first. */
  conductorsOf(element: number): readonly number[] {
    return this.#ofElement[element] ?? [];
  }

  /** Rows of the conductors that end at a bus. */
  conductorsAt(bus: number): readonly number[] {
    return this.#atBus[bus] ?? [];
  }

  isPhase(row: number): boolean {
    return this.#isPhase[row] === 1;
  }

  /** One number for each bus, NaN where a bus has no such terminal. */
  byBus(which: BusVoltage, values: Float64Array): Float64Array {
    return Float64Array.from(this.terminals, (rows) => this.#one(which, rows, values));
  }

  #one(which: BusVoltage, rows: readonly number[], values: Float64Array): number {
    const at = (row: number): number => values[row] ?? NaN;
    if (which === "lowest" || which === "highest") {
      const phases = rows
        .filter((row) => this.isPhase(row))
        .map(at)
        .filter(Number.isFinite);
      return phases.length === 0 ? NaN : which === "lowest" ? Math.min(...phases) : Math.max(...phases);
    }
    const neutral = which === "neutral";
    const row = rows.find((one) => (neutral ? !this.isPhase(one) : this.isPhase(one) && this.#names[one] === which));
    return row === undefined ? NaN : at(row);
  }
}
