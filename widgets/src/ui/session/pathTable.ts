import {
  eventSentence,
  formatAmount,
  formatDerivative,
  formatPower,
  formatPrice,
  stopSentence,
  trans,
} from "../../text/index.ts";
import {
  type CaseSession,
  type EditedValue,
  editedValue,
  type ElementPath,
  unitOfPath,
} from "../../workspace/index.ts";
import { button, h, setText } from "../dom.ts";

/**
 * The exact path of the selected element in numbers: a row for every segment, ended by its event. Breakpoints are
 * buttons that move the element there. Filled when it is opened.
 */
export class PathTable {
  readonly node: HTMLDetailsElement;
  readonly #session: CaseSession;
  readonly #go: (mw: number) => void;
  readonly #summary = h("summary", {});
  readonly #body = h("div", { class: "wb-Path-body", attributes: { tabindex: "0" } });
  #filled: ElementPath | null = null;

  /** `go` moves the element to a change in MW from the base case. */
  constructor(session: CaseSession, go: (mw: number) => void) {
    this.#session = session;
    this.#go = go;
    this.node = h("details", { class: "wb-Path", attributes: { hidden: "" } }, this.#summary, this.#body);
    this.node.addEventListener("toggle", () => this.update());
  }

  /** Shows the present path. */
  update(): void {
    const { path, opened } = this.#session;
    this.node.hidden = path === null || path.segments.length === 0;
    if (path === null || this.node.hidden) {
      this.#filled = null;
      this.#body.replaceChildren();
      return;
    }
    const count = path.breakpoints.length;
    const breakpoints = count === 0 ? trans.__("no breakpoints") : trans._n("%1 breakpoint", "%1 breakpoints", count);
    setText(this.#summary, trans.__("Exact price at %1: %2", opened.nameOf("bus", path.watchedBus), breakpoints));
    this.#body.setAttribute("aria-label", trans.__("Segments of the exact price path"));
    if (this.node.open && this.#filled !== path) {
      this.#filled = path;
      this.#body.replaceChildren(this.#table(path));
    }
  }

  #table(path: ElementPath): HTMLElement {
    const { opened } = this.#session;
    const unit = unitOfPath(path);
    const heads = [
      trans.__("From, %1", unit),
      trans.__("To, %1", unit),
      trans.__("Price, $/MWh"),
      trans.__("Slope, ($/MWh)/%1", unit),
      trans.__("Then"),
    ];
    const at = opened.nameOf("bus", path.watchedBus);
    const caption = captionOf(editedValue(path.request.selection), at);
    return h(
      "table",
      {},
      h("caption", { text: caption }),
      h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { text, attributes: { scope: "col" } })))),
      h("tbody", {}, ...path.segments.map((_, k) => this.#row(path, k))),
    );
  }

  #row(path: ElementPath, k: number): HTMLElement {
    const segment = path.segments[k];
    if (segment === undefined) {
      return h("tr", {});
    }
    const { from_mw, to_mw, price, slope } = segment;
    const [unit, signed] = [unitOfPath(path), { signed: true }] as const;
    const end = price + slope * (to_mw - from_mw);
    return h(
      "tr",
      {},
      h("td", { text: formatAmount(from_mw, unit, signed) }),
      h("td", { text: formatAmount(to_mw, unit, signed) }),
      h("td", { text: `${formatPrice(price)} \u2192 ${formatPrice(end)}` }),
      h("td", { text: formatDerivative(slope, signed) }),
      h("td", {}, ...this.#then(path, k)),
    );
  }

  /** The end of a segment: a breakpoint to go to, or the end of the path. */
  #then(path: ElementPath, k: number): (HTMLElement | string)[] {
    const { opened } = this.#session;
    const breakpoint = path.breakpoints[k];
    if (k < path.segments.length - 1 && breakpoint !== undefined) {
      const label = eventSentence(breakpoint, opened);
      const go = button(label, () => this.#go(breakpoint.mw), { class: "wb-mod-link" });
      go.title = trans.__("Go to %1", formatPower(breakpoint.mw, unitOfPath(path), { signed: true }));
      go.setAttribute("aria-label", `${go.title}: ${label}`);
      return [go];
    }
    return [stopSentence(path.above, "above", opened, unitOfPath(path)) || trans.__("the end of the slider")];
  }
}

function captionOf(what: EditedValue, at: string): string {
  switch (what) {
    case "shift":
      return trans.__("Price at %1 by change of the phase shift from the base case", at);
    case "rating":
      return trans.__("Price at %1 by change of the rating from the base case", at);
    case "limit":
      return trans.__("Price at %1 by change of the upper limit of the link from the base case", at);
    case "capacity":
    case "p_min":
      return trans.__("Price at %1 by change of the capacity from the base case", at);
    default:
      return trans.__("Price at %1 by change of the demand from the base case", at);
  }
}
