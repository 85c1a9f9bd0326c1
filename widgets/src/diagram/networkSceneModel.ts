import { busSizes, type CardContent, type SceneModel, type Target } from "../map/index.ts";
import { capitalised, trans } from "../text/index.ts";
import type { ViewedEdge, ViewedNetwork } from "../workspace/index.ts";

/** A network without a Study as the model of a stage; `selected` is told when the selection is another. */
export function networkSceneModel(network: ViewedNetwork, selected: (target: Target | null) => void): SceneModel {
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
    const id = bus?.id ?? "";
    const name = bus?.name == null ? trans.__("Bus %1", id) : trans.__("Bus %1 (%2)", id, bus.name);
    return { title: bus?.source ? trans.__("%1, source", name) : name, rows: bus?.facts ?? [] };
  }
  const edge = network.edges[row];
  return { title: edge === undefined ? "" : edgeTitle(edge), rows: edge?.facts ?? [] };
}

function edgeTitle({ kind, id, from, to }: ViewedEdge): string {
  switch (kind) {
    case "line":
      return trans.__("Line %1 (%2 to %3)", id, from, to);
    case "switch":
      return trans.__("Switch %1 (%2 to %3)", id, from, to);
    case "transformer":
      return trans.__("Transformer %1 (%2 to %3)", id, from, to);
    default:
      return trans.__("%4 %1 (%2 to %3)", id, from, to, capitalised(kind));
  }
}
