import { createElement, type KeyboardEvent } from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import type { CaseSession, Selection } from "../../workspace/index.ts";
import { h } from "../../ui/dom.ts";
import { type Found, searchElements } from "./searchElements.ts";
import { SearchField } from "./SearchField.tsx";

/** The search over the picture: arrow keys choose, Enter goes there, Escape closes. */
export class Search {
  readonly node = h("div", { class: "wb-Search", attributes: { hidden: "", role: "search" } });
  readonly #session: CaseSession;
  readonly #id: string;
  readonly #chosen: (element: Selection) => void;
  readonly #closed: () => void;
  #root: Root | null = null;
  #text = "";
  #found: readonly Found[] = [];
  #count = 0;
  #at = 0;

  /** `chosen` is called with the chosen element; `closed` after the field has closed. */
  constructor(session: CaseSession, id: string, chosen: (element: Selection) => void, closed: () => void) {
    this.#session = session;
    this.#id = id;
    this.#chosen = chosen;
    this.#closed = closed;
  }

  dispose(): void {
    this.#root?.unmount();
  }

  get open(): boolean {
    return !this.node.hidden;
  }

  /** Opens the field with the previous search selected. */
  focus(): void {
    this.node.hidden = false;
    this.#root ??= createRoot(this.node);
    flushSync(() => this.#search(this.#text));
    const input = this.node.querySelector("input");
    input?.focus();
    input?.select();
  }

  close(): void {
    if (this.open) {
      this.node.hidden = true;
      this.#closed();
    }
  }

  #search(text: string): void {
    this.#text = text;
    ({ found: this.#found, count: this.#count } = searchElements(this.#session, text));
    this.#at = 0;
    this.#draw();
  }

  #draw(): void {
    this.#root?.render(
      createElement(SearchField, {
        id: this.#id,
        typed: this.#text.trim() !== "",
        found: this.#found,
        count: this.#count,
        at: this.#at,
        search: (text) => this.#search(text),
        choose: (k) => this.#choose(k),
        pressed: (event) => this.#pressed(event),
        close: () => this.close(),
      }),
    );
  }

  #choose(k: number): void {
    const found = this.#found[k];
    if (found !== undefined) {
      this.close();
      this.#chosen(found.element);
    }
  }

  #pressed(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && this.#found.length > 0) {
      event.preventDefault();
      this.#at = (this.#at + step + this.#found.length) % this.#found.length;
      this.#draw();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#choose(this.#at);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    }
  }
}
