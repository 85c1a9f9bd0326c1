import { formatCount, trans } from "../../text/index.ts";
import { button, h } from "../dom.ts";

const PAGE_ROWS = 100;

/** The displayed page of a long table, and the buttons that turn it. */
export class Pages {
  readonly #turned: () => void;
  #page = 0;

  /** `turned` is called after a button has turned the page. */
  constructor(turned: () => void) {
    this.#turned = turned;
  }

  /** Goes back to the first page. */
  reset(): void {
    this.#page = 0;
  }

  /** The rows of the page out of `total`, first included, last excluded; the last page where the table has shrunk. */
  range(total: number): [first: number, end: number] {
    this.#page = Math.min(this.#page, this.#last(total));
    const first = this.#page * PAGE_ROWS;
    return [first, Math.min(first + PAGE_ROWS, total)];
  }

  /** The buttons with the page number between them; empty where one page holds all rows. */
  buttons(total: number): HTMLElement[] {
    const last = this.#last(total);
    if (last === 0) {
      return [];
    }
    const [first, end] = this.range(total);
    const previous = button(trans.__("Previous"), () => this.#turn(-1));
    const next = button(trans.__("Next"), () => this.#turn(1));
    previous.disabled = this.#page === 0;
    next.disabled = this.#page === last;
    const text = trans.__("%1 to %2 of %3", formatCount(first + 1), formatCount(end), formatCount(total));
    return [h("div", { class: "wb-Table-pager" }, previous, h("span", { text }), next)];
  }

  #last(total: number): number {
    return Math.max(0, Math.ceil(total / PAGE_ROWS) - 1);
  }

  #turn(by: number): void {
    this.#page += by;
    this.#turned();
  }
}
