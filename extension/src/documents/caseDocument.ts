import { ABCWidgetFactory, type DocumentRegistry, DocumentWidget } from "@jupyterlab/docregistry";
import { BoxPanel, Widget } from "@lumino/widgets";
import type { LocalOpening, ShownCase } from "@service/widgets/workspace";
import { bytesOfBase64, fileOfBytes } from "../files/files.ts";
import { CaseTab } from "./caseTab.ts";
import type { IWorkspace } from "../tokens.ts";

/** A file of the file browser, opened as a case map. Like every document, it is read again after a reload. */
export class CaseDocument extends DocumentWidget<BoxPanel> {
  readonly #workspace: IWorkspace;

  constructor(workspace: IWorkspace, context: DocumentRegistry.Context) {
    super({ content: new BoxPanel(), context });
    this.#workspace = workspace;
    this.addClass("wb-CaseDocument");
    this.toolbar.hide(); // the map has its own bar
    void this.#open();
  }

  /** Brings the case to the front; panel and commands then act on it. */
  bringToFront(): void {
    this.#tab?.bringToFront();
  }

  /** Whether this document is the view of a case or network. */
  shows(shown: ShownCase): boolean {
    return this.#tab?.shows(shown) === true;
  }

  get #tab(): CaseTab | null {
    return this.content.widgets.find((widget) => widget instanceof CaseTab) ?? null;
  }

  /** Shows what was opened from the file. A file of several networks shows its first here; false leaves it to a tab. */
  #accept(opening: LocalOpening): boolean {
    if (this.#tab !== null || this.isDisposed) {
      return false;
    }
    this.content.addWidget(new CaseTab(this.#workspace, opening));
    this.bringToFront();
    return true;
  }

  async #open(): Promise<void> {
    await this.context.ready;
    if (this.isDisposed) {
      return;
    }
    const name = this.context.contentsModel?.name ?? this.context.path;
    const bytes = bytesOfBase64(this.context.model.toString()) ?? new Uint8Array(); // the server sent base64
    const file = { ...fileOfBytes(name, bytes), onServer: true };
    const outcomes = await this.#workspace.intake.take([file], undefined, (opening) => this.#accept(opening));
    if (!this.isDisposed && this.#tab === null) {
      // The file was a layer or drawing for the case in front, or was refused.
      this.content.addWidget(message(outcomes.map((outcome) => `${outcome.name}: ${outcome.sentence}`).join(" ")));
    }
  }
}

function message(text: string): Widget {
  const widget = new Widget();
  widget.addClass("wb-Message");
  widget.node.setAttribute("role", "status");
  widget.node.textContent = text;
  return widget;
}

/** Makes documents of case files. */
export class CaseDocumentFactory extends ABCWidgetFactory<CaseDocument> {
  readonly #workspace: IWorkspace;

  constructor(workspace: IWorkspace, options: DocumentRegistry.IWidgetFactoryOptions<CaseDocument>) {
    super(options);
    this.#workspace = workspace;
  }

  protected createNewWidget(context: DocumentRegistry.Context): CaseDocument {
    return new CaseDocument(this.#workspace, context);
  }
}
