import { ABCWidgetFactory, type DocumentRegistry, DocumentWidget } from "@jupyterlab/docregistry";
import type { Contents } from "@jupyterlab/services";
import type { TranslationBundle } from "@jupyterlab/translation";
import { BoxPanel, Widget } from "@lumino/widgets";
import type { ShownCase } from "@service/widgets/workspace";
import { CaseTab } from "./caseTab.ts";
import { EmptyStudy } from "./emptyStudy.ts";
import { StudyContent } from "./studyContent.ts";
import type { IWorkspace } from "../tokens.ts";

/** A view of a Study file: map and panel show its content, which all views of the document share. */
export class StudyDocument extends DocumentWidget<BoxPanel> {
  readonly #workspace: IWorkspace;
  readonly #study: StudyContent;
  readonly #trans: TranslationBundle;

  constructor(workspace: IWorkspace, study: StudyContent, context: DocumentRegistry.Context, trans: TranslationBundle) {
    super({ content: new BoxPanel(), context });
    this.#workspace = workspace;
    this.#study = study;
    this.#trans = trans;
    this.addClass("wb-StudyDocument");
    this.addClass("wb-CaseDocument");
    this.toolbar.hide(); // the map has its own bar
    study.changed.connect(this.#draw, this);
    this.#draw();
  }

  /** Brings the case to the front; panel and commands then act on it. */
  bringToFront(): void {
    const tab = this.content.widgets.find((widget) => widget instanceof CaseTab);
    tab?.bringToFront();
  }

  /** Whether this document is the view of a case or network. */
  shows(shown: ShownCase): boolean {
    return shown === this.#study.shownCase;
  }

  override dispose(): void {
    if (!this.isDisposed) {
      this.#study.changed.disconnect(this.#draw, this);
      this.#clear(); // before their session ends
      super.dispose();
    }
  }

  #clear(): void {
    [...this.content.widgets].forEach((widget) => widget.dispose());
  }

  #draw(): void {
    this.#clear();
    const { shown } = this.#study;
    switch (shown.kind) {
      case "reading":
        return;
      case "empty":
        this.content.addWidget(
          new EmptyStudy(this.#workspace, this.#study.accept, this.#trans, () => this.#study.begun()),
        );
        return;
      case "opened":
        this.content.addWidget(new CaseTab(this.#workspace, shown.opening, { ends: false }));
        this.bringToFront();
        return;
      case "failed":
        this.content.addWidget(message(shown.text));
    }
  }
}

function message(text: string): Widget {
  const widget = new Widget();
  widget.addClass("wb-Message");
  widget.node.setAttribute("role", "alert");
  widget.node.textContent = text;
  return widget;
}

/** Makes documents of Study files. Views of one document share its content, which ends with the last view. */
export class StudyDocumentFactory extends ABCWidgetFactory<StudyDocument> {
  readonly #workspace: IWorkspace;
  readonly #contents: Contents.IManager;
  readonly #trans: TranslationBundle;
  readonly #open = new Map<DocumentRegistry.Context, { study: StudyContent; views: number }>();

  constructor(
    workspace: IWorkspace,
    contents: Contents.IManager,
    trans: TranslationBundle,
    options: DocumentRegistry.IWidgetFactoryOptions<StudyDocument>,
  ) {
    super(options);
    this.#workspace = workspace;
    this.#contents = contents;
    this.#trans = trans;
  }

  protected createNewWidget(context: DocumentRegistry.Context): StudyDocument {
    const open = this.#open.get(context) ?? {
      study: new StudyContent(this.#workspace, this.#contents, context, this.#trans),
      views: 0,
    };
    this.#open.set(context, open);
    open.views += 1;
    const document = new StudyDocument(this.#workspace, open.study, context, this.#trans);
    document.disposed.connect(() => {
      open.views -= 1;
      if (open.views === 0) {
        this.#open.delete(context);
        open.study.dispose();
      }
    });
    return document;
  }
}
