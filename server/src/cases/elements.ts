/** A row that a request can name. */
export interface Named {
  id: number;
  uid: string | null;
  /** Only buses have names. */
  name?: string | null;
}

/** Rows of one kind by original id (digits), row uid, or a name that no other row has. */
export class ElementIndex<T extends Named> {
  readonly #byId = new Map<number, T>();
  readonly #byUid = new Map<string, T>();
  readonly #byName = new Map<string, T[]>();

  constructor(rows: readonly T[]) {
    for (const row of rows) {
      this.#byId.set(row.id, row);
      if (row.uid !== null) this.#byUid.set(row.uid, row);
      const name = row.name?.trim();
      if (name) this.#byName.set(name, [...(this.#byName.get(name) ?? []), row]);
    }
  }

  /** The row that a key names. Uids never consist of digits only. */
  find(key: string): T | undefined {
    if (/^\d+$/.test(key)) return this.#byId.get(Number(key));
    const named = this.named(key);
    return this.#byUid.get(key) ?? (named.length === 1 ? named[0] : undefined);
  }

  /** The rows with a name. */
  named(key: string): readonly T[] {
    return this.#byName.get(key.trim()) ?? [];
  }
}
