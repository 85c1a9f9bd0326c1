import type { DBSchema, IDBPDatabase } from "idb";
import { type ISignal, Signal } from "@lumino/signaling";

/** Name of the database and of the channel between windows; version 1 is the only one. */
const NAME = "wattbook-studies";

/** The entry of a Study in the list. */
export interface StoredStudy {
  /** The id of the Study's document. */
  readonly id: string;
  readonly title: string;
  readonly caseName: string;
  /** Number of saved states. */
  readonly states: number;
  /** When it was stored, ms since 1970. */
  readonly savedAt: number;
  /** Size of the file in bytes. */
  readonly size: number;
  /**
   * Number of times that the Study was stored. A window that stores it names the version it knows, so that none
   * overwrites the work of another.
   */
  readonly version: number;
}

/** The entry of a Study before it is stored. */
export type StudyToStore = Pick<StoredStudy, "id" | "title" | "caseName" | "states">;

interface Tables extends DBSchema {
  studies: { key: string; value: StoredStudy };
  files: { key: string; value: { id: string; bytes: Uint8Array } };
}

/** Messages between windows: a Study is open, or was stored, renamed or deleted. */
export interface WindowNote {
  readonly kind: "open" | "also-open" | "stored" | "renamed" | "deleted";
  readonly id: string;
}

/** Another window has stored or deleted the Study since, or one with the same id exists already. */
export class StudyChangedError extends Error {
  override readonly name = "StudyChangedError";
}

/**
 * Studies stored in this browser for this address, as gzipped Study files in IndexedDB. All windows of the address
 * share them and are notified of changes. All calls reject if the browser refuses, for instance because storage is
 * blocked or full.
 */
export class StudyStore {
  readonly #changed = new Signal<this, void>(this);
  readonly #received = new Signal<this, WindowNote>(this);
  readonly #channel: BroadcastChannel | null;
  #database: Promise<IDBPDatabase<Tables>> | null = null;

  constructor() {
    this.#channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(NAME);
    this.#channel?.addEventListener("message", ({ data }: MessageEvent<WindowNote>) => {
      this.#received.emit(data);
      if (data.kind !== "open" && data.kind !== "also-open") {
        this.#changed.emit();
      }
    });
  }

  /** Emitted when any window changed the list. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** Messages of other windows. */
  get received(): ISignal<this, WindowNote> {
    return this.#received;
  }

  /** Sends a message to the other windows. */
  send(note: WindowNote): void {
    this.#channel?.postMessage(note);
  }

  /** The entries of all stored Studies, the latest first. */
  async list(): Promise<StoredStudy[]> {
    const studies = await (await this.#open()).getAll("studies");
    return studies.sort((a, b) => b.savedAt - a.savedAt);
  }

  /** The entry of a Study; null if the id is unknown. */
  async about(id: string): Promise<StoredStudy | null> {
    return (await (await this.#open()).get("studies", id)) ?? null;
  }

  /** A Study with its file; null if the id is unknown. */
  async read(id: string): Promise<{ study: StoredStudy; bytes: Uint8Array } | null> {
    const transaction = (await this.#open()).transaction(["studies", "files"]);
    const [study, file] = await Promise.all([
      transaction.objectStore("studies").get(id),
      transaction.objectStore("files").get(id),
    ]);
    return study === undefined || file === undefined ? null : { study, bytes: file.bytes };
  }

  /**
   * Stores a Study completely or not at all. `known` is the version that was read or stored here, null for a new Study.
   * Rejects with StudyChangedError if the stored version differs. Resolves to the new entry.
   */
  async write(about: StudyToStore, bytes: Uint8Array, known: number | null): Promise<StoredStudy> {
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

  /** Renames a Study. Its file takes the title when it is opened or downloaded. */
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
    this.send(note);
  }

  /** The database, opened by the first call; the next call tries again after a failure. */
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
      // A newer page wants to change the tables.
      blocking: (_current, _blocked, event) => {
        (event.target as IDBDatabase).close();
        forget();
      },
      terminated: forget,
    });
  }
}
