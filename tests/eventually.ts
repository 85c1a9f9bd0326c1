// Assertions on a page. A page follows an action a frame or an answer later, so each assertion reads until the
// condition holds or half a minute has passed, and asserts the last reading once: a failure prints it like any other.
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Test } from "tap";

const PATIENCE_MS = 30_000;
const PAUSE_MS = 25;

/** Reads a value repeatedly until it satisfies an assertion; it must not change anything. */
export type Reading<T> = () => Promise<T>;

async function lastReading<T>(read: Reading<T>, holds: (value: T) => boolean): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    if (holds(value) || performance.now() > end) {
      return value;
    }
    await setTimeout(PAUSE_MS);
  }
}

/** The caller's place for the report: after a pause the stack no longer has it. */
function calledAt(assertion: (...args: never[]) => unknown): { stack: string } {
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, assertion);
  return { stack: (trace.stack ?? "").replace(/^.*\n/, "") };
}

const says = (text: string | null, wanted: string | RegExp): boolean =>
  text !== null && (typeof wanted === "string" ? text.includes(wanted) : text.search(wanted) >= 0);

/**
 * Assertions of tap on a reading that becomes true. Absence, or an unchanged value, is true before the page has
 * followed as well: wait for a sign of the action first, then assert.
 */
export const eventually = {
  /** The text contains a string or matches a pattern. */
  async match(t: Test, read: Reading<string | null>, wanted: string | RegExp, message?: string): Promise<void> {
    const place = calledAt(eventually.match);
    t.match(await lastReading(read, (text) => says(text, wanted)), wanted, message ?? "should match pattern", place);
  },
  /** The text no longer contains a string or matches a pattern. */
  async notMatch(t: Test, read: Reading<string | null>, wanted: string | RegExp, message?: string): Promise<void> {
    const place = calledAt(eventually.notMatch);
    const text = await lastReading(read, (text) => !says(text, wanted));
    t.notMatch(text, wanted, message ?? "should not match pattern", place);
  },
  /** The value becomes identical to another one. */
  async equal<T>(t: Test, read: Reading<T>, wanted: NoInfer<T>, message?: string): Promise<void> {
    const place = calledAt(eventually.equal);
    t.equal(await lastReading(read, (value) => value === wanted), wanted, message ?? "should be equal", place);
  },
  /** The value is no longer another one. */
  async not<T>(t: Test, read: Reading<T>, wanted: NoInfer<T>, message?: string): Promise<void> {
    const place = calledAt(eventually.not);
    t.not(await lastReading(read, (value) => value !== wanted), wanted, message ?? "should not be equal", place);
  },
  /** The structure becomes the same, including types. */
  async strictSame<T>(t: Test, read: Reading<T>, wanted: unknown, message?: string): Promise<void> {
    const place = calledAt(eventually.strictSame);
    const value = await lastReading(read, (value) => isDeepStrictEqual(value, wanted));
    t.strictSame(value, wanted, message ?? "should be equivalent strictly", place);
  },
  /** The value is truthy. */
  async ok(t: Test, read: Reading<unknown>, message?: string): Promise<void> {
    const place = calledAt(eventually.ok);
    t.ok(await lastReading(read, Boolean), message ?? "should be truthy", place);
  },
  /** The value is falsy. */
  async notOk(t: Test, read: Reading<unknown>, message?: string): Promise<void> {
    const place = calledAt(eventually.notOk);
    t.notOk(await lastReading(read, (value) => !value), message ?? "should be falsy", place);
  },
};
