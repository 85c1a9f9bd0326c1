import type { BranchQuantity, CaseMap, CaseMapView, MapStyle, Quantity } from "@service/widgets/map";
import type { OpenLarge, PanelStorage } from "@service/widgets/panel";
import type { CaseSession, IWorkspace, ViewedNetwork } from "@service/widgets/workspace";

/**
 * Properties of a case map. Another `workspace` or `session` creates another map; all other properties change the
 * present one.
 */
export interface CaseMapProps {
  workspace: IWorkspace;
  /** The Study on the map; several maps may share one. */
  session: CaseSession;
  /** Height of the picture, px; by default the map fills its container. */
  height?: number;
  /** The quantity that colours the buses; by default the price, or its substitute in the formulation. */
  quantity?: Quantity;
  /** The quantity that colours the lines; by default their loading. */
  branchQuantity?: BranchQuantity;
  /** Style of the map. */
  mapStyle?: MapStyle;
  /** Called when the user chooses the quantities of buses and lines, or the style. */
  onchosen?: (buses: Quantity, lines: BranchQuantity, style: MapStyle) => void;
  /** Called with the map once it is in the page. */
  onready?: (map: CaseMap) => void;
}

/** The initial view of a map. */
export function viewOf({ height, quantity, branchQuantity, mapStyle }: CaseMapProps): CaseMapView {
  return {
    ...(height !== undefined && { height }),
    ...(quantity !== undefined && { quantity }),
    ...(branchQuantity !== undefined && { branchQuantity }),
    ...(mapStyle !== undefined && { style: mapStyle }),
  };
}

/** Properties of the viewer of a network without prices: a feeder, or a case whose base problem has no solution. */
export interface NetworkViewProps {
  workspace: IWorkspace;
  network: ViewedNetwork;
}

/** Properties of the Study panel, which follows the case in front of the workspace. */
export interface StudyPanelProps {
  workspace: IWorkspace;
  /** Height, px; by default the panel fills its container and is at least 20 lines high. */
  height?: number;
  /** Enlarges a table; without it tables stay in the panel. */
  openLarge?: OpenLarge;
  /** Stores which sections are open; by default the local storage of the page. */
  storage?: PanelStorage;
}
