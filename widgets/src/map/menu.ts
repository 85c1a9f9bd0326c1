import { button, h } from "./dom.ts";

/** One line of a menu. */
export interface MenuItem {
  label: string;
  run(): void;
}

/** A button with a menu below it: arrow keys move, Escape closes and gives the focus back. */
export class Menu {
  readonly node: HTMLElement;
  readonly #button: HTMLButtonElement;
  readonly #list = h("div", { class: "wb-Menu-list", attributes: { role: "menu", hidden: "" } });
  readonly #items: () => Promise<MenuItem[][]>;

  /** `items` gives the groups of lines when the menu is opened. */
  constructor(label: string, icon: string, items: () => Promise<MenuItem[][]>) {
    this.#items = items;
    this.#button = button(label, () => void this.#toggle(this.#list.hidden), { icon });
    this.#button.setAttribute("aria-haspopup", "menu");
    this.#button.setAttribute("aria-expanded", "false");
    this.#list.setAttribute("aria-label", label);
    this.node = h("div", { class: "wb-Menu" }, this.#button, this.#list);
    this.#list.addEventListener("keydown", (event) => this.#keyed(event));
    this.node.addEventListener("focusout", (event) => {
      if (!this.node.contains(event.relatedTarget as Node | null)) {
        void this.#toggle(false);
      }
    });
  }

  async #toggle(open: boolean): Promise<void> {
    this.#button.setAttribute("aria-expanded", String(open));
    this.#list.hidden = !open;
    if (open) {
      const groups = (await this.#items()).filter((group) => group.length > 0);
      this.#list.replaceChildren(
        ...groups.map((group) => h("div", { attributes: { role: "group" } }, ...group.map((item) => this.#item(item)))),
      );
      this.#place();
      this.#entries[0]?.focus();
    }
  }

  /** Keeps the list inside the map, below the button. */
  #place(): void {
    const map = this.node.closest(".wb-Map") ?? document.body;
    const [box, own] = [map.getBoundingClientRect(), this.#button.getBoundingClientRect()];
    this.#list.style.top = `${own.bottom - box.top}px`;
    this.#list.style.right = `${box.right - own.right}px`;
    this.#list.style.maxHeight = `${Math.max(120, box.bottom - own.bottom - 8)}px`;
  }

  #item({ label, run }: MenuItem): HTMLElement {
    const entry = h("button", {
      class: "wb-Menu-item",
      text: label,
      attributes: { type: "button", role: "menuitem", tabindex: "-1" },
      on: {
        click: () => {
          void this.#toggle(false);
          this.#button.focus();
          run();
        },
      },
    });
    return entry;
  }

  get #entries(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  }

  #keyed(event: KeyboardEvent): void {
    const entries = this.#entries;
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      entries.at(to % entries.length)?.focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      void this.#toggle(false);
      this.#button.focus();
    }
  }
}
