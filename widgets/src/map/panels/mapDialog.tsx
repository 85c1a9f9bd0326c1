import type { ReactElement } from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import { trans } from "../../text/index.ts";
import { h } from "../../ui/dom.ts";

/** What a dialog shows. */
export interface MapForm {
  readonly title: string;
  /** Draws the form; `close` closes the dialog. */
  draw(close: () => void): ReactElement;
}

/** A dialog over the right part of a picture, with one form at a time. */
export class MapDialog {
  readonly node = h("div", { class: "wb-Form", attributes: { role: "dialog", tabindex: "-1", hidden: "" } });
  readonly #closed: () => void;
  #root: Root | null = null;
  #form: MapForm | null = null;
  #shown = 0;

  /** `closed` is called after the dialog has been closed. */
  constructor(closed: () => void) {
    this.#closed = closed;
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        this.#close();
      }
    });
  }

  dispose(): void {
    this.#root?.unmount();
  }

  /** Shows a form with its first values, in place of the one before. */
  show(form: MapForm): void {
    this.#form = form;
    this.#shown += 1;
    this.node.hidden = false;
    this.node.setAttribute("aria-label", form.title);
    flushSync(() => this.update());
    this.node.focus();
  }

  /** Draws the form anew after changes made elsewhere; what is being typed stays. */
  update(): void {
    if (this.#form === null) {
      return;
    }
    const close = (): void => this.#close();
    this.#root ??= createRoot(this.node);
    this.#root.render(
      <div className="wb-Form-content" key={this.#shown}>
        <div className="wb-Form-head">
          <h3>{this.#form.title}</h3>
          <button type="button" className="wb-Button" title={trans.__("Close")} onClick={close}>
            {trans.__("Close")}
          </button>
        </div>
        {this.#form.draw(close)}
      </div>,
    );
  }

  #close(): void {
    this.#form = null;
    this.#root?.render(null);
    this.node.hidden = true;
    this.#closed();
  }
}
