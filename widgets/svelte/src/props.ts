import type { BranchQuantity, CaseMap, CaseMapView, MapStyle, Quantity } from "@service/widgets/map";
import type { OpenLarge, PanelStorage } from "@service/widgets/panel";
import type { CaseSession, IWorkspace, ViewedNetwork } from "@service/widgets/workspace";

/** What a case map is shown with. Another `workspace` or `session` gives another map, everything else changes the one that is there. */
export interface CaseMapProps {
  workspace: IWorkspace;
  /** The Study that is shown; several maps may show one. */
  session: CaseSession;
  /** Height of the picture, px; without it the map fills what it is put into. */
  height?: number;
  /** What the buses are coloured by; by default the price, or what the formulation has in its place. */
  quantity?: Quantity;
  /** What the lines are coloured by; by default their loading. */
  branchQuantity?: BranchQuantity;
  /** How the map is drawn. */
  mapStyle?: MapStyle;
  /** Is told what somebody chose to colour buses and lines by, and how to draw them. */
  onchosen?: (buses: Quantity, lines: BranchQuantity, style: MapStyle) => void;
  /** Is given the map once it is in the page. */
  onready?: (map: CaseMap) => void;
}

/** How a map begins. */
export function viewOf({ height, quantity, branchQuantity, mapStyle }: CaseMapProps): CaseMapView {
  return {
    ...(height !== undefined && { height }),
    ...(quantity !== undefined && { quantity }),
    ...(branchQuantity !== undefined && { branchQuantity }),
    ...(mapStyle !== undefined && { style: mapStyle }),
  };
}

/** What the viewer of a network without prices is shown with: a feeder, or a case whose base problem has no solution. */
export interface NetworkViewProps {
  workspace: IWorkspace;
  network: ViewedNetwork;
}

/** What the Study panel is shown with: it follows the case in front of the workspace. */
export interface StudyPanelProps {
  workspace: IWorkspace;
  /** Height, px; without it the panel fills what it is put into, and is at least 20 lines high. */
  height?: number;
  /** Shows a table large; without it tables stay in the panel. */
  openLarge?: OpenLarge;
  /** Remembers which sections are open; the local storage of the page by default. */
  storage?: PanelStorage;
}
