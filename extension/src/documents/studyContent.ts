import { showErrorMessage } from "@jupyterlab/apputils";
import type { DocumentModel, DocumentRegistry } from "@jupyterlab/docregistry";
import { UUID } from "@lumino/coreutils";
import { type ISignal, Signal } from "@lumino/signaling";
import type { Contents } from "@jupyterlab/services";
import type { TranslationBundle } from "@jupyterlab/translation";
import { errorText, visibleText } from "@service/widgets/text";
import {
  type CaseSession,
  type AcceptOpening,
  codeOf,
  type FeederChange,
  type GeographyChange,
  type LocalOpening,
  openedFeeder,
  type ShownCase,
  type StudyAbout,
  StudyWriter,
  type ViewedNetwork,
} from "@service/widgets/workspace";
import { base64OfBytes, bytesOfBase64 } from "../files/files.ts";
import type { IWorkspace } from "../tokens.ts";

/** State of the views of a Study file: still reading, an empty file without a case, the opened Study, or an error. */
export type StudyShown =
  | { kind: "reading" }
  | { kind: "empty" }
  | { kind: "opened"; opening: LocalOpening }
  | { kind: "failed"; text: string };

/**
 * The content of a Study file, shared by all views of its document: they show one session, and every change of its
 * states, plans or positions makes the document dirty. The text of the file is made when it is saved, which takes a
 * moment. Saving, Save As, Revert, autosave and the check for changes on disk are those of every document.
 */
export class StudyContent {
  readonly #workspace: IWorkspace;
  readonly #contents: Contents.IManager;
  readonly #context: DocumentRegistry.Context;
  readonly #trans: TranslationBundle;
  readonly #changed = new Signal<this, void>(this);
  #shown: StudyShown = { kind: "reading" };
  #writer: StudyWriter | null = null;
  #about: StudyAbout;
  /** Whether the text of the model is being set from here. */
  #writing = false;
  /** Counts changes of the content, to detect those that happen during a save. */
  #changes = 0;
  /** While the Study is saved as another file: the number of changes that the file contains. */
  #savedAs: number | null = null;
  /** Counts openings: a newer one cancels an older one. */
  #opening = 0;
  #isDisposed = false;

  constructor(
    workspace: IWorkspace,
    contents: Contents.IManager,
    context: DocumentRegistry.Context,
    trans: TranslationBundle,
  ) {
    this.#workspace = workspace;
    this.#contents = contents;
    this.#context = context;
    this.#trans = trans;
    this.#about = { id: UUID.uuid4(), title: titleOf(context.path) };
    // A context saves the text of its model as it is, so that the Study must be written before.
    const save = context.save.bind(context);
    context.save = async () => {
      const written = await this.#write();
      await save();
      if (this.#changes > written && !this.#isDisposed) {
        context.model.dirty = true; // which a context resets on every save
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
    // Connected before any other listener.
    this.#contents.fileChanged.connect(this.#fileChanged, this);
    void context.ready.then(() => {
      if (!this.#isDisposed) {
        context.model.contentChanged.connect(this.#contentChanged, this);
        return this.#open();
      }
    });
  }

  /** Emitted when the content changed. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get shown(): StudyShown {
    return this.#shown;
  }

  /** The displayed case or network, if any. */
  get shownCase(): ShownCase | null {
    return this.#session ?? this.#network;
  }

  /** Accepts the opened case: the Study of the file, or the case of an empty file. */
  readonly accept: AcceptOpening = (opening) => {
    const isStudy = opening.kind === "case" || opening.network.feeder !== null;
    if (!isStudy || this.#shown.kind === "opened" || this.#isDisposed) {
      return false;
    }
    this.#writer = opening.kind === "case" ? new StudyWriter(opening.session) : null;
    this.#show({ kind: "opened", opening });
    return true;
  };

  /** An empty file has received its case. A feeder is written after its first solve. */
  begun(): void {
    this.#follow();
    if (this.#session !== null || (this.#network?.feeder?.solution ?? null) !== null) {
      this.#touched();
    }
  }

  dispose(): void {
    if (!this.#isDisposed) {
      this.#isDisposed = true;
      this.#contents.fileChanged.disconnect(this.#fileChanged, this);
      this.#forget();
      Signal.clearData(this);
    }
  }

  get #session(): CaseSession | null {
    return this.#shown.kind === "opened" && this.#shown.opening.kind === "case" ? this.#shown.opening.session : null;
  }

  /** The feeder, if the file is its power flow. */
  get #network(): ViewedNetwork | null {
    return this.#shown.kind === "opened" && this.#shown.opening.kind === "network" ? this.#shown.opening.network : null;
  }

  #show(shown: StudyShown): void {
    this.#shown = shown;
    this.#changed.emit();
  }

