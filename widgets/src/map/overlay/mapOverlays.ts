import { type ISignal, Signal } from "@lumino/signaling";
import { trans } from "../../text/index.ts";
import { plainColour } from "../../ui/cssColour.ts";
import type { GeneratorKey } from "../style/generatorSymbols.ts";
import type { Overlay } from "./overlay.ts";

/** The layers of one map, and which of them are shown. */
export class MapOverlays {
  readonly #changed = new Signal<this, void>(this);
  #all: readonly Overlay[] = [];
  #hidden: ReadonlySet<string> = new Set();
  #key: GeneratorKey | null = null;
  #remove: (name: string) => void = () => undefined;

  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get all(): readonly Overlay[] {
    return this.#all;
  }

  get shown(): readonly Overlay[] {
    return this.#all.filter(({ name }) => !this.#hidden.has(name));
  }

  /** The legend of the layers; null without layers. It is the same object while the layers are. */
  get key(): GeneratorKey | null {
    return this.#key;
  }

  /** Sets the layers of a notebook; `remove` reports to it that the user removed one. */
  set(all: readonly Overlay[], remove: (name: string) => void): void {
    this.#all = all;
    this.#remove = remove;
    this.#report();
  }

  isShown(name: string): boolean {
    return !this.#hidden.has(name);
  }

  show(name: string, shown: boolean): void {
    const others = [...this.#hidden].filter((one) => one !== name);
    this.#hidden = new Set(shown ? others : [...others, name]);
    this.#report();
  }

  remove(name: string): void {
    this.#all = this.#all.filter((one) => one.name !== name);
    this.#report();
    this.#remove(name);
  }

  #report(): void {
    const entries = this.shown.map(({ name, color }) => ({ colour: plainColour(color), text: name }));
    this.#key = entries.length === 0 ? null : { title: trans.__("Layers"), entries };
    this.#changed.emit();
  }
}
