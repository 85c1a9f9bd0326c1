import { busSizes, type CardContent, type StageSubject, type Target } from "../map/index.ts";
import type { ViewedNetwork } from "../workspace/index.ts";

/** A network without a Study as the subject of a stage; `selected` is told when the selection is another. */
export function networkSubject(network: ViewedNetwork, selected: (target: Target | null) => void): StageSubject {
  let selection: Target | null = null;
  const closed = network.edges.flatMap((edge, row) => (edge.closed ? [row] : []));
  const open = network.edges.flatMap((edge, row) => (edge.closed ? [] : [row]));
  return {
    name: network.name,
    graph: network.graph,
    geography: network.geography,
    sizes: busSizes(network.buses.map(({ level }) => level)),
    classify: () => ({ out: open, calm: closed, warning: [], binding: [] }),
    get selected() {
      return selection;
    },
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
