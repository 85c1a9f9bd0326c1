import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import { button, h } from "./dom.ts";
import { type MenuGroup, MenuGroups, type MenuItem } from "./MenuGroups.tsx";

/** A button with a menu: arrow keys move, Escape closes it and returns the focus. */
export class Menu {
  readonly node: HTMLElement;
  readonly #button: HTMLButtonElement;
  readonly #list = h("div", { class: "wb-Menu-list", attributes: { role: "menu", hidden: "" } });
  readonly #items: () => Promise<(MenuItem[] | MenuGroup)[]>;
  #root: Root | null = null;
  #open = false;
  /** How often the menu has been opened or closed. */
  #turns = 0;

  /** `items` returns the groups of items whenever the menu is opened. */
  constructor(label: string, icon: string, items: () => Promise<(MenuItem[] | MenuGroup)[]>) {
    this.#items = items;
    this.#button = button(label, () => void this.#toggle(!this.#open), { icon });
    this.#button.setAttribute("aria-haspopup", "menu");
    this.#button.setAttribute("aria-expanded", "false");
    this.#list.setAttribute("aria-label", label);
    this.node = h("div", { class: "wb-Menu" }, this.#button, this.#list);
    this.#list.addEventListener("keydown", (event) => menuKey(event, this.#entries, () => this.#close()));
    this.node.addEventListener("focusout", (event) => {
      if (!this.node.contains(event.relatedTarget as Node | null)) {
        void this.#toggle(false);
      }
    });
  }

  async #toggle(open: boolean): Promise<void> {
    this.#open = open;
    this.#button.setAttribute("aria-expanded", String(open));
    this.#list.hidden = true; // hides the previous items while the present ones are loaded
    this.#turns += 1;
    const turn = this.#turns;
    const groups = open ? await this.#items() : [];
    if (turn !== this.#turns) {
      return;
    }
    if (!open) {
      this.#root?.render(null);
      return;
    }
    const root = (this.#root ??= createRoot(this.#list));
    flushSync(() => root.render(createElement(MenuGroups, { key: turn, groups, done: () => this.#close() })));
    this.#list.hidden = false;
    this.#place();
    this.#entries[0]?.focus();
  }

  #close(): void {
    void this.#toggle(false);
    this.#button.focus();
  }

  /** Places the list below the button, inside the map. */
  #place(): void {
    const map = this.node.closest(".wb-Map") ?? document.body;
    const [box, own] = [map.getBoundingClientRect(), this.#button.getBoundingClientRect()];
    const right = Math.min(box.right - own.right, box.width - this.#list.offsetWidth - 4);
    this.#list.style.top = `${own.bottom - box.top}px`;
    this.#list.style.right = `${Math.max(4, right)}px`;
    this.#list.style.maxHeight = `${Math.max(120, box.bottom - own.bottom - 8)}px`;
  }

  get #entries(): HTMLElement[] {
    return menuEntries(this.#list);
  }
}

/** The items that keys can reach. */
export function menuEntries(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[role^="menuitem"]')].filter(
    (entry) => entry.closest("[hidden]") === null,
  );
}

/** Handles a key pressed in a menu. */
export function menuKey(event: KeyboardEvent, entries: readonly HTMLElement[], close: () => void): void {
  const at = entries.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    entries.at(to % entries.length)?.focus();
  } else if (event.key === "Escape") {
    event.preventDefault();
    event.stopPropagation();
    close();
  }
}
