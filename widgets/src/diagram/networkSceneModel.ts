import { busSizes, type CardContent, type SceneModel, type Target } from "../map/index.ts";
import type { ViewedNetwork } from "../workspace/index.ts";
import { networkCard, withRows } from "./networkCard.ts";
import { OneLine } from "./oneline/index.ts";

/** A network without a Study as the model of a stage; `selected` is called when the selection changes. */
export function networkSceneModel(
  network: ViewedNetwork,
  selected: (target: Target | null) => void,
  more: (target: Target) => CardContent["rows"],
): SceneModel {
  let selection: Target | null = null;
  const closed = network.edges.flatMap((edge, row) => (edge.closed ? [row] : []));
  const open = network.edges.flatMap((edge, row) => (edge.closed ? [] : [row]));
  const classes = { out: open, calm: closed, warning: [], binding: [] };
  const links = network.graph.linkEnds?.map((_, row) => ({
    state: network.links?.[row]?.inService === false ? ("out" as const) : ("between" as const),
    direction: 0,
  }));
  const detail = network.feeder === null ? {} : { detail: new OneLine(network) };
  return {
    ...detail,
    name: network.name,
    graph: network.graph,
    geography: network.geography,
    sizes: busSizes(network.buses.map(({ level }) => level)),
    importance: Float32Array.from(network.buses, ({ level, load, source }) => (source ? 1e6 : 0) + 1e3 * level + load),
    ...(links === undefined ? {} : { links }),
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
    card: (target) => withRows(networkCard(network, target), more(target)),
  };
}
