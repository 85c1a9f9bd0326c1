import type { SensitivityHead } from "@service/engine";
import { type EditRange, inRange, untilCollapse, withSolution } from "./editRange.ts";
import { type CaseEdits, deltaOf } from "./edits.ts";
import { hasPath, leastChange } from "./generatorValues.ts";
import type { ElementPath } from "../preview/elementPath.ts";
import { type ElementResponse, ElementResponses } from "../preview/elementResponses.ts";
import type { ExactSolver } from "../solving/exactSolver.ts";
import type { MutationQueue } from "../mutations/mutationQueue.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { PathKeeper } from "../preview/pathKeeper.ts";
import { type CollapseAhead, foreseenCollapse } from "../preview/voltageCurve.ts";
import { VoltageCurves } from "../preview/voltageCurves.ts";
import { knownElements, sameList, type SelectedList } from "./selectedList.ts";
import type { SolutionStore } from "../quantities/solutionStore.ts";
import type { PublishedState } from "../session/sessionState.ts";
import type { Capability } from "../session/capabilities.ts";
import { sameSelection, type Selection } from "../cases/selection.ts";

/** What the selected elements need of their session. */
export interface SelectionHost {
  readonly opened: OpenedCase;
  readonly store: SolutionStore;
  state(): PublishedState;
  /** Whether the published state can be asked for something. */
  can(capability: Capability): boolean;
  /** Another element, or none, is about to be the primary one. */
  primaryLeaves(): void;
  /** Tells what changed: the list, the column of the primary element, that of another one, or the exact path. */
  selectionTold(change: "selection" | "column" | "responses" | "path"): void;
}

/**
 * The selected elements of a session, the primary last, with what is known of each at the published state: the column, how far
 * it can be moved, and of the primary the exact path.
 */
export class SelectedElements {
  readonly paths: PathKeeper;
  readonly curves: VoltageCurves;
  readonly #host: SelectionHost;
  readonly #solver: ExactSolver;
  readonly #responses: ElementResponses;
  #list: SelectedList = [];

