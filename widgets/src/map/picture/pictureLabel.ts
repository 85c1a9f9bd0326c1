import { formatCount, trans } from "../../text/index.ts";
import { keysText, placingKeysText } from "../gestures/pictureKeys.ts";
import type { Plane } from "../view/scene.ts";
import type { SceneModel } from "../view/sceneModel.ts";

/** A description of the picture and its keys, for screen readers. */
export function pictureLabel(
  { graph, name }: Pick<SceneModel, "graph" | "name">,
  plane: Plane,
  places: boolean,
): string {
  const { busCount } = graph;
  const lineCount = graph.fromRow.length;
  const buses = trans._n("%2 bus", "%2 buses", busCount, formatCount(busCount));
  const lines = trans._n("%2 line", "%2 lines", lineCount, formatCount(lineCount));
  const keys = places ? placingKeysText() : keysText();
  return plane === "map"
    ? trans.__("Map of %1, %2, %3. %4", name, buses, lines, keys)
    : trans.__("Diagram of %1, %2, %3. %4", name, buses, lines, keys);
}
