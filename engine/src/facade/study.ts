import { exportedFile, parsed, type ExportedFile } from "../contract/answers.ts";
import type {
  AddedElements,
  Column,
  DemandDeltas,
  Explanation,
  IngestedCase,
  IngestedCaseHead,
  RatingDeltas,
  SensitivityHead,
  SensTarget,
  Solution,
  SolutionHead,
  Track,
} from "../contract.generated.ts";
import { abortedError, EngineError, freedError, isAborted, STUDY_LOST } from "../contract/errors.ts";
import { type ExplainOptions, runExplaining } from "../jobs/explaining.ts";
import { addedJson, caseIdText, editsJson, type FurtherEdits, targetJson, tokenText, trackPosition } from "./inputs.ts";
import { caseOf } from "./caseRows.ts";
import type { StudyColumns } from "../contract/contract.ts";
import { runJob } from "../jobs/job.ts";
import type { Answer, Call, JobSpec } from "../contract/protocol.ts";
import {
  byName,
  StudyRows,
  type Committed,
  type StudyPreview,
  type StudySensitivity,
  type StudyTrackState,
} from "./rows.ts";
import { runSolve, type SolvingOptions, solvesInSteps } from "../jobs/solving.ts";
import { atMost, PROGRESS_MS } from "../jobs/steps.ts";
import type { CommitOptions, StudyHandle, StudyRecipe, TrackOptions } from "./studyHandle.ts";
import { StudyAnalyses } from "./studyAnalyses.ts";
import { StoredTrack, type TrackSpec, trackSpec } from "./studyTrack.ts";
import type { Transport } from "../transport/transport.ts";

/** The edits of a state as JSON, and the elements among them that the case does not have. */
interface CommittedEdits {
  readonly caseId: string;
  readonly edits: string;
  readonly added: string | undefined;
}

/** The engine's description of a network with added elements, which are given as JSON, and the names of its rows. */
interface ExtendedNetwork {
  readonly added: string;
  readonly network: Promise<Answer>;
  readonly rows: Promise<StudyRows>;
}

/**
 * A study as the page sees it. It stores recipe and edits, so that the next call can rebuild a study that was lost with
 * its instance or worker: a committed state is a function of module, options and absolute edits alone.
 */
export class EngineStudy<S extends Solution> extends StudyAnalyses implements StudyHandle<S> {
  static #last = 0;
  readonly #transport: Transport;
  readonly #recipe: StudyRecipe;
  #committed: CommittedEdits | undefined;
  /** The network with the elements that were added last. */
  #extended: ExtendedNetwork | undefined;
  /** Settles with the last requested commit or reset. */
  #changing: Promise<unknown> = Promise.resolve();
  /** The running commit whose hash is requested right after it. */
  #hashRequest: Promise<void> | undefined;
  readonly #track = new StoredTrack();
  /** Number of commits and resets that have been answered. */
  #changes = 0;
  #solveMs = 0;
  /** Set once the study is built. */
  #rows!: StudyRows;
  #rebuilding: Promise<void> | undefined;
  /** True after a change or a rebuild was cancelled: the engine may hold a state other than the committed one. */
  #unsure = false;
  #calls = new AbortController();
  #freed = false;

