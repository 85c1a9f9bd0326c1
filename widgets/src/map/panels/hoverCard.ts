import { h } from "../../ui/dom.ts";
import type { CardContent } from "../view/sceneModel.ts";

/** Time that the pointer has to rest on one element, ms. */
const REST_MS = 120;

/** The card beside the pointer: name and numbers of the element under it. */
export class HoverCard {
  readonly node = h("div", { class: "wb-Card", attributes: { hidden: "" } });
  #again: (() => void) | null = null;
  /** Rows that were computed later, and the key of their element. */
  #more: { key: string; rows: CardContent["rows"] } | null = null;
  #shown = "";

  hide(): void {
    this.#again = null;
    this.#shown = "";
    this.node.hidden = true;
  }

  /** Shows the present numbers; does nothing while the card is hidden. */
  refresh(): void {
    this.#again?.();
  }

  /** Shows the content of `describe` near a point of a picture of the given size. */
  show(describe: () => CardContent, point: { x: number; y: number }, width: number, height: number): void {
    this.#again = (): void => this.show(describe, point, width, height);
    const { title, rows, more } = describe();
    const key = [title, ...rows.flat()].join();
    const late = this.#more?.key === key ? this.#more.rows : [];
    if (more !== undefined && key !== this.#shown) {
      void this.#follow(key, more);
    }
    this.#shown = key;
    const line = ([term, value]: [string, string], part = ""): HTMLElement[] => {
      return [h("dt", { text: term, class: part }), h("dd", { text: value })];
    };
    // The components belong to the first number.
    const list = [
      ...rows.slice(0, 1).flatMap((row) => line(row)),
      ...late.flatMap((row) => line(row, "wb-mod-part")),
      ...rows.slice(1).flatMap((row) => line(row)),
    ];
    this.node.replaceChildren(h("div", { class: "wb-Card-title", text: title }), h("dl", {}, ...list));
    this.node.hidden = false;
    const [w, tall] = [this.node.offsetWidth, this.node.offsetHeight];
    const left = point.x + 14 + w > width ? point.x - 14 - w : point.x + 14;
    const top = Math.max(4, Math.min(height - tall - 4, point.y - tall / 2));
    this.node.style.transform = `translate(${Math.max(4, left)}px, ${top}px)`;
  }

  async #follow(key: string, more: NonNullable<CardContent["more"]>): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const rows = this.#shown === key ? await more() : [];
    if (this.#shown === key) {
      this.#more = { key, rows };
      this.refresh();
    }
  }
}
