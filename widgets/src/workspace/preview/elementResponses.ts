import { type EditRange, editRange, inRange } from "../edits/editRange.ts";
import type { DenseColumn, VoltageEstimate } from "../solving/exactSolver.ts";
import { LatestOnly } from "../concurrency/latestOnly.ts";
import { editKey, isEditSelected, type SelectedList } from "../edits/selectedList.ts";
import { editedValue, sameSelection, type Selection } from "../cases/selection.ts";

/**
 * The response of prices to one selected element at the published state, or the error instead; all null where nothing
 * responds.
 */
export interface ElementResponse {
  dense: DenseColumn | null;
  /** The response of voltages, in formulations with voltages and without prices. */
  estimate: VoltageEstimate | null;
  /** The error instead of a column; null without one. */
  problem: unknown;
}

/** Number of selected elements whose columns are requested at once; the others follow when they scroll into view. */
export const MOST_RESPONSES = 24;

/** Computes the response to an element at the published state; both null where its formulation has none. */
export type RequestColumn = (element: Selection) => Promise<Pick<ElementResponse, "dense" | "estimate">>;

/**
 * The columns of the selected elements: the primary's first, then the others one after another. They belong to one
 * published state and are dropped with it.
 */
export class ElementResponses {
  readonly #request: RequestColumn;
  readonly #came: (element: Selection) => void;
  readonly #known = new Map<string, ElementResponse>();
  readonly #ranges = new Map<string, EditRange>();
  readonly #primary = new LatestOnly<Selection>((element) => this.#fetch(element));
  readonly #others = new LatestOnly<null>(() => this.#fetchOthers());
  readonly #seen = new Set<string>();
  #wanted: SelectedList = [];
  #state = 0;

  /** `came` is called when the column of an element is known, or the reason why there is none. */
  constructor(request: RequestColumn, came: (element: Selection) => void) {
    this.#request = request;
    this.#came = came;
  }

  /** The response to an element; null until it is known, and for elements not requested. */
  of(element: Selection): ElementResponse | null {
    return this.#known.get(editKey(element)) ?? null;
  }

  /** The range of an element, which stays while it includes the published state. */
  range(element: Selection, baseMw: number, committedMw: number, floor?: number): EditRange {
    const key = editKey(element);
    const known = this.#ranges.get(key);
    if (known !== undefined && inRange(known, committedMw)) {
      return known;
    }
    const response = this.of(element);
    const range = editRange(editedValue(element), baseMw, committedMw, response?.dense?.column ?? null, floor);
    if (response !== null) {
      this.#ranges.set(key, range);
    }
    return range;
  }

  /** Drops the columns of a replaced state. */
  restart(): void {
    this.#state += 1;
    this.#known.clear();
    this.#seen.clear();
  }

  /** Requests the columns of the selected elements; resolves when the primary's, the last one, is known. */
  async follow(selected: SelectedList): Promise<void> {
    this.#wanted = selected;
    const keys = new Set(selected.map(editKey));
    for (const table of [this.#known, this.#ranges, this.#seen]) {
      for (const key of table.keys()) {
        if (!keys.has(key)) {
          table.delete(key);
        }
      }
    }
    const primary = selected.at(-1);
    if (primary !== undefined && this.of(primary) === null) {
      await this.#primary.request(primary);
    }
    void this.#others.request(null);
  }

  /** Requests the column of a selected element that scrolls into view, after earlier requests. */
  look(element: Selection): void {
    const key = editKey(element);
    if (!this.#seen.has(key) && isEditSelected(this.#wanted, element)) {
      this.#seen.add(key);
      void this.#others.request(null);
    }
  }

  /** Drops everything; work under way is ignored. */
  dispose(): void {
    this.#state += 1;
    this.#wanted = [];
    this.#known.clear();
  }

  async #fetchOthers(): Promise<void> {
    for (;;) {
      const next = this.#next();
      if (next === undefined) {
        return;
      }
      if (sameSelection(next, this.#wanted.at(-1) ?? null)) {
        await this.#primary.request(next);
      } else {
        await this.#fetch(next);
      }
    }
  }

  /**
   * The primary first, then the others from the last one on; those beyond the first few only once they were in view.
   */
  #next(): Selection | undefined {
    const soon = this.#wanted.length - MOST_RESPONSES;
    return this.#wanted.findLast(
      (element, k) => (k >= soon || this.#seen.has(editKey(element))) && this.of(element) === null,
    );
  }

  async #fetch(element: Selection): Promise<void> {
    const state = this.#state;
    const stale = (): boolean => state !== this.#state || !isEditSelected(this.#wanted, element);
    if (stale() || this.of(element) !== null) {
      return;
    }
    let response: ElementResponse;
    try {
      response = { ...(await this.#request(element)), problem: null };
    } catch (error) {
      response = { dense: null, estimate: null, problem: error };
    }
    if (!stale()) {
      this.#known.set(editKey(element), response);
      this.#came(element);
    }
  }
}
