import type { CaseSession } from "../../workspace/index.ts";
import type { EventMark } from "../picture/targets.ts";

/** Duration of a flash, ms. */
const FLASH_MS = 700;

type Breakpoint = CaseSession["passedBreakpoints"][number];

/** The lines that begin or cease to bind, and the generators that reach a limit, during a drag along the exact path. */
export class MoveEvents {
  readonly #session: CaseSession;
  readonly #calm: () => boolean;
  #passed: ReadonlySet<Breakpoint> = new Set();
  #path: CaseSession["path"] = null;
  /** The flashing lines, by dense row, with their start times. */
  readonly #flashes = new Map<number, number>();

  /** `calm` returns whether motion is to be reduced: then nothing flashes. */
  constructor(session: CaseSession, calm: () => boolean) {
    this.#session = session;
    this.#calm = calm;
  }

  /** The marks at a time. Each crossing of a line's event, in either direction, flashes once. */
  marks(now: number): EventMark[] {
    const { passedBreakpoints, path, shownMw } = this.#session;
    const passed = new Set(passedBreakpoints);
    if (shownMw !== null && path === this.#path && !this.#calm()) {
      [...passed].filter((one) => !this.#passed.has(one)).forEach((one) => this.#flash(one, now));
      [...this.#passed].filter((one) => !passed.has(one)).forEach((one) => this.#flash(one, now));
    }
    this.#passed = passed;
    this.#path = path;
    return [...this.#flashing(now), ...this.#unitsAtLimits()];
  }

  #flash({ event, element }: Breakpoint, now: number): void {
    if (event === "line_binds" || event === "line_unbinds") {
      this.#flashes.set(this.#session.opened.branchRow(element.id), now);
    }
  }

  #flashing(now: number): EventMark[] {
    for (const [row, begun] of this.#flashes) {
      if (now - begun >= FLASH_MS) {
        this.#flashes.delete(row);
      }
    }
    const left = (begun: number): number => Math.min(0.999, 1 - Math.max(0, now - begun) / FLASH_MS);
    return [...this.#flashes].map(([row, begun]) => ({ kind: "branch", row, strength: left(begun) }));
  }

  /** The buses of the generators that the move has brought to a limit. */
  #unitsAtLimits(): EventMark[] {
    const { passedBreakpoints, opened } = this.#session;
    const units = new Set<number>();
    for (const { event, element } of passedBreakpoints) {
      // HVDC links reach limits too.
      if (element.kind !== "generator") continue;
      if (event === "generator_reaches_max" || event === "generator_reaches_min") {
        units.add(element.id);
      } else if (event === "generator_leaves_limit") {
        units.delete(element.id);
      }
    }
    const { generators } = opened.ingested.topology;
    const rows = new Set(generators.filter(({ id }) => units.has(id)).map(({ bus }) => opened.busRow(bus)));
    return [...rows].map((row) => ({ kind: "bus", row, strength: 1 }));
  }
}
