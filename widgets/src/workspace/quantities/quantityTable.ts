import type { Column, ColumnElement } from "@service/engine";

/**
 * A number for every element of one kind by dense row, NaN outside the problem: a column of the engine, under any name.
 */
export type NamedQuantity = Omit<Column, "name"> & { readonly name: string };

/**
 * The quantities of one exact state by name. The formulation determines which exist: views request those they need and
 * show nothing for absent ones.
 */
export class QuantityTable {
  readonly #byName: ReadonlyMap<string, NamedQuantity>;

  constructor(quantities: Iterable<NamedQuantity>) {
    this.#byName = new Map(Array.from(quantities, (quantity) => [quantity.name, quantity]));
  }

  /** The quantities of one kind of element, in the order of the engine. */
  of(element: ColumnElement): NamedQuantity[] {
    return [...this.#byName.values()].filter((quantity) => quantity.element === element);
  }

  /** Whether all of these quantities exist. */
  has(...names: readonly string[]): boolean {
    return names.every((name) => this.#byName.has(name));
  }

  /** The values of a quantity; null where the state does not have it. */
  values(name: string): Float64Array | null {
    return this.#byName.get(name)?.values ?? null;
  }

  /** All quantities. */
  byName(): ReadonlyMap<string, Float64Array> {
    return new Map(Array.from(this.#byName, ([name, { values }]) => [name, values]));
  }

  /** One value; NaN where the quantity or the row is absent. */
  at(name: string, row: number): number {
    return this.#byName.get(name)?.values[row] ?? NaN;
  }

  /** The values of several quantities by name; null where one is absent. */
  pick<Name extends string>(...names: Name[]): Record<Name, Float64Array> | null {
    const picked = names.map((name) => [name, this.values(name)] as const);
    return picked.some(([, values]) => values === null)
      ? null
      : (Object.fromEntries(picked) as Record<Name, Float64Array>);
  }

  /** The same table with some quantities added or replaced. */
  with(...quantities: readonly NamedQuantity[]): QuantityTable {
    return new QuantityTable([...this.#byName.values(), ...quantities]);
  }
}
