import type { SensitivityHead, Solution, TrackBreakpoint } from "@service/engine";
import { errorText } from "../../text/index.ts";
import { nextTask, type NextFrame } from "../concurrency/frames.ts";
import { type Publication } from "../mutations/committer.ts";
import { deltaOf } from "../edits/edits.ts";
import type { EditRange } from "../edits/editRange.ts";
import type { ElementPath } from "../preview/elementPath.ts";
import type { ElementResponse } from "../preview/elementResponses.ts";
import { type DenseColumn } from "../solving/exactSolver.ts";
import { type PassedLimit, passedLimit } from "../edits/feasibleLimit.ts";
import { PricePreview } from "../preview/pricePreview.ts";
import { type SelectedList, toggled, withPrimary } from "../edits/selectedList.ts";
import { SelectedElements } from "../edits/selectedElements.ts";
import { QuantityTable } from "../quantities/quantityTable.ts";
import type { SessionInit } from "./sessionState.ts";
import { sessionHost } from "./sessionHost.ts";
import type { Selection } from "../cases/selection.ts";
import type { PreviewMode } from "../preview/previewMode.ts";
import type { CollapseAhead, VoltageCurve } from "../preview/voltageCurve.ts";
import { StateSession } from "./stateSession.ts";

/** The selected elements of a session, and the preview of the primary one. */
export abstract class SelectionSession extends StateSession {
  /** Runs what follows a new state, after the picture of its prices where a view draws one. */
  afterPicture: NextFrame = nextTask;
  protected readonly elements: SelectedElements;
  protected readonly pricePreview: PricePreview;
  /** What the parts of the session work with. */
  protected readonly host: ReturnType<typeof sessionHost>;
  /** What follows the state that was published last. */
  #following: Promise<void> = Promise.resolve();

  protected constructor(init: SessionInit, solution: Solution, columns: QuantityTable) {
    super(init, solution, columns);
    this.host = sessionHost({
      opened: init.opened,
      states: this.states,
      signals: this.signals,
      preview: () => this.pricePreview,
      selection: () => this.selection,
      can: (capability) => this.capabilities.has(capability),
      publish: (publication) => this.publish(publication),
      cancelPreview: () => this.cancelPreview(),
      forgetFailure: () => this.forgetFailure(),
    });
    this.elements = new SelectedElements(this.host, this.solver, this.queue);
    this.pricePreview = new PricePreview(this.host, this.solver, this.queue, this.elements.paths);
  }

  /** Makes a state the live one. */
  protected abstract publish(publication: Publication): void;

  /** The selected elements, the primary last. */
  get selected(): SelectedList {
    return this.elements.list;
  }

  /** The primary of the selected elements: what the column, the path and the preview are of. */
  get selection(): Selection | null {
    return this.elements.primary;
  }

  /** The sensitivity column of the primary element at the published state, once it is known. */
  get column(): SensitivityHead | null {
    return this.store.dense?.column ?? null;
  }

  /**
   * Whether linear estimates are approximate wherever they are taken, at breakpoints too: the optimum is curved between those. Where it is
   * piecewise affine there are exact paths.
   */
  get curved(): boolean {
    return !this.capabilities.has("paths") || this.column?.warrant.point_only === true;
  }

  /** Why the primary element has no column, in words. */
  get columnProblem(): string | null {
    const problem = this.selection === null ? null : (this.responseOf(this.selection)?.problem ?? null);
    return problem === null ? null : errorText(problem, this.opened);
  }

  /** The exact path of the primary element over its range, once it is known. */
  get path(): ElementPath | null {
    return this.elements.paths.path;
  }

  /** What the move under way has passed on the exact path, in its order; nothing at rest, and while the path is not known. */
  get passedBreakpoints(): readonly TrackBreakpoint[] {
    const { shownMw, path, committedMw } = this;
    return shownMw === null || path === null ? [] : path.passed(committedMw, shownMw);
  }

  /** The PV curve of the primary element, once it is known. */
  get voltageCurve(): VoltageCurve | null {
    return this.elements.curves.curve;
  }

  /** Where voltages collapse while the demand of a selected element grows; null while that is not known. */
  collapseOf(element: Selection): CollapseAhead | null {
    return this.elements.collapseOf(element);
  }

  /** Ends when the column of the primary element at the state published last has come, or why it will not. */
  get columnSettled(): Promise<void> {
    return this.#following;
  }

  /** Why there is no exact path, in words. */
  get pathProblem(): string | null {
    const { problem } = this.elements.paths;
    return problem === null ? null : errorText(problem, this.opened);
  }