  constructor(host: SelectionHost, solver: ExactSolver, queue: MutationQueue) {
    this.#host = host;
    this.#solver = solver;
    this.paths = new PathKeeper(solver, queue, () => host.selectionTold("path"));
    this.curves = new VoltageCurves(solver, queue, () => host.selectionTold("path"));
    this.#responses = new ElementResponses(
      (element) => this.#ask(element),
      (element) => this.#responseCame(element),
    );
  }

  /** The elements in the order in which they were chosen. */
  get list(): SelectedList {
    return this.#list;
  }

  /** The last one: what the column of the maps, the path and the preview are of. */
  get primary(): Selection | null {
    return this.#list.at(-1) ?? null;
  }

  /** How prices respond to an element; null while that is not known. */
  responseOf(element: Selection): ElementResponse | null {
    return this.#responses.of(element);
  }

  /** The column of any element at the published state, asked for where it is not known. Rejects with EngineError. */
  async columnOf(element: Selection): Promise<SensitivityHead> {
    const known = this.responseOf(element)?.dense;
    return (known ?? (await this.#solver.sensitivity(this.#host.state().edits, element))).column;
  }

  /** Asks for the column of an element that comes into sight. */
  look(element: Selection): void {
    this.#responses.look(element);
  }

  /**
   * How far an element can be moved, as changes from the base case: where its path ends, so does the range; without a path where
   * its interval ends and no solution is left beyond, or where voltages collapse.
   */
  rangeOf(element: Selection): EditRange {
    const committedMw = this.#committedMw(element);
    const range = this.#usualRange(element);
    const path: ElementPath | null = sameSelection(element, this.primary) ? this.paths.path : null;
    const column = this.responseOf(element)?.dense?.column ?? null;
    const feasible =
      path?.feasible ?? untilCollapse(withSolution(range, committedMw, column), this.collapseOf(element));
    return inRange(feasible, committedMw) ? feasible : range;
  }

  /** Where voltages collapse while the demand of an element grows: by its curve, before that as foreseen; null where that is not known. */
  collapseOf(element: Selection): CollapseAhead | null {
    const traced = sameSelection(element, this.primary) ? (this.curves.curve?.collapse ?? null) : null;
    const head = this.responseOf(element)?.estimate?.head;
    return traced ?? foreseenCollapse(head?.collapse, this.#committedMw(element));
  }

  /** Selects elements that the case has, the last one as the primary; ends when the column of that one has come. */
  async select(wanted: SelectedList): Promise<void> {
    const list = knownElements(wanted, this.#host.opened);
    if (sameList(list, this.#list)) {
      return;
    }
    if (!sameSelection(list.at(-1) ?? null, this.primary)) {
      this.#host.primaryLeaves();
      this.paths.forget();
      this.curves.forget();
    }
    this.#list = list;
    const following = this.#responses.follow(list);
    this.#showResponse();
    this.#host.selectionTold("selection");
    this.#followPath();
    await following;
  }

  /** A new state was published: the columns are another one's. */
  restart(): void {
    this.#responses.restart();
    this.#showResponse();
    this.#followPath();
  }

  /** Asks for what is missing at the published state; ends when the column of the primary element has come. */
  follow(): Promise<void> {
    return this.#responses.follow(this.#list);
  }

  /** Gives up what is on its way; nothing is told any more. */
  dispose(): void {
    this.paths.forget();
    this.curves.forget();
    this.#responses.dispose();
  }

  async #ask(element: Selection): Promise<Pick<ElementResponse, "dense" | "estimate">> {
    const { edits } = this.#host.state();
    if (this.#host.can("sensitivities")) {
      return { dense: await this.#solver.sensitivity(edits, element), estimate: null };
    }
    // A rating has no effect on the voltages of a power flow.
    const estimated = element.kind === "bus" && this.#host.can("voltage_estimates");
    return { dense: null, estimate: estimated ? await this.#solver.voltageEstimate(edits, element) : null };
  }

  /** The column of the primary element is the one that previews and maps use. */
  #showResponse(): void {
    const response = this.primary === null ? null : this.responseOf(this.primary);
    this.#host.store.dense = response?.dense ?? null;
    this.#host.store.estimate = response?.estimate ?? null;
  }

  /** Asks for the path over the range, which stays as it is while it holds the published state, or for the PV curve. */
  #followPath(): void {
    const { primary } = this;
    if (primary === null) {
      return;
    }
    const { edits } = this.#host.state();
    if (primary.kind === "generator" && !hasPath(primary, edits, this.#host.opened)) {
      this.curves.forget();
      this.paths.forget(); // its cost is solved position by position
      return;
    }
    this.#followCurve(primary, edits);
    const course = { edits, selection: primary };
    if (!this.#host.can("paths")) {
      this.paths.forget();
      return;
    }
    if (this.#host.store.dense === null) {
      this.paths.keepOnly(course); // the range is not known before the column
    } else {
      this.paths.follow({ ...course, range: this.#usualRange(primary) }, this.#committedMw(primary));
    }
  }

  #followCurve(primary: Selection, edits: CaseEdits): void {
    if (primary.kind !== "bus" || !this.#host.can("voltage_estimates") || !this.#host.can("loadability")) {
      this.curves.forget();
      return;
    }
    const course = { edits, selection: primary };
    if (this.#host.store.estimate === null) {
      this.curves.keepOnly(course); // how voltages respond is asked for first
    } else {
      this.curves.follow(course);
    }
  }

  #responseCame(element: Selection): void {
    if (!sameSelection(element, this.primary)) {
      this.#host.selectionTold("responses");
      return;
    }
    this.#showResponse();
    this.#followPath();
    this.#host.selectionTold("column");
  }

  #usualRange(element: Selection): EditRange {
    const { opened } = this.#host;
    const committedMw = this.#committedMw(element);
    const floor = element.kind === "generator" ? leastChange(element, this.#host.state().edits, opened) : undefined;
    return this.#responses.range(element, opened.baseMw(element), committedMw, floor);
  }

  #committedMw(element: Selection): number {
    return deltaOf(this.#host.state().edits, element, this.#host.opened);
  }
}
