import { capitalised, formatCount, trans } from "../../text/index.ts";
import { type CaseSession, ElementEdit, sameSelection, type Selection } from "../../workspace/index.ts";
import { button, h, setText } from "../../ui/dom.ts";
import { PathPlot } from "./pathPlot.ts";
import { PathTable } from "../../ui/session/pathTable.ts";
import { type Readout, readout } from "../../ui/session/editReadout.ts";
import { EditBarRows } from "./editBarRows.ts";

/**
 * The edit bar below the picture: the exact price of the primary element, a row with slider and typed entry for every
 * selected element, and a sentence on the present position: where the linear estimate is exact, the events at the ends,
 * the exact result beside its preview.
 */
export class EditBar {
  readonly node = h("section", {
    class: "wb-EditBar",
    attributes: { "aria-label": trans.__("Selected elements"), hidden: "" },
  });
  readonly #session: CaseSession;
  readonly #hand: ElementEdit;
  #shown: Selection | null = null;
  /** Why typed text was refused. */
  #refused = "";

  readonly #name = h("div", { class: "wb-EditBar-name" });
  readonly #change = h("div", { class: "wb-EditBar-change" });
  readonly #value = h("div", { class: "wb-EditBar-value" });
  readonly #plotted = h("div", { class: "wb-EditBar-plotted" });
  readonly #clear: HTMLButtonElement;
  readonly #plot: PathPlot;
  readonly #exact = h("input", { attributes: { type: "checkbox", role: "switch" } });
  readonly #exactLabel = h("label", { class: "wb-EditBar-exact" });
  readonly #rows: EditBarRows;
  readonly #readout = h("div", { class: "wb-EditBar-readout" });
  /** Goes to the feasible change nearest to a refused one. */
  readonly #limit = button("", () => this.#goToLimit(), { class: "wb-EditBar-limit" });
  readonly #why = h("p", {});
  readonly #details = h("details", { class: "wb-EditBar-why" }, h("summary", { text: trans.__("Why") }), this.#why);
  #limitMw: number | null = null;
  readonly #table: PathTable;

