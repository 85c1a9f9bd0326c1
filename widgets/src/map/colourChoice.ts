import type { BasemapChoice } from "./userBasemap/basemapChoice.ts";
import { type CaseSession, PRICE } from "../workspace/index.ts";
import type { MapStyle } from "./style/mapStyle.ts";
import type { MapColours } from "./colour/mapColours.ts";
import { branchQuantities, type BranchQuantity, busQuantities, LOADING, type Quantity } from "./colour/quantities.ts";

/** Options of a map. */
export interface CaseMapView {
  /** Height of the picture, px; by default that of the container. */
  height?: number;
  /** The quantity of the buses; by default the price, or else the first that the formulation has. */
  quantity?: Quantity;
  branchQuantity?: BranchQuantity;
  /** The style of the map. */
  style?: MapStyle;
  /** The basemap; by default that of the page's settings. */
  basemap?: BasemapChoice | null;
}

/** Called with the user's choice of quantities and style. */
export type ChosenQuantities = (buses: Quantity, lines: BranchQuantity, style: MapStyle) => void;

/** The initial quantities of a map: the requested ones, else those saved with the session, else price and loading. */
export function firstQuantities(
  session: CaseSession,
  requested: Pick<CaseMapView, "quantity" | "branchQuantity">,
): [buses: Quantity, lines: BranchQuantity] {
  const saved = session.view.view;
  const known = (name: string | undefined, all: ReadonlyMap<string, unknown>): string | undefined =>
    name !== undefined && all.has(name) ? name : undefined;
  return [
    requested.quantity ?? known(saved.quantity, busQuantities(session)) ?? PRICE,
    requested.branchQuantity ?? known(saved.lines, branchQuantities(session)) ?? LOADING,
  ];
}

/** The user's choices on a map: quantities of buses and lines, and the style. */
export class ColourChoice {
  readonly #session: CaseSession;
  readonly #colours: MapColours;
  readonly #chosen: ChosenQuantities;
  readonly #refresh: () => void;

  constructor(session: CaseSession, colours: MapColours, chosen: ChosenQuantities, refresh: () => void) {
    this.#session = session;
    this.#colours = colours;
    this.#chosen = chosen;
    this.#refresh = refresh;
  }

  /** The present quantities. */
  get shown(): { buses: Quantity; lines: BranchQuantity } {
    return { buses: this.#colours.quantity, lines: this.#colours.branchQuantity };
  }

  choose(quantity: Quantity): void {
    this.#colours.choose(quantity);
    this.#changed();
  }

  chooseLines(quantity: BranchQuantity): void {
    this.#colours.branchQuantity = quantity;
    this.#changed();
  }

  restyle(part: Partial<MapStyle>): void {
    this.#colours.style = { ...this.#colours.style, ...part };
    this.#changed();
  }

  /** Shows the quantity that a view beside the map requests, if the case has it. */
  showRequested(name: string | null): void {
    if (name !== null && busQuantities(this.#session).has(name)) {
      this.choose(name);
    } else if (name !== null && branchQuantities(this.#session).has(name)) {
      this.chooseLines(name);
    }
  }

  #changed(): void {
    this.#refresh();
    this.#chosen(this.#colours.quantity, this.#colours.branchQuantity, this.#colours.style);
  }
}
