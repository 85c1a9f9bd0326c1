import type { BasemapChoice } from "./userBasemap/basemapChoice.ts";
import { type CaseSession, PRICE } from "../workspace/index.ts";
import type { MapStyle } from "./style/mapStyle.ts";
import type { MapColours } from "./colour/mapColours.ts";
import { branchQuantities, type BranchQuantity, busQuantities, LOADING, type Quantity } from "./colour/quantities.ts";

/** How a map is shown. */
export interface CaseMapView {
  /** Height of the picture, px; without it the map is as high as what it is put into. */
  height?: number;
  /** What the buses are coloured by, the price by default; where the formulation has none, by the first that it has. */
  quantity?: Quantity;
  branchQuantity?: BranchQuantity;
  /** How it is drawn. */
  style?: MapStyle;
  /** What lies below the network; without it what the settings of the page say. */
  basemap?: BasemapChoice | null;
}

/** Is told what the user chose to colour buses and lines by. */
export type ChosenQuantities = (buses: Quantity, lines: BranchQuantity, style: MapStyle) => void;

/** What a map begins with: what is asked for, else what the session was saved with, else price and loading. */
export function firstQuantities(
  session: CaseSession,
  asked: Pick<CaseMapView, "quantity" | "branchQuantity">,
): [buses: Quantity, lines: BranchQuantity] {
  const saved = session.view.view;
  const known = (name: string | undefined, all: ReadonlyMap<string, unknown>): string | undefined =>
    name !== undefined && all.has(name) ? name : undefined;
  return [
    asked.quantity ?? known(saved.quantity, busQuantities(session)) ?? PRICE,
    asked.branchQuantity ?? known(saved.lines, branchQuantities(session)) ?? LOADING,
  ];
}

/** What the user chooses on a map: quantities of buses and lines, and the style. */
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

  /** What the colours mean now. */
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

  /** Shows what a view beside the map asks for, if the case has it. */
  askedFor(name: string | null): void {
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
