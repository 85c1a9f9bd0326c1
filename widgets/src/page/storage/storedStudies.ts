import { type ISignal, Signal } from "@lumino/signaling";
import type { StudyBundle } from "@service/engine";
import { trans } from "../../text/index.ts";
import { type CaseSession, fileName, type IWorkspace, type MadeFile, saveStudy } from "../../workspace/index.ts";
import type { Documents, PageDocument } from "../documents/documents.ts";
import { StudySaver } from "./studySaver.ts";
import { type StoredStudy, StudyStore } from "./studyStore.ts";

/** The list of stored Studies: null until the browser has answered; `problem` if it cannot. */
export interface StudyList {
  readonly studies: readonly StoredStudy[] | null;
  readonly problem: unknown;
}

/**
 * The Studies of this page that are stored in the browser. Every open case is stored whenever it changes; stored
 * Studies are listed, opened, renamed, downloaded and deleted.
 */
export class StoredStudies {
  readonly #workspace: IWorkspace;
  readonly #documents: Documents;
  readonly #store: StudyStore;
  readonly #changed = new Signal<this, void>(this);
  readonly #keepers = new Map<CaseSession, StudySaver>();
  /** The stored Study from which each session was opened. */
  readonly #opened = new WeakMap<CaseSession, StoredStudy>();
  #list: StudyList = { studies: null, problem: null };

  constructor(workspace: IWorkspace, documents: Documents, store = new StudyStore()) {
    this.#workspace = workspace;
    this.#documents = documents;
    this.#store = store;
    store.changed.connect(() => void this.load());
    documents.changed.connect(this.#follow, this);
  }

  /** Emitted when the list, or the storage state of a Study, changed. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get list(): StudyList {
    return this.#list;
  }

  /** The object that stores the Study of a document; null for a document without a Study. */
  saverOf({ state }: PageDocument): StudySaver | null {
    return state.kind === "case" ? (this.#keepers.get(state.session) ?? null) : null;
  }

  /** Whether all changes in this page are stored. */
  get safe(): boolean {
    return [...this.#keepers.values()].every((keeper) => keeper.safe);
  }

  /** Loads the list from the browser. */
  async load(): Promise<void> {
    try {
      this.#list = { studies: await this.#store.list(), problem: null };
    } catch (problem) {
      this.#list = { studies: null, problem };
    }
    this.#changed.emit();
  }

  /** Stores all unsaved changes, because the page may be about to close. */
  saveAll(): void {
    this.#keepers.forEach((keeper) => void keeper.save());
  }

  /** Opens a stored Study, or brings it to the front if it is open. */
  async open(id: string, title: string): Promise<void> {
    await this.#documents.openStored(id, title, async (signal) => {
      const { study, bundle } = await this.#read(id, title, signal);
      const origin = () => true; // the document exists already
      const session = await this.#workspace.openStudy(bundle, { signal, origin });
      this.#opened.set(session, study);
      return session;
    });
  }

  async rename(id: string, title: string): Promise<void> {
    await this.#store.rename(id, title);
    await Promise.all(this.#keepersOf(id).map((keeper) => keeper.retitle()));
  }

  /** Deletes a Study, and closes it if it is open in this page. */
  async delete(id: string): Promise<void> {
    await this.#store.delete(id);
    for (const keeper of this.#keepersOf(id)) {
      this.#forget(keeper);
      const document = this.#documents.list.find(
        ({ state }) => state.kind === "case" && state.session === keeper.session,
      );
      if (document !== undefined) {
        this.#documents.close(document);
      }
    }
  }

  /** The file of a Study: with results if it is `open`, otherwise as it is stored. Rejects with EngineError. */
  async file({ id, title }: Pick<StoredStudy, "id" | "title">, open = this.#keepersOf(id)[0]): Promise<MadeFile> {
    const { engine } = this.#workspace;
    if (open !== undefined) {
      return saveStudy(open.session, engine);
    }
    const { bundle } = await this.#read(id, title);
    return {
      name: `${fileName(bundle.document.title)}.study.json.gz`,
      bytes: await engine.writeStudyBundle(bundle, { gzip: true }),
      warnings: [],
    };
  }

  #keepersOf(id: string): StudySaver[] {
    return [...this.#keepers.values()].filter(({ stored }) => stored?.id === id);
  }

  async #read(id: string, title: string, signal?: AbortSignal): Promise<{ study: StoredStudy; bundle: StudyBundle }> {
    const found = await this.#store.read(id);
    if (found === null) {
      const name = title || trans.__("The Study");
      throw new Error(trans.__("%1 is not in this browser: it was deleted, or kept in another browser.", name));
    }
    const bundle = await this.#workspace.engine.readStudyBundle(found.bytes, signal);
    bundle.document.title = found.study.title;
    return { study: found.study, bundle };
  }

  /** Gives every open case an object that stores it. */
  #follow(): void {
    const open = this.#documents.list.flatMap(({ state }) => (state.kind === "case" ? [state.session] : []));
    for (const session of open.filter((one) => !this.#keepers.has(one))) {
      const opened = this.#opened.get(session) ?? null;
      const keeper = new StudySaver(session, this.#store, this.#workspace.engine, opened);
      this.#keepers.set(session, keeper);
      keeper.changed.connect(this.#adopted, this);
    }
    for (const keeper of [...this.#keepers.values()].filter(({ session }) => !open.includes(session))) {
      this.#forget(keeper);
    }
  }

  /** Gives a document the title and the address of its Study. */
  #adopted(keeper: StudySaver): void {
    if (keeper.stored !== null) {
      this.#documents.storedAs(keeper.session, keeper.stored);
    }
    this.#changed.emit();
  }

  #forget(keeper: StudySaver): void {
    this.#keepers.delete(keeper.session);
    keeper.dispose();
  }
}
