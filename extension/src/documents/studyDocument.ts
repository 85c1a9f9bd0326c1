import { showErrorMessage } from "@jupyterlab/apputils";
import { ABCWidgetFactory, type DocumentModel, type DocumentRegistry, DocumentWidget } from "@jupyterlab/docregistry";
import { UUID } from "@lumino/coreutils";
import type { Contents } from "@jupyterlab/services";
import type { TranslationBundle } from "@jupyterlab/translation";
import { BoxPanel, Widget } from "@lumino/widgets";
import { errorText, visibleText } from "@service/widgets/text";
import {
  type CaseSession,
  codeOf,
  type FeederChange,
  type GeographyChange,
  type LocalOpening,
  openedFeeder,
  type OpeningHost,
  type ShownCase,
  type StudyAbout,
  StudyWriter,
  type ViewedNetwork,
} from "@service/widgets/workspace";
import { base64OfBytes, bytesOfBase64 } from "../files/files.ts";
import { CaseTab } from "./caseTab.ts";
import { EmptyStudy } from "./emptyStudy.ts";
import type { IWorkspace } from "../tokens.ts";

/**
 * A Study file as a document: map and panel show it, and every change of its states, plans or positions makes it dirty. The text of
 * the file is made when it is saved, which takes a moment; saving, Save As, Revert, autosave and the check for changes on disk are
 * those of every document.
 */
export class StudyDocument extends DocumentWidget<BoxPanel> implements OpeningHost {
  readonly #workspace: IWorkspace;
  readonly #contents: Contents.IManager;
  readonly #trans: TranslationBundle;
  #session: CaseSession | null = null;
  /** The feeder, where the file is its power flow. */
  #network: ViewedNetwork | null = null;
  #writer: StudyWriter | null = null;
  #about: StudyAbout;
  /** Whether the text of the model is being set from here. */
  #writing = false;
  /** Counts changes of what is shown, to see those that come while it is being saved. */
  #changes = 0;
  /** While the Study is saved as another file: how many of the changes that file has. */
  #savedAs: number | null = null;
  /** Which content is being opened: a newer one gives an older one up. */
  #opening = 0;

