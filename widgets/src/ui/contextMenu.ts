import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import { h } from "./dom.ts";
import { menuEntries, menuKey } from "./menu.ts";
import { MenuGroups, type MenuItem } from "./MenuGroups.tsx";
import { trans } from "../text/index.ts";

/** The context menu at the pointer, closed by the next click elsewhere or Escape. */
export class ContextMenu {
  readonly node = h("div", {
    class: "wb-Menu-list wb-ContextMenu",
    attributes: { role: "menu", "aria-label": trans.__("Actions for this element"), hidden: "" },
  });
  /** The element that had the focus before; the focus returns to it. */
  #before: HTMLElement | null = null;
  #root: Root | null = null;
  #opened = 0;

  constructor() {
    this.node.addEventListener("keydown", (event) => menuKey(event, menuEntries(this.node), () => this.close()));
    this.node.addEventListener("contextmenu", (event) => event.preventDefault());
    this.node.addEventListener("focusout", (event) => {
      if (!this.node.contains(event.relatedTarget as Node | null)) {
        this.node.hidden = true;
      }
    });
  }

  /** Opens at a point of a picture of the given size; `title` names its element. */
  open(
    title: string | null,
    groups: MenuItem[][],
    point: { x: number; y: number },
    size: { width: number; height: number },
  ): void {
    this.#before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    this.#opened += 1;
    const root = (this.#root ??= createRoot(this.node));
    const items = createElement(MenuGroups, { key: this.#opened, title, groups, done: () => this.close() });
    flushSync(() => root.render(items));
    this.node.hidden = false;
    this.node.style.maxHeight = `${size.height - 8}px`;
    const [wide, tall] = [this.node.offsetWidth, this.node.offsetHeight];
    this.node.style.left = `${Math.max(4, Math.min(size.width - wide - 4, point.x))}px`;
    this.node.style.top = `${Math.max(4, Math.min(size.height - tall - 4, point.y))}px`;
    menuEntries(this.node)[0]?.focus();
  }

  close(): void {
    if (!this.node.hidden) {
      this.node.hidden = true;
      this.#before?.focus();
    }
  }
}
