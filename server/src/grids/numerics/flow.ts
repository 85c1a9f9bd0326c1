// Linear flows: weighted graph Laplacians factored once and solved directly. Every sum has a fixed order, so the result has the
// same bits everywhere.

/** An edge of a network with its weight (susceptance in per unit). */
export interface Edge {
  a: number;
  b: number;
  weight: number;
}

/**
 * The factors A = L D L^T of a graph Laplacian plus a diagonal over the nodes that are not held at zero. Nodes are eliminated in
 * the order of least degree (Tinney and Walker 1967, scheme 2), ties by the time their degree was reached.
 */
export class Factor {
  readonly #size: number;
  readonly #order: number[] = [];
  /** By step: the nodes that the eliminated one was joined to, and its column of L. */
  readonly #rows: Int32Array[] = [];
  readonly #columns: Float64Array[] = [];
  readonly #pivots: number[] = [];

  /**
   * @param own what is added to the diagonal by node; may be negative where the whole stays positive definite.
   * @throws when it does not stay so.
   */
  constructor(size: number, edges: readonly Edge[], held: Uint8Array, own?: Float64Array) {
    this.#size = size;
    const diagonal = own ? own.slice() : new Float64Array(size);
    const links: Map<number, number>[] = Array.from({ length: size }, () => new Map<number, number>());
    const link = (a: number, b: number, weight: number): void => {
      const row = links[a] as Map<number, number>;
      row.set(b, (row.get(b) ?? 0) + weight);
    };
    for (const { a, b, weight } of edges) {
      diagonal[a] = (diagonal[a] as number) + weight;
      diagonal[b] = (diagonal[b] as number) + weight;
      if (held[a] || held[b]) continue;
      link(a, b, weight);
      link(b, a, weight);
    }
    // Nodes by degree; one whose degree has changed since is met again where it belongs.
    const byDegree: number[][] = [];
    const file = (node: number): void => {
      const degree = links[node]?.size as number;
      (byDegree[degree] ??= []).push(node);
    };
    const open = new Uint8Array(size);
    for (let i = size - 1; i >= 0; i -= 1) {
      if (held[i]) continue;
      open[i] = 1;
      file(i);
    }
    for (let degree = 0; degree < byDegree.length;) {
      const node = byDegree[degree]?.pop();
      if (node === undefined) {
        degree += 1;
        continue;
      }
      if (!open[node] || links[node]?.size !== degree) continue;
      open[node] = 0;
      const around = [...(links[node] as Map<number, number>)];
      const pivot = diagonal[node] as number;
      if (!(pivot > 0)) throw new Error("A linear flow has no solution: its matrix is not positive definite.");
      around.forEach(([a, wa], i) => {
        links[a]?.delete(node);
        diagonal[a] = (diagonal[a] as number) - (wa * wa) / pivot;
        for (const [b, wb] of around.slice(i + 1)) {
          const fill = (wa * wb) / pivot;
          link(a, b, fill);
          link(b, a, fill);
        }
      });
      for (const [a] of around) {
        file(a);
        degree = Math.min(degree, links[a]?.size as number);
      }
      this.#order.push(node);
      this.#pivots.push(pivot);
      this.#rows.push(Int32Array.from(around, ([a]) => a));
      this.#columns.push(Float64Array.from(around, ([, w]) => w / pivot));
    }
  }

  /** Solves A x = rhs; x is zero at the nodes held. */
  solve(rhs: Float64Array): Float64Array {
    const y = rhs.slice();
    const x = new Float64Array(this.#size);
    this.#order.forEach((node, step) => {
      const value = y[node] as number;
      const [rows, columns] = [this.#rows[step] as Int32Array, this.#columns[step] as Float64Array];
      for (let k = 0; k < rows.length; k += 1) {
        const row = rows[k] as number;
        y[row] = (y[row] as number) + (columns[k] as number) * value;
      }
    });
    for (let step = this.#order.length - 1; step >= 0; step -= 1) {
      const node = this.#order[step] as number;
      const [rows, columns] = [this.#rows[step] as Int32Array, this.#columns[step] as Float64Array];
      let value = (y[node] as number) / (this.#pivots[step] as number);
      for (let k = 0; k < rows.length; k += 1) value += (columns[k] as number) * (x[rows[k] as number] as number);
      x[node] = value;
    }
    return x;
  }
}

/** Angles in radians for injections in per unit, the first node at zero. */
export function angles(size: number, edges: readonly Edge[], injections: Float64Array): Float64Array {
  const held = new Uint8Array(size);
  held[0] = 1;
  return new Factor(size, edges, held).solve(injections);
}