  private constructor(transport: Transport, recipe: StudyRecipe) {
    super(transport, ++EngineStudy.#last);
    this.#transport = transport;
    this.#recipe = recipe;
  }

  protected ask(call: Call, signal?: AbortSignal): Promise<Answer> {
    return this.#request(call, signal);
  }

  protected get changes(): number {
    return this.#changes;
  }

  protected async during<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#freed) throw freedError();
    const given = this.#calls.signal;
    try {
      return await work(signal ? AbortSignal.any([given, signal]) : given);
    } catch (error) {
      if (this.#freed) throw freedError();
      throw error;
    }
  }

  /** Builds the study in the engine, which solves the base case. */
  static async create<S extends Solution>(
    transport: Transport,
    recipe: StudyRecipe,
    options: SolvingOptions = {},
  ): Promise<EngineStudy<S>> {
    const study = new EngineStudy<S>(transport, recipe);
    try {
      const answer = await study.#opened(options);
      study.#solveMs = answer.ms;
      study.#rows = StudyRows.of(answer);
    } catch (error) {
      // The engine may still build an aborted study, which is then freed. The first error is the one to report.
      study.#release().catch(() => undefined);
      throw error;
    }
    return study;
  }

  #opened({ onProgress, signal }: SolvingOptions): Promise<Answer> {
    const { op: _op, study, ...what } = this.#creation();
    if (!solvesInSteps(this.#recipe.formulation)) return this.#transport.request(this.#creation(), signal);
    return runSolve(this.#transport, { kind: "study", ...what }, onProgress, { study, signal, leaves: "study" });
  }

  async currentSolution(): Promise<S> {
    return (await this.current()).solution;
  }

  async networkWith(added: AddedElements): Promise<IngestedCase> {
    const answer = await this.#with(addedJson({ added }) ?? "{}").network;
    return caseOf(parsed<IngestedCaseHead>(answer), byName(answer.columns));
  }

  /** The names of rows at edits: added elements have rows behind those of the case. */
  #rowsAt(added: string | undefined): Promise<StudyRows> {
    return added === undefined ? Promise.resolve(this.#rows) : this.#with(added).rows;
  }

  #with(added: string): ExtendedNetwork {
    if (this.#extended?.added === added) return this.#extended;
    const network = this.#request({ op: "networkWith", study: this.id, added });
    const extended = { added, network, rows: network.then((answer) => StudyRows.ofNetwork(answer)) };
    extended.rows.catch(() => {
      if (this.#extended === extended) this.#extended = undefined; // the call at these edits is refused too
    });
    return (this.#extended = extended);
  }

  async preview(...edits: Parameters<typeof editsJson>): Promise<StudyPreview> {
    const call = { op: "preview", study: this.id, edits: editsJson(...edits) } as const;
    const [answer, rows] = await Promise.all([this.#request(call), this.#rowsAt(addedJson(edits[2]))]);
    return rows.preview(answer);
  }

  async commit(
    caseId: string,
    deltas: DemandDeltas,
    rates?: RatingDeltas,
    target: SensTarget | null = null,
    options: CommitOptions = {},
  ): Promise<Committed<S>> {
    const added = addedJson(options);
    const edits = { caseId: caseIdText(caseId), edits: editsJson(deltas, rates, options), added };
    const args = { caseId: edits.caseId, edits: edits.edits, target: targetJson(target) };
    if (!solvesInSteps(this.#recipe.formulation)) {
      const { hashLater = false, signal } = options;
      const call = { op: "commit", study: this.id, ...args, ...(hashLater && { hashLater }) } as const;
      const changed = this.#change(() => this.#request(call, signal), edits);
      return hashLater ? this.#hashedLater(changed) : changed;
    }
    const ask = (): Promise<Answer> => this.#commitInSteps({ kind: "commit", ...args }, options);
    return this.#change(ask, edits, { waits: this.#changing, isSure: true });
  }

  /**
   * Requests the hash of a commit as soon as the commit is answered. A change requested meanwhile waits, because the
   * hash is that of the engine's current state.
   */
  async #hashedLater(changed: Promise<Committed<S>>): Promise<Committed<S>> {
    const hashing = changed.then((committed) => {
      const hashed = this.#request({ op: "resultSha256", study: this.id }).then(({ json }) => {
        committed.solution.result_sha256 = json as string;
      });
      hashed.catch(() => undefined); // the error is reported to readers of `hashed`
      return { ...committed, hashed };
    });
    const settled = (this.#hashRequest = hashing.then(
      () => undefined,
      () => undefined, // the error is reported to the caller of the commit
    ));
    void settled.then(() => {
      if (this.#hashRequest === settled) this.#hashRequest = undefined;
    });
    return hashing;
  }

  /**
   * A commit in steps. The engine holds the previous state until the job finishes, so that a cancelled commit leaves no
   * doubt about the state.
   */
  async #commitInSteps(what: JobSpec, options: SolvingOptions): Promise<Answer> {
    let ends = false;
    return this.during(options.signal, (signal) =>
      runSolve(this.#transport, what, options.onProgress, {
        study: this.id,
        start: (call) => this.#request(call, signal),
        signal,
        leaves: "stored",
        onEnd: () => (ends = true),
      }),
    ).catch((error: unknown) => {
      if (isAborted(error) && ends) this.#unsure = true;
      throw error;
    });
  }

  async sensitivity(
    caseId: string,
    deltas: DemandDeltas,
    rates: RatingDeltas,
    target: SensTarget,
    further?: FurtherEdits,
  ): Promise<StudySensitivity> {
    const state = { caseId: caseIdText(caseId), edits: editsJson(deltas, rates, further) };
    const call = { op: "sensitivity", study: this.id, ...state, target: targetJson(target) } as const;
    const [answer, rows] = await Promise.all([this.#request(call), this.#rowsAt(addedJson(further))]);
    return rows.sensitivity(parsed<SensitivityHead>(answer), byName(answer.columns));
  }

  async explain(
    deltas: DemandDeltas,
    rates?: RatingDeltas,
    options: ExplainOptions & FurtherEdits = {},
  ): Promise<Explanation | null> {
    const what = { kind: "explanation", edits: editsJson(deltas, rates, options) } as const;
    return this.during(options.signal, (signal) => {
      const start = (call: Call) => this.#request(call, signal);
      return runExplaining(this.#transport, what, { ...options, signal }, { study: this.id, start });
    });
  }

  async track(target: SensTarget, fromMw: number, toMw: number, options: TrackOptions = {}): Promise<Track> {
    const what = trackSpec(target, fromMw, toMw, options);
    const changes = this.#changes;
    try {
      const answer = await this.#follow(what, options);
      if (changes === this.#changes) this.#track.keep(what);
      return parsed(answer);
    } catch (error) {
      if (isAborted(error)) this.#track.doubt();
      throw error;
    }
  }

  /** Follows a track in steps; the engine stores its path. */
  #follow(what: TrackSpec, { signal, onProgress }: TrackOptions = {}): Promise<Answer> {
    const tell = atMost(PROGRESS_MS, onProgress);
    return this.during(signal, (signal) =>
      runJob(this.#transport, what, {
        study: this.id,
        start: (call) => this.#request(call, signal),
        signal,
        onStep: ({ fraction, at_mw = NaN, done }) => tell({ fraction, at_mw }, done),
        leaves: "stored",
      }),
    );
  }

  async trackPrices(mw: number): Promise<Float64Array> {
    this.#track.require();
    const call = { op: "trackPrices", study: this.id, mw: trackPosition(mw) } as const;
    return (await this.#request(call)).prices as Float64Array;
  }

  async trackState(mw: number): Promise<StudyTrackState> {
    this.#track.require();
    const call = { op: "trackState", study: this.id, mw: trackPosition(mw) } as const;
    return this.#rows.trackState(await this.#request(call));
  }

  async reset(caseId: string): Promise<Committed<S>> {
    const call = { op: "reset", study: this.id, caseId: caseIdText(caseId) } as const;
    const waits = solvesInSteps(this.#recipe.formulation) ? this.#changing : undefined;
    return this.#change(() => this.#request(call), undefined, { waits });
  }

  async columns(): Promise<StudyColumns> {
    return byName(await this.table()) as StudyColumns;
  }

  async table(): Promise<readonly Column[]> {
    return (await this.current()).table;
  }

  async current(): Promise<Pick<Committed<S>, "solution" | "table">> {
    const reading = this.#request({ op: "currentSolution", study: this.id });
    const [answer, rows] = await Promise.all([reading, this.#rowsAt(this.#committed?.added)]);
    const solution = rows.solution<S>(parsed<SolutionHead>(answer), byName(answer.columns), this.#solveMs);
    return { solution, table: answer.columns ?? [] };
  }

  async saveModule(): Promise<string> {
    const edits = await this.#edits();
    if (!edits) return this.#recipe.module;
    const { json } = await this.#request({ op: "materialize", module: this.#recipe.module, edits });
    return json as string;
  }

  async saveSolutionModule(): Promise<string> {
    const call = { op: "saveSolutionModule", study: this.id, module: this.#recipe.module } as const;
    return (await this.#request(call)).json as string;
  }

  async export(format: string): Promise<ExportedFile> {
    const token = tokenText(format, "format");
    const edits = await this.#edits();
    const call = {
      op: "exportModule",
      module: this.#recipe.module,
      format: token,
      ...(edits !== undefined && { edits }),
    } as const;
    return exportedFile(await this.#request(call));
  }

  interrupt(): void {
    const calls = this.#calls;
    this.#calls = new AbortController();
    calls.abort();
  }

  async free(): Promise<void> {
    if (this.#freed) return;
    this.#freed = true;
    this.interrupt();
    await this.#release();
  }

  #creation(): Call & { op: "createStudy" } {
    const { options, ...recipe } = this.#recipe;
    return { op: "createStudy", study: this.id, ...recipe, options: JSON.stringify(options) };
  }

  async #release(): Promise<void> {
    await this.#transport.request({ op: "free", study: this.id });
  }

  /** The edits of the state after all requested changes. */
  async #edits(): Promise<string | undefined> {
    if (this.#freed) throw freedError();
    await this.#changing;
    return this.#committed?.edits;
  }

  /**
   * Requests another state. `edits` describes that state; undefined is the base case. A change in steps `waits` for the
   * previous one, while other calls are ordered by the transport, and it sets the state after a cancellation itself
   * (`isSure`).
   */
  async #change(
    ask: () => Promise<Answer>,
    edits: CommittedEdits | undefined,
    { waits = this.#hashRequest, isSure = false }: { waits?: Promise<unknown> | undefined; isSure?: boolean } = {},
  ): Promise<Committed<S>> {
    const changed = (waits === undefined ? ask() : waits.then(ask)).then(
      async (answer) => {
        this.#committed = edits;
        this.#changes += 1;
        this.#track.drop();
        this.#unsure = false;
        this.#solveMs = answer.ms;
        return (await this.#rowsAt(edits?.added)).committed<S>(answer);
      },
      (error: unknown) => {
        if (isAborted(error) && !isSure) {
          this.#unsure = true;
          this.#track.doubt();
        }
        throw error;
      },
    );
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  async #request(call: Call, signal?: AbortSignal): Promise<Answer> {
    if (this.#freed) throw freedError();
    const given = this.#calls.signal;
    try {
      // A commit contains all edits and does not depend on the previous state.
      if (this.#unsure && call.op !== "commit" && call.op !== "reset") await this.#rebuilt(false);
      return await this.#transport.request(call, signal ? AbortSignal.any([given, signal]) : given);
    } catch (error) {
      if (this.#freed) throw freedError();
      if (!(error instanceof EngineError) || error.code !== STUDY_LOST) throw error;
    }
    await this.#rebuilt(true);
    if (given.aborted) throw abortedError(given);
    return this.#request(call, signal);
  }

  /** Restores the last committed state in the engine; a study that is `lost` is first created again. */
  #rebuilt(lost: boolean): Promise<void> {
    return (this.#rebuilding ??= this.#rebuild(lost).finally(() => (this.#rebuilding = undefined)));
  }

  async #rebuild(lost: boolean): Promise<void> {
    const { signal } = this.#calls;
    this.#unsure = true;
    if (lost) await this.#transport.request(this.#creation(), signal);
    const known = this.#committed;
    if (known) {
      const { caseId, edits } = known;
      await this.#transport.request({ op: "commit", study: this.id, caseId, edits, target: "null" }, signal);
    } else if (!lost) {
      await this.#transport.request({ op: "reset", study: this.id, caseId: "" }, signal);
    }
    this.#unsure = false;
    if (this.#track.spec) await this.#follow(this.#track.spec);
  }
}
