import type { SensitivityHead } from "@service/engine";
import { type EditRange, inRange, untilCollapse, withSolution } from "./editRange.ts";
import { type CaseEdits, deltaOf } from "./edits.ts";
import { hasPath, leastChange, solvesHere, storageRange } from "./generatorValues.ts";
import type { ElementPath } from "../preview/elementPath.ts";
import { type ElementResponse, ElementResponses } from "../preview/elementResponses.ts";
import { type NextFrame, nextTask } from "../concurrency/frames.ts";
import { PathKeeper } from "../preview/pathKeeper.ts";
import { PricePreview } from "../preview/pricePreview.ts";
import { type CollapseAhead, foreseenCollapse } from "../preview/voltageCurve.ts";
import { VoltageCurves } from "../preview/voltageCurves.ts";
import { knownElements, sameList, type SelectedList } from "./selectedList.ts";
import type { Capability } from "../session/capabilities.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import { type EditedElement, hasDerivative, sameSelection, type Selection } from "../cases/selection.ts";

/**
 * The selected elements of a session, the primary last, with the column and range of each at the published state, and
 * with the exact path and preview of the primary.
 */
export class SelectedElements {
  readonly paths: PathKeeper;
  readonly curves: VoltageCurves;
  /** The preview of the primary element. */
  readonly preview: PricePreview;
  /** Defers the work after a new state until a view has drawn its prices. */
  afterPicture: NextFrame = nextTask;
  readonly #core: SessionCore;
  readonly #responses: ElementResponses;
  #list: SelectedList = [];
  /** The work after the latest state on screen. */
  #following: Promise<void> = Promise.resolve();
  #disposed = false;

