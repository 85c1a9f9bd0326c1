// The order of the queue: clients take turns, however much one of them queues.
import t from "tap";
import { FairLine, ITSELF } from "@service/server";

/** Slots over a queue, without any work in them. */
class Slots {
  readonly line: FairLine<string>;
  /** Clients of the running works. */
  readonly running: string[] = [];
  readonly begun: string[] = [];

  constructor(slots: number) {
    this.line = new FairLine(slots);
  }

  submit(client: string, work: string): void {
    this.line.push(client, `${client}${work}`);
    this.#fill();
  }

  /** Ends one work of a client. */
  end(client: string): void {
    this.running.splice(this.running.indexOf(client), 1);
    this.line.end(client);
    this.#fill();
  }

  #fill(): void {
    for (let work = this.line.shift(); work !== undefined; work = this.line.shift()) {
      this.line.begin(work.charAt(0));
      this.running.push(work.charAt(0));
      this.begun.push(work);
    }
  }
}

t.test("one slot: two clients alternate, whatever their numbers of requests", async (t) => {
  const slots = new Slots(1);
  for (const work of "12345") slots.submit("a", work);
  for (const work of "123") slots.submit("b", work);
  t.strictSame(slots.line.order(), ["b1", "a2", "b2", "a3", "b3", "a4", "a5"]);
  while (slots.running[0] !== undefined) slots.end(slots.running[0]);
  t.strictSame(slots.begun, ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "a5"]);
});

t.test("two slots: a lone client leaves one free, and a newcomer gets it at once", async (t) => {
  const slots = new Slots(2);
  for (const work of "12345") slots.submit("a", work);
  t.strictSame(slots.begun, ["a1"]);
  t.strictSame(slots.line.order(), ["a2", "a3", "a4", "a5"]);
  slots.submit("b", "1");
  t.strictSame(slots.begun.slice(1), ["b1"], "before all that a has in line");
  slots.submit("b", "2");
  t.strictSame(slots.line.order(), ["a2", "b2", "a3", "a4", "a5"]);
  slots.end("a");
  slots.end("a");
  t.strictSame(slots.begun.slice(2), ["a2", "a3"], "a is quick, and still never takes the slot of b");
  slots.end("b");
  slots.end("b");
  t.strictSame(slots.begun.slice(4), ["b2"], "with b gone, a keeps to one slot");
  t.strictSame(slots.running, ["a"]);
});

t.test("two slots taken by two clients: a third waits for one work to end", async (t) => {
  const slots = new Slots(2);
  for (const client of "ab") for (const work of "123") slots.submit(client, work);
  t.strictSame(slots.begun, ["a1", "b1"]);
  slots.submit("c", "1");
  t.equal(slots.line.order()[0], "c1");
  slots.end("b");
  t.strictSame(slots.begun.slice(2), ["c1"]);
});

t.test("five slots: one client has four, which go to others as its solves end", async (t) => {
  const slots = new Slots(5);
  for (let work = 0; work < 9; work += 1) slots.submit("a", String(work));
  t.strictSame(slots.running, ["a", "a", "a", "a"]);
  slots.submit("b", "1");
  slots.submit("b", "2");
  t.strictSame(slots.running, ["a", "a", "a", "a", "b"]);
  slots.end("a");
  t.strictSame(slots.running, ["a", "a", "a", "b", "b"]);
});

t.test("frequent clients do not delay a waiting one", async (t) => {
  const slots = new Slots(1);
  slots.submit("a", "1");
  slots.submit("b", "1");
  slots.submit("b", "2");
  for (const newcomer of "cdefgh") {
    slots.submit(newcomer, "1");
    slots.end(slots.running[0] ?? "");
  }
  t.strictSame(slots.begun.slice(0, 4), ["a1", "b1", "c1", "d1"]);
  t.ok(slots.begun.indexOf("b2") < slots.begun.indexOf("f1"), slots.begun.join(" "));
});

/** Numbers in [0, 1): mulberry32. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

t.test("the rules hold for random arrivals and ends", async (t) => {
  for (const count of [1, 2, 3, 5]) {
    const random = generator(count);
    const slots = new Slots(count);
    const last: Record<string, number> = {};
    const begunSince: Record<string, number> = {};
    let wrong: string | undefined;
    for (let step = 0; step < 20_000 && wrong === undefined; step += 1) {
      const before = slots.begun.length;
      const expected = slots.line.order();
      const client = "aaaabbcd".charAt(Math.floor(random() * 8));
      if (random() < 0.5 && slots.line.length < 40) slots.submit(client, String(step));
      else if (slots.running.length > 0) slots.end(slots.running[Math.floor(random() * slots.running.length)] ?? "");
      const waiting = new Set(slots.line.order().map((work) => work.charAt(0)));
      for (const work of slots.begun.slice(before)) {
        const own = work.charAt(0);
        const held = slots.running.filter((one) => one === own).length;
        if (count > 1 && held === count) wrong = `${own} was given the last slot`;
        if (count === 1 && expected.length > 0 && expected[0] !== work) wrong = `${work} began, not ${expected[0]}`;
        if (Number(work.slice(1)) <= (last[own] ?? -1)) wrong = `${work} out of order`;
        last[own] = Number(work.slice(1));
        for (const one of waiting) {
          begunSince[one] = slots.running.includes(one) ? 0 : (begunSince[one] ?? 0) + 1;
          if ((begunSince[one] ?? 0) > 3)
            wrong = `${one} has nothing under way, and the three others had more than one turn`;
        }
      }
      for (const one of Object.keys(begunSince)) if (!waiting.has(one)) begunSince[one] = 0;
      const share = Math.max(1, count - 1);
      const free = slots.running.length < count;
      const mayBegin = [...waiting].filter((one) => slots.running.filter((own) => own === one).length < share);
      if (free && mayBegin.length > 0) wrong = `a slot is empty while ${mayBegin.join()} may have it`;
    }
    t.equal(wrong, undefined, `${count} slots`);
    t.ok(slots.begun.length > 5000);
  }
});

t.test("the server's own solves may use all slots", async (t) => {
  const line = new FairLine<string>(2);
  for (const work of ["one", "two", "three"]) line.push(ITSELF, work);
  for (const work of ["one", "two"]) {
    t.equal(line.shift(), work);
    line.begin(ITSELF);
  }
  t.equal(line.shift(), undefined, "no slot is left");
  line.end(ITSELF);
  t.equal(line.shift(), "three");
});
