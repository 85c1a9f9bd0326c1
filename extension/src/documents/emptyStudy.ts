import type { TranslationBundle } from "@jupyterlab/translation";
import { Widget } from "@lumino/widgets";
import type { AcceptOpening, IntakeFile } from "@service/widgets/workspace";
import type { IWorkspace } from "../tokens.ts";

/** What a new Study file shows: it begins with a case, chosen or dropped here. */
export class EmptyStudy extends Widget {
  #drops: { dispose(): void } | null = null;

  /** `accept` shows what is opened; `begun` is called when a batch of files has been taken in. */
  constructor(workspace: IWorkspace, accept: AcceptOpening, trans: TranslationBundle, begun: () => void) {
    super();
    this.addClass("wb-Message");
    this.addClass("wb-EmptyStudy");
    const told = document.createElement("p");
    told.setAttribute("role", "status");
    told.textContent = trans.__("This Study is empty. Choose a case, or drop its file here.");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "jp-mod-styled";
    button.textContent = trans.__("Choose a Case…");
    const take = async (files: readonly IntakeFile[]): Promise<void> => {
      if (files.length > 0) {
        const outcomes = await workspace.intake.take(files, undefined, accept);
        told.textContent = outcomes.map(({ name, sentence }) => `${name}: ${sentence}`).join(" ");
        begun();
      }
    };
    const files = import("@service/widgets/files");
    button.addEventListener("click", () => void files.then(async ({ chooseFiles }) => take(await chooseFiles())));
    this.node.append(told, button);
    void files.then(({ DropZone }) => {
      if (!this.isDisposed) {
        this.#drops = new DropZone(this.node, (dropped) => void take(dropped));
      }
    });
  }

  override dispose(): void {
    this.#drops?.dispose();
    super.dispose();
  }
}
