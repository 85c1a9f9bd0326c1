/** A row that can be named from outside. */
export interface Named {
  id: number;
  uid: string | null;
}

/** Rows of one kind by original id (digits) or row uid (anything else). */
export class ElementIndex<T extends Named> {
  readonly #byId = new Map<number, T>();
  readonly #byUid = new Map<string, T>();

  constructor(rows: readonly T[]) {
    for (const row of rows) {
      this.#byId.set(row.id, row);
      if (row.uid !== null) this.#byUid.set(row.uid, row);
    }
  }

  /** The row that a key names. Uids never consist of digits only. */
  find(key: string): T | undefined {
    return /^\d+$/.test(key) ? this.#byId.get(Number(key)) : this.#byUid.get(key);
  }
}
