import { h } from "../dom.ts";
import { Pages } from "./pages.ts";

/** A plain table of a picture's content, one page at a time. It is built only while it is open. */
export abstract class PictureTable {
  readonly node = h("div", { class: "wb-Table", attributes: { hidden: "" } });
  protected readonly pages = new Pages(() => {
    this.node.scrollTop = 0;
    this.update();
  });

  get open(): boolean {
    return !this.node.hidden;
  }

  /** Opens or closes the table. */
  toggle(open: boolean): void {
    this.node.hidden = !open;
    this.update();
  }

  /** Shows the present content at the same scroll position; does nothing while closed. */
  update(): void {
    if (!this.open) {
      return;
    }
    const scrolled = this.node.scrollTop;
    this.node.replaceChildren(...this.content());
    this.node.scrollTop = scrolled;
  }

  /** The table of the present page, with the elements above and below it. */
  protected abstract content(): HTMLElement[];
}
