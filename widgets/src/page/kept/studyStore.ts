import type { DBSchema, IDBPDatabase } from "idb";
import { type ISignal, Signal } from "@lumino/signaling";

/** Names the database and the channel between windows; version 1 is the only one. */
const NAME = "wattbook-studies";

/** What the list of kept Studies says of one. */
export interface KeptStudy {
  /** That of its document. */
  readonly id: string;
  readonly title: string;
  readonly caseName: string;
  /** Number of its saved states. */
  readonly states: number;
  /** When it was stored, ms since 1970. */
  readonly savedAt: number;
  /** Bytes of its file. */
  readonly size: number;
  /** Counts how often it was stored. Whoever stores it names the one they know, so that no window overwrites another one's work. */
  readonly version: number;
}

/** What is known of a Study before it is stored. */
export type StudyToKeep = Pick<KeptStudy, "id" | "title" | "caseName" | "states">;

interface Tables extends DBSchema {
  studies: { key: string; value: KeptStudy };
  files: { key: string; value: { id: string; bytes: Uint8Array } };
}

/** What windows tell each other: that a Study is open there, that it was stored, renamed or deleted there. */
export interface WindowNote {
  readonly kind: "open" | "also-open" | "stored" | "renamed" | "deleted";
  readonly id: string;
}

/** Another window has stored the Study since, or deleted it, or there is one of this id already. */
export class StudyChangedError extends Error {
  override readonly name = "StudyChangedError";
}

/**
 * The Studies that this browser keeps for this address, as gzipped Study files in IndexedDB. Every window of the address has the same
 * ones and hears of changes in the others. All calls reject where the browser refuses: storage that is blocked, a full disk.
 */
export class StudyStore {
  readonly #changed = new Signal<this, void>(this);
  readonly #told = new Signal<this, WindowNote>(this);
  readonly #channel: BroadcastChannel | null;
  #database: Promise<IDBPDatabase<Tables>> | null = null;

  constructor() {
    this.#channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(NAME);
    this.#channel?.addEventListener("message", ({ data }: MessageEvent<WindowNote>) => {
      this.#told.emit(data);
      if (data.kind !== "open" && data.kind !== "also-open") {
        this.#changed.emit();
      }
    });
  }

  /** Tells that the list is another one now, wherever that was done. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** What other windows tell. */
  get told(): ISignal<this, WindowNote> {
    return this.#told;
  }

  /** Tells the other windows. */
  tell(note: WindowNote): void {
    this.#channel?.postMessage(note);
  }

  /** The kept Studies, the latest first. */
  async list(): Promise<KeptStudy[]> {
    const studies = await (await this.#open()).getAll("studies");
    return studies.sort((a, b) => b.savedAt - a.savedAt);
  }

  /** What the list says of a Study; null where there is none of this id. */
  async about(id: string): Promise<KeptStudy | null> {
    return (await (await this.#open()).get("studies", id)) ?? null;
  }

  /** A Study with its file; null where there is none of this id. */
  async read(id: string): Promise<{ study: KeptStudy; bytes: Uint8Array } | null> {
    const transaction = (await this.#open()).transaction(["studies", "files"]);
    const [study, file] = await Promise.all([
      transaction.objectStore("studies").get(id),
      transaction.objectStore("files").get(id),
    ]);
    return study === undefined || file === undefined ? null : { study, bytes: file.bytes };
  }

  /**
   * Stores a Study completely or not at all. `known` is the version that it was read or stored as here, null for a new one. Rejects
   * with StudyChangedError where that is not the stored one.
   */
  async write(about: StudyToKeep, bytes: Uint8Array, known: number | null): Promise<KeptStudy> {
    const transaction = (await this.#open()).transaction(["studies", "files"], "readwrite");
    const stored = await transaction.objectStore("studies").get(about.id);
    if ((stored?.version ?? null) !== known) {
      await transaction.done;
      throw new StudyChangedError(about.id);
    }
    const study = { ...about, savedAt: Date.now(), size: bytes.length, version: (known ?? 0) + 1 };
    await Promise.all([
      transaction.objectStore("studies").put(study, study.id),
      transaction.objectStore("files").put({ id: study.id, bytes }, study.id),
      transaction.done,
    ]);
    this.#did({ kind: "stored", id: study.id });
    return study;
  }

  /** Gives a Study another title, which its file takes when it is opened or downloaded. */
  async rename(id: string, title: string): Promise<void> {
    const transaction = (await this.#open()).transaction("studies", "readwrite");
    const study = await transaction.store.get(id);
    const renamed = study === undefined ? null : { ...study, title };
    await Promise.all([renamed === null ? null : transaction.store.put(renamed, id), transaction.done]);
    this.#did({ kind: "renamed", id });
  }

  async delete(id: string): Promise<void> {
    const transaction = (await this.#open()).transaction(["studies", "files"], "readwrite");
    await Promise.all([
      transaction.objectStore("studies").delete(id),
      transaction.objectStore("files").delete(id),
      transaction.done,
    ]);
    this.#did({ kind: "deleted", id });
  }

  #did(note: WindowNote): void {
    this.#changed.emit();
    this.tell(note);
  }

  /** The database, opened with the first call; a failure is tried again with the next. */
  #open(): Promise<IDBPDatabase<Tables>> {
    this.#database ??= this.#opened().catch((error: unknown) => {
      this.#database = null;
      throw error;
    });
    return this.#database;
  }

  async #opened(): Promise<IDBPDatabase<Tables>> {
    const { openDB } = await import("idb");
    const forget = (): void => {
      this.#database = null;
    };
    return openDB<Tables>(NAME, 1, {
      upgrade(database) {
        database.createObjectStore("studies");
        database.createObjectStore("files");
      },
      // A later page wants to change the tables.
      blocking: (_current, _blocked, event) => {
        (event.target as IDBDatabase).close();
        forget();
      },
      terminated: forget,
    });
  }
}
