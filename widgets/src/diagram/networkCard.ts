import type { CardContent, Target } from "../map/index.ts";
import { capitalised, trans } from "../text/index.ts";
import type { ViewedEdge, ViewedNetwork } from "../workspace/index.ts";

/** A card with additional rows. */
export function withRows(card: CardContent, more: CardContent["rows"]): CardContent {
  return { ...card, rows: [...card.rows, ...more] };
}

/** Name and facts of a bus, line, switch or transformer. */
export function networkCard(network: ViewedNetwork, { kind, row }: Target): CardContent {
  if (kind === "bus") {
    const bus = network.buses[row];
    const id = bus?.id ?? "";
    const name = bus?.name == null ? trans.__("Bus %1", id) : trans.__("Bus %1 (%2)", id, bus.name);
    return { title: bus?.source ? trans.__("%1, source", name) : name, rows: bus?.facts ?? [] };
  }
  if (kind === "link") {
    return network.links?.[row] ?? { title: "", rows: [] };
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