  /** Opens the content of the file and closes the previous content. */
  async #open(): Promise<void> {
    this.#opening += 1;
    const opening = this.#opening;
    this.#changes = 0;
    this.#forget();
    const bytes = bytesOfBase64(this.#context.model.toString()) ?? new Uint8Array(); // the server sent base64
    if (bytes.length === 0) {
      this.#show({ kind: "empty" });
      return;
    }
    const current = (): boolean => !this.#isDisposed && opening === this.#opening;
    try {
      await this.#read(bytes, current);
      this.#follow();
    } catch (error) {
      if (current()) {
        this.#show({ kind: "failed", text: this.#trans.__("The Study was not opened: %1", errorText(error)) });
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
        await this.#workspace.openStudy(bundle, { origin: this.accept, local: false });
      }
    } catch (error) {
      const feeder = codeOf(error) === "STUDY_FILE.SCHEMA" ? await openedFeeder(engine, bytes) : null;
      if (feeder === null) {
        throw error;
      }
      if (current()) {
        this.#workspace.openFeeder(feeder, { origin: this.accept, local: false });
      }
    }
  }

  /** Every change makes the document dirty. */
  #follow(): void {
    const session = this.#session;
    session?.history.changed.connect(this.#touched, this);
    session?.plans.changed.connect(this.#touched, this);
    session?.geography.changed.connect(this.#placed, this);
    this.#network?.feeder?.changed.connect(this.#solved, this);
  }

  #solved(_: unknown, change: FeederChange): void {
    if (change === "result") {
      this.#touched();
    }
  }

  #touched(): void {
    this.#changes += 1;
    this.#context.model.dirty = true;
  }

  /** Positions and drawings are saved, the progress of an automatic layout is not. */
  #placed(_: unknown, change: GeographyChange): void {
    if (change !== "layout") {
      this.#touched();
    }
  }

  /**
   * Writes the current Study into the model; resolves to the number of changes that it contains. Reports the reason and
   * rejects if the Study cannot be written.
   */
  async #write(): Promise<number> {
    const { model, path } = this.#context;
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
      (model as DocumentModel).sharedModel.clearUndoHistory(); // the model holds whole files, which undo must not restore
      return changes;
    } catch (error) {
      void showErrorMessage(this.#trans.__("File Save Error for %1", visibleText(path)), errorText(error));
      throw error;
    } finally {
      this.#writing = false;
    }
  }

  /** The file of the content; null without content, or for a feeder that has not been solved. */
  async #bytes(gzip: boolean): Promise<Uint8Array | null> {
    const { engine } = this.#workspace;
    if (this.#writer !== null) {
      return engine.writeStudyBundle(await this.#writer.bundle(this.#about), { gzip });
    }
    const text = (await this.#network?.feeder?.save()) ?? null;
    return text === null ? null : engine.writeMcStudyBundle(text, { gzip });
  }

  /**
   * When another file takes over the content, JupyterLab closes this document and opens the other. No question is
   * necessary, and it would take the focus from the new document. Changes since the save still raise the question.
   */
  #fileChanged(_: unknown, { type, newValue }: Contents.IChangedArgs): void {
    const { model, path } = this.#context;
    if (this.#savedAs === this.#changes && type === "save" && newValue?.path !== path) {
      model.dirty = false;
    }
  }

  #contentChanged(): void {
    if (!this.#writing) {
      void this.#open(); // reverted
    }
  }

  /** Closes the content. */
  #forget(): void {
    const [session, network] = [this.#session, this.#network];
    session?.history.changed.disconnect(this.#touched, this);
    session?.plans.changed.disconnect(this.#touched, this);
    session?.geography.changed.disconnect(this.#placed, this);
    network?.feeder?.changed.disconnect(this.#solved, this);
    this.#writer = null;
    this.#show({ kind: "reading" }); // views end before their session
    if (session !== null) {
      this.#workspace.closeSession(session);
    }
    if (network !== null) {
      this.#workspace.forget(network);
    }
  }
}

function titleOf(path: string): string {
  return visibleText(path.replace(/^.*\//, "")).replace(/\.study\.json(\.gz)?$/i, "");
}
