import type { TranslationBundle } from "@jupyterlab/translation";
import { Widget } from "@lumino/widgets";
import type { AcceptOpening, IntakeFile } from "@service/widgets/workspace";
import type { IWorkspace } from "../tokens.ts";

/** The view of a new Study file, in which the user chooses or drops a case. */
export class EmptyStudy extends Widget {
  #drops: { dispose(): void } | null = null;

  /** `accept` shows the opened case; `begun` is called when a batch of files has been read. */
  constructor(workspace: IWorkspace, accept: AcceptOpening, trans: TranslationBundle, begun: () => void) {
    super();
    this.addClass("wb-Message");
    this.addClass("wb-EmptyStudy");
    const note = document.createElement("p");
    note.setAttribute("role", "status");
    note.textContent = trans.__("This Study is empty. Choose a case, or drop its file here.");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "jp-mod-styled";
    button.textContent = trans.__("Choose a Case…");
    const take = async (files: readonly IntakeFile[]): Promise<void> => {
      if (files.length > 0) {
        const outcomes = await workspace.intake.take(files, undefined, accept);
        note.textContent = outcomes.map(({ name, sentence }) => `${name}: ${sentence}`).join(" ");
        begun();
      }
    };
    const files = import("@service/widgets/files");
    button.addEventListener("click", () => void files.then(async ({ chooseFiles }) => take(await chooseFiles())));
    this.node.append(note, button);
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
