import { type ISignal, Signal } from "@lumino/signaling";
import { plainColour } from "./cssColour.ts";

/** Colours of the picture that do not encode a number, as the stylesheet resolves them for the present theme. */
export interface Theme {
  dark: boolean;
  /** Whether high contrast is requested. */
  contrast: boolean;
  ground: string;
  /** The basemap: its areas, its lines and its names. */
  land: string;
  water: string;
  border: string;
  county: string;
  placeName: string;
  stateName: string;
  text: string;
  muted: string;
  branch: string;
  warning: string;
  binding: string;
  casing: string;
  /** The outline of every bus, and the arrowheads on lines. */
  rim: string;
  arrow: string;
  idle: string;
  accent: string;
  /** The phases of a feeder. */
  phases: readonly [string, string, string];
  font: string;
}

/** Follows the theme of the page: JupyterLab's where it has one, otherwise the system's. */
export class ThemeWatcher {
  readonly #root: HTMLElement;
  readonly #system = matchMedia("(prefers-color-scheme: dark)");
  readonly #observer = new MutationObserver(() => this.#update());
  readonly #changed = new Signal<this, void>(this);
  #theme: Theme;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#theme = this.#read();
    this.#observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-name", "class"] });
    this.#system.addEventListener("change", this.#update);
  }

  /** Emitted when the theme has changed. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get theme(): Theme {
    return this.#theme;
  }

  /** Reads the colours again, for a root that has just been attached. */
  refresh(): void {
    this.#update();
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#system.removeEventListener("change", this.#update);
    Signal.clearData(this);
  }

  readonly #update = (): void => {
    this.#theme = this.#read();
    this.#changed.emit();
  };

  #read(): Theme {
    const light = document.body.dataset["jpThemeLight"];
    const dark = light === undefined ? this.#system.matches : light === "false";
    this.#root.classList.toggle("wb-mod-dark", dark);
    const contrast = highContrast();
    this.#root.classList.toggle("wb-mod-contrast", contrast);
    const style = getComputedStyle(this.#root);
    const colour = (name: string): string => plainColour(style.getPropertyValue(`--wb-${name}`).trim());
    return {
      dark,
      contrast,
      ground: colour("ground"),
      land: colour("land"),
      water: colour("water"),
      border: colour("border"),
      county: colour("county"),
      placeName: colour("place-name"),
      stateName: colour("state-name"),
      text: colour("text"),
      muted: colour("muted"),
      branch: colour("branch"),
      warning: colour("warning"),
      binding: colour("binding"),
      casing: colour("casing"),
      rim: colour("rim"),
      arrow: colour("arrow"),
      idle: colour("idle"),
      accent: colour("exact"),
      phases: [colour("phase-1"), colour("phase-2"), colour("phase-3")],
      font: style.fontFamily,
    };
  }
}

/** Whether the theme, or the system, requests high contrast. */
function highContrast(): boolean {
  const theme = document.body.dataset["jpThemeName"] ?? "";
  return /high contrast/i.test(theme) || matchMedia("(prefers-contrast: more)").matches;
}

/** Whether the system requests reduced motion. */
export function prefersReducedMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
