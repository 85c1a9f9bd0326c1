/** The lane of a state in the drawing of a tree, and the lines beside it. Lanes count from 0. */
export interface StateLane {
  readonly lane: number;
  /** Lanes with a line above the state, and below it. */
  readonly above: readonly number[];
  readonly below: readonly number[];
  /** Lanes that end here: branches that start from this state. */
  readonly joins: readonly number[];
}

/** Lanes of the states of a tree, the latest first: each state is below those reached from it. */
export function stateLanes(states: readonly { readonly id: number; readonly parent: number | null }[]): StateLane[] {
  /** The state that each lane leads to; null for a free lane. */
  let lanes: (number | null)[] = [];
  const used = (): number[] => lanes.flatMap((to, k) => (to === null ? [] : [k]));
  return states.map(({ id, parent }) => {
    const above = used();
    const mine = above.filter((k) => lanes[k] === id);
    const free = lanes.indexOf(null);
    const lane = mine[0] ?? (free < 0 ? lanes.length : free);
    lanes = lanes.map((to) => (to === id ? null : to));
    lanes[lane] = parent;
    return { lane, above, below: used(), joins: mine.slice(1) };
  });
}
