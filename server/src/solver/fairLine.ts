/** The server's own works, in place of a client's name. */
export const ITSELF = "";

/**
 * Slots, and works that wait for one, each of one client.
 *
 * No client holds all slots: with two or more it may have one less than there are, so that a newcomer begins at once however much
 * a client that was alone has put in line. With one slot clients take turns. The server's own works,
 * those of its start, may have all.
 *
 * A slot that becomes free goes to the waiting client with the fewest works under way; among equals, to the one whose last work
 * began or ended longest ago, or that has waited since before that. So where several clients hold the slots a further one waits
 * for one slot, and not for the works that others have put in line before it. No work is stopped when another client arrives.
 * Within a client the order is that of arrival.
 */
export class FairLine<T> {
  readonly #slots: number;
  /** Works by client that may be under way. */
  readonly #share: number;
  /** Waiting works by client; the order of the clients is that of their turns. */
  readonly #waiting = new Map<string, T[]>();
  readonly #underWay = new Map<string, number>();
  #taken = 0;
  #length = 0;

  constructor(slots: number) {
    this.#slots = slots;
    this.#share = Math.max(1, slots - 1);
  }

  /** Works that wait. */
  get length(): number {
    return this.#length;
  }

  /** Whether a work of the client may take a slot now. */
  admits(client: string): boolean {
    return this.#taken < this.#slots && (client === ITSELF || this.#count(client) < this.#share);
  }

  /** Puts a work at the end of its client's works. */
  push(client: string, work: T): void {
    const works = this.#waiting.get(client);
    if (works) works.push(work);
    else this.#waiting.set(client, [work]);
    this.#length += 1;
  }

  /** Takes out the work whose turn it is; none where no slot is free, or only works wait whose clients have their share. */
  shift(): T | undefined {
    let next: string | undefined;
    for (const client of this.#waiting.keys()) {
      if (this.admits(client) && (next === undefined || this.#count(client) < this.#count(next))) next = client;
    }
    const work = next === undefined ? undefined : this.#waiting.get(next)?.[0];
    if (next !== undefined && work !== undefined) this.remove(next, work);
    return work;
  }

  /** Takes out a work; false where it does not wait. */
  remove(client: string, work: T): boolean {
    const works = this.#waiting.get(client) ?? [];
    const place = works.indexOf(work);
    if (place < 0) return false;
    works.splice(place, 1);
    if (works.length === 0) this.#waiting.delete(client);
    this.#length -= 1;
    return true;
  }

  /** Counts a work of the client that takes a slot. */
  begin(client: string): void {
    this.#taken += 1;
    this.#underWay.set(client, this.#count(client) + 1);
    this.#toTheEnd(client);
  }

  /** Counts a work of the client that has left its slot. */
  end(client: string): void {
    this.#taken -= 1;
    const left = this.#count(client) - 1;
    if (left > 0) this.#underWay.set(client, left);
    else this.#underWay.delete(client);
    this.#toTheEnd(client);
  }

  /**
   * The waiting works in the order in which they would begin if the works under way stayed. Arrivals and ends change it, and
   * a work can lose places: to one of a client that has less under way and in line.
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
