/** The client of the server's own works. */
export const ITSELF = "";

/**
 * A fair queue for a number of slots. Each work belongs to a client.
 *
 * No client holds all slots: if there are two or more, it holds at most one less, so that a new client starts at once
 * however much another has queued. With one slot clients take turns. The server's own works, those of its start, may
 * hold all.
 *
 * A free slot goes to the waiting client with the fewest running works; among equals, to the one whose last work
 * started or ended longest ago, or that has waited since before that. So if several clients hold the slots, a further
 * client waits for one slot and not for the works that others have queued before it. No work is stopped when another
 * client arrives. Within a client the order is that of arrival.
 */
export class FairLine<T> {
  readonly #slots: number;
  /** Most works of one client that may run at a time. */
  readonly #share: number;
  /** Waiting works by client, in the order of the clients' turns. */
  readonly #waiting = new Map<string, T[]>();
  readonly #underWay = new Map<string, number>();
  #taken = 0;
  #length = 0;

  constructor(slots: number) {
    this.#slots = slots;
    this.#share = Math.max(1, slots - 1);
  }

  /** Number of waiting works. */
  get length(): number {
    return this.#length;
  }

  /** Whether a work of the client may start now. */
  admits(client: string): boolean {
    return this.#taken < this.#slots && (client === ITSELF || this.#count(client) < this.#share);
  }

  /** Queues a work behind its client's other works. */
  push(client: string, work: T): void {
    const works = this.#waiting.get(client);
    if (works) works.push(work);
    else this.#waiting.set(client, [work]);
    this.#length += 1;
  }

  /**
   * Removes and returns the work whose turn it is; undefined if no slot is free, or if all waiting clients have their
   * share.
   */
  shift(): T | undefined {
    let next: string | undefined;
    for (const client of this.#waiting.keys()) {
      if (this.admits(client) && (next === undefined || this.#count(client) < this.#count(next))) next = client;
    }
    const work = next === undefined ? undefined : this.#waiting.get(next)?.[0];
    if (next !== undefined && work !== undefined) this.remove(next, work);
    return work;
  }

  /** Removes a waiting work; false if it does not wait. */
  remove(client: string, work: T): boolean {
    const works = this.#waiting.get(client) ?? [];
    const place = works.indexOf(work);
    if (place < 0) return false;
    works.splice(place, 1);
    if (works.length === 0) this.#waiting.delete(client);
    this.#length -= 1;
    return true;
  }

  /** Counts a work of the client as running. */
  begin(client: string): void {
    this.#taken += 1;
    this.#underWay.set(client, this.#count(client) + 1);
    this.#toTheEnd(client);
  }

  /** Counts a work of the client as ended. */
  end(client: string): void {
    this.#taken -= 1;
    const left = this.#count(client) - 1;
    if (left > 0) this.#underWay.set(client, left);
    else this.#underWay.delete(client);
    this.#toTheEnd(client);
  }

  /**
   * The waiting works in the order in which they would start if the running works stayed. Arrivals and ends change it,
   * and a work can move back, behind one of a client with fewer running and queued works.
   */
  order(): T[] {
    const ordered: T[] = [];
    let clients = [...this.#waiting].map(([client, works]) => ({ works, next: 0, count: this.#count(client) }));
    while (clients.length > 0) {
      const least = clients.reduce((found, { count }) => Math.min(found, count), Infinity);
      const [others, turn] = [
        clients.filter(({ count }) => count > least),
        clients.filter(({ count }) => count === least),
      ];
      for (const one of turn) {
        ordered.push(...one.works.slice(one.next, one.next + 1));
        one.next += 1;
        one.count += 1;
      }
      clients = [...others, ...turn.filter(({ works, next }) => next < works.length)];
    }
    return ordered;
  }

  #count(client: string): number {
    return this.#underWay.get(client) ?? 0;
  }

  #toTheEnd(client: string): void {
    const works = this.#waiting.get(client);
    if (!works) return;
    this.#waiting.delete(client);
    this.#waiting.set(client, works);
  }
}
