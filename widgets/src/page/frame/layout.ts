import { type ISignal, Signal } from "@lumino/signaling";

/** Screens on which the panel fits beside the map. */
const BESIDE = "(min-width: 960px)";

const STORED = "wattbook:panel";

/** Widths of the panel beside the map, px. */
export const PANEL_WIDTH = { least: 260, most: 640, usual: 360 } as const;

interface StoredLayout {
  width: number;
  /** Whether the panel is open beside the map. Over the map it starts closed. */
  open: boolean;
}

/** Visibility and width of the Study panel, remembered if the browser allows storage. */
export class PageLayout {
  readonly #changed = new Signal<this, void>(this);
  readonly #query = matchMedia(BESIDE);
  #stored = stored();
  #openOver = false;

  constructor() {
    this.#query.addEventListener("change", () => this.#changed.emit());
  }

  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** Whether the panel fits beside the map. */
  get beside(): boolean {
    return this.#query.matches;
  }

  get panelOpen(): boolean {
    return this.beside ? this.#stored.open : this.#openOver;
  }

  /** Width of the panel beside the map, px. */
  get panelWidth(): number {
    return this.#stored.width;
  }

  showPanel(open: boolean): void {
    if (this.beside) {
      this.#keep({ ...this.#stored, open });
    } else {
      this.#openOver = open;
      this.#changed.emit();
    }
  }

  resizePanel(width: number): void {
    this.#keep({ ...this.#stored, width: inLimits(width) });
  }

  #keep(layout: StoredLayout): void {
    this.#stored = layout;
    try {
      localStorage.setItem(STORED, JSON.stringify(layout));
    } catch {
      // Storage is blocked: the choice lasts as long as the page.
    }
    this.#changed.emit();
  }
}

function stored(): StoredLayout {
  try {
    const { width, open } = JSON.parse(localStorage.getItem(STORED) ?? "{}") as Partial<StoredLayout>;
    return { width: inLimits(Number(width ?? PANEL_WIDTH.usual)), open: open !== false };
  } catch {
    return { width: PANEL_WIDTH.usual, open: true }; // storage is blocked or holds invalid data
  }
}

function inLimits(width: number): number {
  const { least, most, usual } = PANEL_WIDTH;
  return Number.isFinite(width) ? Math.round(Math.min(most, Math.max(least, width))) : usual;
}