  /** Ends when the exact path or PV curve has come, or why it will not; at once where none is on its way. */
  get pathSettled(): Promise<void> {
    const { paths, curves } = this.elements;
    return Promise.all([paths.settled, curves.settled]).then(() => undefined);
  }

  /** How far the primary element can be moved; null until its column is known. */
  get range(): EditRange | null {
    const { selection } = this;
    return selection === null || this.responseOf(selection) === null ? null : this.rangeOf(selection);
  }

  /** How previews are computed. */
  get previewMode(): PreviewMode {
    return this.pricePreview.mode;
  }

  set previewMode(mode: PreviewMode) {
    if (mode !== this.pricePreview.mode) {
      this.pricePreview.mode = mode;
      this.signals.tell("mode");
      this.pricePreview.show();
    }
  }

  /** The position that the prices shown belong to, which follows `previewMw`; null at rest. */
  get shownMw(): number | null {
    return this.pricePreview.shownMw;
  }

  /** Where the primary element is being moved to, as a change from the base case in MW; null at rest. */
  get previewMw(): number | null {
    return this.pricePreview.mw;
  }

  /** The limit behind which the previewed position lies; null at rest, and where it has a solution as far as is known. */
  get passedLimit(): PassedLimit | null {
    const { previewMw, committedMw, path, column } = this;
    return previewMw === null ? null : passedLimit(previewMw, committedMw, path, column);
  }

  /** Change of the primary element from the base case in the published state, MW. */
  get committedMw(): number {
    return this.selection === null ? 0 : deltaOf(this.state.edits, this.selection, this.opened);
  }

  /** How prices respond to a selected element at the published state; null while that is not known. */
  responseOf(element: Selection): ElementResponse | null {
    return this.elements.responseOf(element);
  }

  /** The sensitivity column of any element at the published state. Rejects with EngineError. */
  columnOf(element: Selection): Promise<SensitivityHead> {
    return this.elements.columnOf(element);
  }

  /** The derivative of the published prices by any element, with its values. Rejects with EngineError. */
  sensitivityTo(element: Selection): Promise<DenseColumn> {
    return this.queue.run(() => this.solver.sensitivity(this.state.edits, element));
  }

  /** Asks for the response of a selected element that comes into sight: of many selected only the last few have theirs at once. */
  lookAt(element: Selection): void {
    this.elements.look(element);
  }

  /** How far an element can be moved, as changes from the base case: where its path ends, so does the range. */
  rangeOf(element: Selection): EditRange {
    return this.elements.rangeOf(element);
  }

  /** Selects one element, or none. */
  select(element: Selection | null): Promise<void> {
    return this.selectMany(element === null ? [] : [element]);
  }

  /** Lets the slider of a selected generator move another value of it; it becomes the primary element. */
  editCost(generator: number, cost: boolean): Promise<void> {
    return this.makePrimary({ kind: "generator", id: generator, ...(cost ? { value: "cost" } : {}) });
  }

  /** Adds an element to the selected ones as their primary, or takes it out. */
  toggle(element: Selection): Promise<void> {
    return this.selectMany(toggled(this.selected, element));
  }

  /** Makes one of the selected elements the primary. */
  makePrimary(element: Selection): Promise<void> {
    return this.selectMany(withPrimary(this.selected, element));
  }

  /**
   * Selects elements, the last one as the primary, and asks for their columns; ends when that of the primary has come. Unknown
   * elements are left out. A preview of the primary before ends.
   */
  selectMany(list: SelectedList): Promise<void> {
    return this.elements.select(list);
  }

  /** Moves the primary element to a change of `deltaMw` from the base case and shows what the prices would be. */
  preview(deltaMw: number): void {
    if (this.selection !== null && this.showsLive) {
      this.forgetFailure();
      this.pricePreview.move(deltaMw);
    }
  }

  /** Ends a preview and shows the published state again. */
  cancelPreview(): void {
    if (this.pricePreview.mw === null) {
      return;
    }
    this.pricePreview.end();
    if (this.status.kind === "previewing") {
      this.signals.setStatus({ kind: "ready" });
    }
  }

  protected shownChanged(): void {
    if (this.status.kind === "failed") {
      this.signals.setQuietly({ kind: "ready" });
    }
    this.elements.restart();
    this.signals.tell("state");
    this.follow();
  }

  /** Exact prices first: they are on the screen before columns and paths are asked for. */
  protected follow(): void {
    const drawn = new Promise<void>((resolve) => void this.afterPicture(resolve));
    this.#following = drawn.then(() => (this.disposed ? undefined : this.elements.follow()));
  }
}
