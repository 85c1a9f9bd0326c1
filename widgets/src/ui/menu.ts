import { button, h } from "./dom.ts";

/** One item of a menu. */
export interface MenuItem {
  label: string;
  run(): void;
  /** Whether it is the chosen item of its group; undefined for items that are not choices. */
  checked?: boolean;
  /** Why it is disabled. */
  disabled?: string | null;
  /** Items of a submenu that it opens instead of running. */
  items?: readonly MenuItem[];
  /** Whether the reason is shown below the label instead of as a tooltip. */
  explains?: boolean;
}

/** Items that belong together, with or without a heading. */
export interface MenuGroup {
  title: string;
  items: MenuItem[];
}

/** A button with a menu: arrow keys move, Escape closes it and returns the focus. */
export class Menu {
  readonly node: HTMLElement;
  readonly #button: HTMLButtonElement;
  readonly #list = h("div", { class: "wb-Menu-list", attributes: { role: "menu", hidden: "" } });
  readonly #items: () => Promise<(MenuItem[] | MenuGroup)[]>;
  #open = false;

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
    this.#list.replaceChildren();
    const groups = open ? await this.#items() : [];
    if (this.#open && this.#list.childElementCount === 0) {
      this.#list.replaceChildren(...menuGroups(groups, () => this.#close()));
      this.#list.hidden = false;
      this.#place();
      this.#entries[0]?.focus();
    }
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

/** Renders the items of a menu; `done` is called before an item runs. */
export function menuGroups(groups: readonly (MenuItem[] | MenuGroup)[], done: () => void): HTMLElement[] {
  const parts = groups.map((group) => (Array.isArray(group) ? { title: "", items: group } : group));
  return parts
    .filter(({ items }) => items.length > 0)
    .map(({ title, items }) => {
      const heading = title === "" ? [] : [h("div", { class: "wb-Menu-title", text: title })];
      const attributes = { role: "group", ...(title === "" ? {} : { "aria-label": title }) };
      return h("div", { attributes }, ...heading, ...items.map((item) => menuItem(item, done)));
    });
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

/** Labels longer than this may be cut. */
const LONG = 36;

/** An item with a submenu below it. */
function submenu({ label, items = [] }: MenuItem, done: () => void): HTMLElement {
  const list = h(
    "div",
    { class: "wb-Menu-more", attributes: { role: "group", "aria-label": label, hidden: "" } },
    ...items.map((item) => menuItem(item, done)),
  );
  const entry = h("button", {
    class: "wb-Menu-item",
    text: label,
    attributes: { type: "button", role: "menuitem", tabindex: "-1", "aria-expanded": "false" },
    on: {
      click: () => {
        list.hidden = !list.hidden;
        entry.setAttribute("aria-expanded", String(!list.hidden));
      },
    },
  });
  return h("div", {}, entry, list);
}

function menuItem(item: MenuItem, done: () => void): HTMLElement {
  if (item.items !== undefined) {
    return submenu(item, done);
  }
  const { label, run, checked, disabled = null, explains = false } = item;
  const entry = h("button", {
    class: "wb-Menu-item",
    text: label,
    attributes: {
      type: "button",
      role: checked === undefined ? "menuitem" : "menuitemradio",
      tabindex: "-1",
      ...(label.length > LONG ? { title: label } : {}),
    },
    on: {
      click: () => {
        if (disabled === null) {
          done();
          run();
        }
      },
    },
  });
  if (checked !== undefined) {
    entry.setAttribute("aria-checked", String(checked));
  }
  if (disabled !== null) {
    entry.setAttribute("aria-disabled", "true");
    entry.title = disabled;
    entry.setAttribute("aria-description", disabled);
    if (explains) {
      entry.append(h("span", { class: "wb-Menu-why", text: disabled, attributes: { "aria-hidden": "true" } }));
    }
  }
  return entry;
}
