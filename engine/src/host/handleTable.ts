import { type ClientKey, clientError } from "../contract/errors.ts";

/** The JavaScript wrapper of a Rust object, as wasm-bindgen makes it. */
interface Bound {
  free(): void;
}

type LostKey = Extract<ClientKey, "client.study_lost" | "client.job_lost">;

/** Objects of one wasm instance that outlive their call, by ids that callers choose. */
export class HandleTable<T extends Bound> {
  readonly #objects = new Map<number, T>();
  readonly #owners = new Map<number, string | undefined>();
  readonly #lost: string;
  readonly #says: LostKey;

  /** `lost` is the error code for an unknown id, `says` the key of its message. */
  constructor(lost: string, says: LostKey) {
    this.#lost = lost;
    this.#says = says;
  }

  /** Stores a new object for `owner`; frees an older one with the same id first. */
  put(id: number, owner: string | undefined, make: () => T): void {
    this.free(id);
    this.#objects.set(id, make());
    this.#owners.set(id, owner);
  }

  get(id: number): T {
    const object = this.#objects.get(id);
    if (object) return object;
    throw clientError(this.#lost, this.#says, {});
  }

  /** Removes an object from the table, for a method that consumes it. */
  take(id: number): T {
    const object = this.get(id);
    this.#objects.delete(id);
    this.#owners.delete(id);
    return object;
  }

  /** Frees an object; unknown ids are ignored. */
  free(id: number): void {
    this.#objects.get(id)?.free();
    this.#objects.delete(id);
    this.#owners.delete(id);
  }

  /** Frees all objects of an owner. */
  freeAllOf(owner: string): void {
    for (const [id, one] of [...this.#owners]) if (one === owner) this.free(id);
  }

  /** Forgets all objects without running code of their instance, which must not be entered after a trap. */
  abandon(): void {
    for (const object of this.#objects.values()) detach(object);
    this.#objects.clear();
    this.#owners.clear();
  }
}

/** Detaches the Rust object from its JavaScript wrapper, so that the garbage collector does not free it either. */
function detach(object: Bound): void {
  (object as unknown as { __destroy_into_raw(): number }).__destroy_into_raw();
}
