import { busSizes, type CardContent, type StageSubject, type Target } from "../map/index.ts";
import type { ViewedNetwork } from "../workspace/index.ts";

/** A network without a Study as the subject of a stage; `selected` is told when the selection is another. */
export function networkSubject(network: ViewedNetwork, selected: (target: Target | null) => void): StageSubject {
  let selection: Target | null = null;
  const closed = network.edges.flatMap((edge, row) => (edge.closed ? [row] : []));
  const open = network.edges.flatMap((edge, row) => (edge.closed ? [] : [row]));
  const classes = { out: open, calm: closed, warning: [], binding: [] };
  return {
    name: network.name,
    graph: network.graph,
    geography: network.geography,
    sizes: busSizes(network.buses.map(({ level }) => level)),
    importance: Float32Array.from(network.buses, ({ level, load, source }) => (source ? 1e6 : 0) + 1e3 * level + load),
    branches: { classes, places: null, palette: [], directions: null },
    get selected() {
      return selection;
    },
    get selection() {
      return selection === null ? [] : [selection];
    },
    shortName: (row) => network.buses[row]?.name ?? String(network.buses[row]?.id ?? ""),
    select: (target) => {
      selection = target;
      selected(target);
    },
    card: (target) => networkCard(network, target),
  };
}

/** Name and facts of a bus, line, switch or transformer. */
export function networkCard(network: ViewedNetwork, { kind, row }: Target): CardContent {
  if (kind === "bus") {
    const bus = network.buses[row];
    const name = bus?.name == null ? "" : ` (${bus.name})`;
    return { title: `Bus ${bus?.id ?? ""}${name}${bus?.source ? ", source" : ""}`, rows: bus?.facts ?? [] };
  }
  const edge = network.edges[row];
  const what = edge === undefined ? "" : edge.kind.charAt(0).toUpperCase() + edge.kind.slice(1);
  return { title: `${what} ${edge?.id ?? ""} (${edge?.from ?? ""} to ${edge?.to ?? ""})`, rows: edge?.facts ?? [] };
}