  constructor(
    workspace: IWorkspace,
    contents: Contents.IManager,
    context: DocumentRegistry.Context,
    trans: TranslationBundle,
  ) {
    super({ content: new BoxPanel(), context });
    this.#workspace = workspace;
    this.#contents = contents;
    this.#trans = trans;
    this.#about = { id: UUID.uuid4(), title: titleOf(context.path) };
    this.addClass("wb-StudyDocument");
    this.addClass("wb-CaseDocument");
    this.toolbar.hide(); // the map has its own bar
    // A context takes the text of its model as it is when it saves: the Study has to be written before.
    const save = context.save.bind(context);
    context.save = async () => {
      const written = await this.#write();
      await save();
      if (this.#changes > written && !this.isDisposed) {
        context.model.dirty = true; // which a context takes away with every save
      }
    };
    const saveAs = context.saveAs.bind(context);
    context.saveAs = async () => {
      this.#savedAs = await this.#write();
      try {
        return await saveAs();
      } finally {
        this.#savedAs = null;
      }
    };
    // Before anything else hears of it.
    this.#contents.fileChanged.connect(this.#fileChanged, this);
    void context.ready.then(() => {
      if (!this.isDisposed) {
        context.model.contentChanged.connect(this.#contentChanged, this);
        return this.#open();
      }
    });
  }

  /** Shows what was opened: the Study of the file, or in an empty file the case that it is to be about. */
  accept(opening: LocalOpening): boolean {
    const isStudy = opening.kind === "case" || opening.network.feeder !== null;
    if (!isStudy || this.#session !== null || this.#network !== null || this.isDisposed) {
      return false;
    }
    if (opening.kind === "case") {
      this.#session = opening.session;
      this.#writer = new StudyWriter(opening.session);
    } else {
      this.#network = opening.network;
    }
    this.#clear();
    this.content.addWidget(new CaseTab(this.#workspace, opening));
    this.bringToFront();
    return true;
  }

  /** Puts what this document shows in front, for panel and commands. */
  bringToFront(): void {
    const tab = this.content.widgets.find((widget) => widget instanceof CaseTab);
    tab?.bringToFront();
  }

  /** Whether this document is the view of a case or network. */
  shows(shown: ShownCase): boolean {
    return shown === (this.#session ?? this.#network);
  }

  override dispose(): void {
    if (!this.isDisposed) {
      this.#contents.fileChanged.disconnect(this.#fileChanged, this);
      this.#forget();
      super.dispose();
    }
  }

  /** Opens the content of the file; what was shown before is closed. */
  async #open(): Promise<void> {
    this.#opening += 1;
    const opening = this.#opening;
    this.#changes = 0;
    this.#forget();
    const bytes = bytesOfBase64(this.context.model.toString()) ?? new Uint8Array(); // the server sent base64
    if (bytes.length === 0) {
      this.content.addWidget(new EmptyStudy(this.#workspace, this, this.#trans, () => this.#begun()));
      return;
    }
    const current = (): boolean => !this.isDisposed && opening === this.#opening;
    try {
      await this.#read(bytes, current);
      this.#follow();
    } catch (error) {
      if (current()) {
        this.#clear();
        this.content.addWidget(message(this.#trans.__("The Study was not opened: %1", errorText(error))));
      }
    }
  }

  /** Shows a Study, or the power flow of a feeder. Rejects with EngineError. */
  async #read(bytes: Uint8Array, current: () => boolean): Promise<void> {
    const { engine } = this.#workspace;
    try {
      const bundle = await engine.readStudyBundle(bytes);
      if (current()) {
        const { id, title, case: about } = bundle.document;
        this.#about = { id, title, caseId: about.id };
        await this.#workspace.openStudy(bundle, { origin: this, local: false });
      }
    } catch (error) {
      const feeder = codeOf(error) === "STUDY_FILE.SCHEMA" ? await openedFeeder(engine, bytes) : null;
      if (feeder === null) {
        throw error;
      }
      if (current()) {
        this.#workspace.openFeeder(feeder, { origin: this, local: false });
      }
    }
  }

  /** An empty file has got its case. A feeder is written once it is solved. */
  #begun(): void {
    this.#follow();
    if (this.#session !== null || (this.#network?.feeder?.solution ?? null) !== null) {
      this.#changed();
    }
  }

  /** Every change makes the document dirty. */
  #follow(): void {
    const session = this.#session;
    session?.history.changed.connect(this.#changed, this);
    session?.plans.changed.connect(this.#changed, this);
    session?.geography.changed.connect(this.#placed, this);
    this.#network?.feeder?.changed.connect(this.#solved, this);
  }

  #solved(_: unknown, change: FeederChange): void {
    if (change === "result") {
      this.#changed();
    }
  }

  #changed(): void {
    this.#changes += 1;
    this.context.model.dirty = true;
  }

  /** Positions and drawings are saved, the progress of an automatic layout is not. */
  #placed(_: unknown, change: GeographyChange): void {
    if (change !== "layout") {
      this.#changed();
    }
  }

  /**
   * Puts the Study as it is now into the model, and says how many changes that has. Rejects after it has told why it cannot be
   * written.
   */
  async #write(): Promise<number> {
    const { model, path } = this.context;
    const changes = this.#changes;
    if (!model.dirty) {
      return changes;
    }
    try {
      const bytes = await this.#bytes(path.endsWith(".gz"));
      if (bytes === null) {
        return changes;
      }
      this.#writing = true;
      model.fromString(base64OfBytes(bytes));
      (model as DocumentModel).sharedModel.clearUndoHistory(); // whole files, of which none comes back
      return changes;
    } catch (error) {
      void showErrorMessage(this.#trans.__("File Save Error for %1", visibleText(path)), errorText(error));
      throw error;
    } finally {
      this.#writing = false;
    }
  }

  /** The file of what is shown; null where nothing is, or a feeder that nobody has solved. */
  async #bytes(gzip: boolean): Promise<Uint8Array | null> {
    const { engine } = this.#workspace;
    if (this.#writer !== null) {
      return engine.writeStudyBundle(await this.#writer.bundle(this.#about), { gzip });
    }
    const text = (await this.#network?.feeder?.save()) ?? null;
    return text === null ? null : engine.writeMcStudyBundle(text, { gzip });
  }

  /**
   * As soon as another file has what this one shows, JupyterLab closes this document and opens that one: nothing is left to ask, and a
   * question would take the focus from the document that opens. What was changed since is asked about.
   */
  #fileChanged(_: unknown, { type, newValue }: Contents.IChangedArgs): void {
    const { model, path } = this.context;
    if (this.#savedAs === this.#changes && type === "save" && newValue?.path !== path) {
      model.dirty = false;
    }
  }

  #contentChanged(): void {
    if (!this.#writing) {
      void this.#open(); // reverted
    }
  }

  #forget(): void {
    const session = this.#session;
    session?.history.changed.disconnect(this.#changed, this);
    session?.plans.changed.disconnect(this.#changed, this);
    session?.geography.changed.disconnect(this.#placed, this);
    this.#network?.feeder?.changed.disconnect(this.#solved, this);
    this.#session = this.#writer = this.#network = null;
    this.#clear();
  }

  #clear(): void {
    [...this.content.widgets].forEach((widget) => widget.dispose());
  }
}

function titleOf(path: string): string {
  return visibleText(path.replace(/^.*\//, "")).replace(/\.study\.json(\.gz)?$/i, "");
}

function message(text: string): Widget {
  const widget = new Widget();
  widget.addClass("wb-Message");
  widget.node.setAttribute("role", "alert");
  widget.node.textContent = text;
  return widget;
}

/** Makes documents of Study files. */
export class StudyDocumentFactory extends ABCWidgetFactory<StudyDocument> {
  readonly #workspace: IWorkspace;
  readonly #contents: Contents.IManager;
  readonly #trans: TranslationBundle;

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
    return new StudyDocument(this.#workspace, this.#contents, context, this.#trans);
  }
}