  /** `left` is called when Escape clears the selection: the focus moves to the picture. */
  constructor(session: CaseSession, left: () => void) {
    this.#session = session;
    const hand = (this.#hand = new ElementEdit(session));
    this.#plot = new PathPlot(session);
    this.#rows = new EditBarRows(session, (why) => this.#showRefusal(why));
    this.#table = new PathTable(session, (mw) => {
      hand.move(mw);
      void hand.release(mw);
    });
    this.#clear = button(trans.__("Clear the selection"), () => this.#leave(left), { class: "wb-mod-link" });
    this.#exact.addEventListener("change", () => {
      session.previewMode = this.#exact.checked ? "exact" : "first_order";
    });
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) {
        event.preventDefault();
        this.#escape(left);
      }
    });
    this.#build();
    this.update();
  }

  /**
   * The selected element of a node in the edit bar: that of its row, or else the primary one; null outside the edit
   * bar.
   */
  elementAt(node: EventTarget | null): Selection | null {
    return node instanceof Node && this.node.contains(node)
      ? (this.#rows.elementAt(node) ?? this.#session.selection)
      : null;
  }

  /** Shows the present selection. */
  update(): void {
    const { selection, selected, capabilities, columnProblem, previewMode, range, opened, showsLive } = this.#session;
    this.node.hidden = selection === null || !showsLive; // only the live state can be edited
    this.node.classList.toggle("wb-mod-several", selected.length > 1);
    const plotted =
      selection?.kind !== "generator" &&
      selection?.kind !== "link" &&
      selection?.kind !== "storage" &&
      (capabilities.has("paths") || (capabilities.has("voltage_estimates") && selection?.kind === "bus"));
    this.node.classList.toggle("wb-mod-unplotted", !plotted);
    if (!sameSelection(selection, this.#shown)) {
      this.#shown = selection;
      this.#refused = "";
    }
    this.#rows.update();
    if (selection !== null) {
      const name = capitalised(opened.nameOf(selection.kind, selection.id));
      setText(this.#name, selected.length > 1 ? trans.__("%1 selected", formatCount(selected.length)) : name);
      const several = selected.length > 1;
      this.#change.hidden = this.#value.hidden = several; // its row shows it
      this.#plotted.hidden = this.#clear.hidden = !several;
      this.#exactLabel.hidden = !capabilities.has("paths");
      this.#exact.disabled = columnProblem !== null;
      this.#exact.checked = previewMode === "exact";
      this.#plot.update(range ?? this.#session.rangeOf(selection));
      this.#table.update();
      this.#showWords();
    }
  }

  /** Shows the numbers that follow the slider. */
  showValue(): void {
    if (this.#session.selection !== null) {
      this.#rows.showValues();
      this.#plot.move();
      this.#showWords();
    }
  }

  dispose(): void {
    this.#rows.dispose();
  }

  #build(): void {
    const exactTitle = trans.__("Show exact prices at every slider position instead of the linear estimate");
    this.#exactLabel.title = exactTitle;
    this.#exactLabel.append(this.#exact, h("span", { text: trans.__("Exact while dragging") }));
    this.node.append(
      h(
        "div",
        { class: "wb-EditBar-head" },
        h("div", { class: "wb-EditBar-element" }, this.#name, this.#change, this.#value, this.#plotted, this.#clear),
        h("div", { class: "wb-EditBar-scale" }, this.#plot.node),
        this.#exactLabel,
      ),
      this.#rows.node,
      h(
        "div",
        { class: "wb-EditBar-words" },
        h("div", { class: "wb-EditBar-messages" }, this.#readout, this.#limit, this.#details),
        this.#table.node,
      ),
    );
  }

  #showWords(): void {
    const { selected, path, opened, status } = this.#session;
    const row = this.#rows.primary;
    if (status.kind === "previewing" || status.kind === "solving") {
      this.#refused = "";
    }
    const shown: Readout = this.#refused === "" ? readout(this.#session) : { text: this.#refused, failed: true };
    const { text, failed, limit, details = "" } = shown;
    const several = selected.length > 1;
    const sentence = several && this.#refused === "" && row !== null ? trans.__("%1: %2", row.name, text) : text;
    if (this.#refused === "") {
      this.#readout.removeAttribute("role");
    } else {
      this.#readout.setAttribute("role", "alert"); // nothing else announces it
    }
    this.#say(sentence);
    this.#readout.classList.toggle("wb-mod-failed", failed);
    this.node.classList.toggle("wb-mod-refused", limit !== undefined || details !== "");
    this.#limitMw = limit?.mw ?? null;
    this.#limit.hidden = limit === undefined;
    if (limit !== undefined) {
      setText(this.#limit, trans.__("Set %1", limit.text));
      this.#limit.title = trans.__("Set %1", limit.text);
      this.#limit.setAttribute("aria-label", this.#limit.title);
    }
    this.#details.hidden = details === "";
    this.#details.open &&= details !== "";
    setText(this.#why, details);
    setText(this.#change, row?.changeText ?? "");
    setText(this.#value, row?.valueText ?? "");
    setText(this.#plotted, path === null ? "" : trans.__("Plot: price at %1", opened.nameOf("bus", path.watchedBus)));
  }

  #goToLimit(): void {
    const mw = this.#limitMw;
    if (mw !== null) {
      this.#hand.move(mw);
      void this.#hand.release(mw);
    }
  }

  /** A sentence longer than its container scrolls, also by keys. */
  #say(sentence: string): void {
    const node = this.#readout;
    if (node.textContent === sentence) {
      return;
    }
    setText(node, sentence);
    node.scrollTop = 0;
    if (node.scrollHeight > node.clientHeight) {
      node.tabIndex = 0;
    } else {
      node.removeAttribute("tabindex");
    }
  }

  #showRefusal(why: string): void {
    this.#refused = why;
    this.#showWords();
  }

  /** Escape first cancels a move, then clears the selection. */
  #escape(left: () => void): void {
    if (this.#session.previewMw === null) {
      this.#leave(left);
    } else {
      this.#rows.letGo();
      this.#session.cancelPreview();
    }
  }

  #leave(left: () => void): void {
    this.#rows.letGo();
    void this.#session.select(null);
    left();
  }
}