  constructor(core: SessionCore) {
    const { solver, queue } = core;
    this.#core = core;
    this.paths = new PathKeeper(solver, queue, () => this.#pathCame());
    this.curves = new VoltageCurves(solver, queue, () => this.#pathCame());
    this.preview = new PricePreview(core, this.paths);
    this.#responses = new ElementResponses(
      (element) => this.#request(element),
      (element) => this.#responseCame(element),
    );
  }

  /** The elements in the order in which they were chosen. */
  get list(): SelectedList {
    return this.#list;
  }

  /** The last element: the column of the maps, the path and the preview belong to it. */
  get primary(): Selection | null {
    return this.#list.at(-1) ?? null;
  }

  /** The response of prices to an element; null until it is known. */
  responseOf(element: Selection): ElementResponse | null {
    return this.#responses.of(element);
  }

  /** The column of any element at the published state, computed on first use. Rejects with EngineError. */
  async columnOf(element: EditedElement): Promise<SensitivityHead> {
    const known = this.responseOf(element)?.dense;
    return (known ?? (await this.#core.solver.sensitivity(this.#edits, element))).column;
  }

  /** Requests the column of an element that scrolls into view. */
  look(element: Selection): void {
    this.#responses.look(element);
  }

  /**
   * The range of an element, as changes from the base case: it ends with its path; without a path where no solution
   * exists beyond the interval, or where voltages collapse.
   */
  rangeOf(element: Selection): EditRange {
    const committedMw = this.committedMw(element);
    const range = this.#usualRange(element);
    const path: ElementPath | null = sameSelection(element, this.primary) ? this.paths.path : null;
    const column = this.responseOf(element)?.dense?.column ?? null;
    const feasible =
      path?.feasible ?? untilCollapse(withSolution(range, committedMw, column), this.collapseOf(element));
    return inRange(feasible, committedMw) ? feasible : range;
  }

  /**
   * The voltage collapse as the demand of an element grows: from its curve, or until that is known from the power
   * series; null where unknown.
   */
  collapseOf(element: Selection): CollapseAhead | null {
    const traced = sameSelection(element, this.primary) ? (this.curves.curve?.collapse ?? null) : null;
    const head = this.responseOf(element)?.estimate?.head;
    return traced ?? foreseenCollapse(head?.collapse, this.committedMw(element));
  }

  /**
   * Change of an element from the base case, in the unit of the edited value: in the live state unless another one is
   * given.
   */
  committedMw(element: Selection, { edits }: { readonly edits: CaseEdits } = this.#core.states.now): number {
    return deltaOf(edits, element, this.#core.opened);
  }

  /** Resolves when the column of the primary at the latest state on screen is known, or the reason why it has none. */
  get settled(): Promise<void> {
    return this.#following;
  }

  /**
   * Selects elements, the last one as the primary, and requests their columns; resolves when the primary's is known.
   * Elements missing from the case are ignored. A preview of the previous primary ends.
   */
  async select(wanted: SelectedList): Promise<void> {
    const { opened, states, signals } = this.#core;
    const list = knownElements(wanted, opened);
    if (sameList(list, this.#list)) {
      return;
    }
    if (!sameSelection(list.at(-1) ?? null, this.primary)) {
      this.preview.cancel();
      signals.forgetFailure();
      states.forgetPreview();
      this.paths.forget();
      this.curves.forget();
    }
    this.#list = list;
    this.preview.element = this.primary;
    const following = this.#responses.follow(list);
    this.#showResponse();
    signals.tell("selection");
    this.#followPath();
    await following;
  }

  /** Drops the columns of the previous state. */
  restart(): void {
    this.#responses.restart();
    this.#showResponse();
    this.#followPath();
  }

  /** Requests columns and paths at the state on screen, after its exact prices are drawn. */
  follow(): void {
    const drawn = new Promise<void>((resolve) => void this.afterPicture(resolve));
    this.#following = drawn.then(() => (this.#disposed ? undefined : this.#responses.follow(this.#list)));
  }

  /** Announces that views show another state, which has other columns and no preview. */
  shownChanged(): void {
    const { signals } = this.#core;
    if (signals.status.kind === "failed") {
      signals.setQuietly({ kind: "ready" });
    }
    this.restart();
    signals.tell("state");
    this.follow();
  }

  /** Cancels the work under way. */
  dispose(): void {
    this.#disposed = true;
    this.preview.drop();
    this.paths.forget();
    this.curves.forget();
    this.#responses.dispose();
  }

  get #edits(): CaseEdits {
    return this.#core.states.now.edits;
  }

  #can(capability: Capability): boolean {
    return this.#core.states.capabilities.has(capability);
  }

  async #request(element: Selection): Promise<Pick<ElementResponse, "dense" | "estimate">> {
    const { solver } = this.#core;
    if (!hasDerivative(element) || solvesHere(element, this.#can("paths"), this.#edits, this.#core.opened)) {
      return { dense: null, estimate: null };
    }
    if (this.#can("sensitivities")) {
      return { dense: await solver.sensitivity(this.#edits, element), estimate: null };
    }
    // A rating has no effect on the voltages of a power flow.
    const estimated = element.kind === "bus" && this.#can("voltage_estimates");
    return { dense: null, estimate: estimated ? await solver.voltageEstimate(this.#edits, element) : null };
  }

  /** Publishes the primary's column for previews and maps. */
  #showResponse(): void {
    const { store } = this.#core.states;
    const response = this.primary === null ? null : this.responseOf(this.primary);
    store.dense = response?.dense ?? null;
    store.estimate = response?.estimate ?? null;
  }

  /** Requests the path over the range, which stays while it includes the published state, or the PV curve. */
  #followPath(): void {
    const { primary } = this;
    if (primary === null) {
      return;
    }
    const edits = this.#edits;
    const { opened } = this.#core;
    // Each position of a value without a path is solved; internal elements have no values.
    if (!hasDerivative(primary) || !hasPath(primary, edits, opened) || !opened.isEditable(primary)) {
      this.curves.forget();
      this.paths.forget();
      return;
    }
    this.#followCurve(primary, edits);
    const course = { edits, selection: primary };
    if (!this.#can("paths")) {
      this.paths.forget();
      return;
    }
    if (this.#core.states.store.dense === null) {
      this.paths.keepOnly(course); // the range is not known before the column
    } else {
      this.paths.follow({ ...course, range: this.#usualRange(primary) }, this.committedMw(primary));
    }
  }

  #followCurve(primary: EditedElement, edits: CaseEdits): void {
    if (primary.kind !== "bus" || !this.#can("voltage_estimates") || !this.#can("loadability")) {
      this.curves.forget();
      return;
    }
    const course = { edits, selection: primary };
    if (this.#core.states.store.estimate === null) {
      this.curves.keepOnly(course); // the response of voltages is requested first
    } else {
      this.curves.follow(course);
    }
  }

  #responseCame(element: Selection): void {
    if (!sameSelection(element, this.primary)) {
      this.#core.signals.tell("responses");
      return;
    }
    this.#showResponse();
    this.#followPath();
    this.#core.signals.tell("column");
    this.preview.show();
  }

  #pathCame(): void {
    this.#core.signals.tell("path");
    if (this.preview.mode === "exact") {
      this.preview.show();
    }
  }

  #usualRange(element: Selection): EditRange {
    const { opened } = this.#core;
    const own = element.kind === "storage" ? storageRange(opened, this.#edits, element) : null;
    if (own !== null) {
      return own;
    }
    const floor = element.kind === "generator" ? leastChange(element, this.#edits, opened) : undefined;
    return this.#responses.range(element, opened.baseMw(element, this.#edits), this.committedMw(element), floor);
  }
}
