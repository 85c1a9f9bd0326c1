import { createElement, Fragment } from "react";
import { createRoot, type Root } from "react-dom/client";
import { h } from "../ui/dom.ts";
import type { FileIntake, MadeFile } from "../workspace/index.ts";
import { ExportReport } from "./ExportReport.tsx";
import { FilesReport } from "./FilesReport.tsx";

/** What lies on a picture about files: the one that was made last, and the last batch that was opened. */
export class Reports {
  readonly node = h("div", { class: "wb-Reports" });
  readonly #intake: FileIntake;
  readonly #root: Root;
  #made: MadeFile | Error | null = null;
  #showsTaken = false;

  constructor(intake: FileIntake) {
    this.#intake = intake;
    this.#root = createRoot(this.node);
    this.#draw();
  }

  /** Reports a file that was made, or the error that prevented it. */
  report(made: MadeFile | Error): void {
    this.#made = made;
    this.#draw();
  }

  /** Shows the outcome of the last batch of files, and of those to come. */
  showTaken(): void {
    this.#showsTaken = true;
    this.#draw();
  }

  dispose(): void {
    // After the present render, as a view may be disposed of within one.
    queueMicrotask(() => this.#root.unmount());
  }

  #draw(): void {
    const taken = this.#showsTaken ? createElement(FilesReport, { intake: this.#intake, isShort: true }) : null;
    this.#root.render(createElement(Fragment, null, createElement(ExportReport, { made: this.#made }), taken));
  }
}
