import type { FormulationId, Solution, SolvingOptions, StudyHandle } from "@service/engine";
import { type CaseEdits, NO_EDITS } from "../edits/edits.ts";
import type { PathRequest } from "../preview/elementPath.ts";

/** Creates a Study of the case in a formulation. Rejects with EngineError. */
export type CreateStudy = (
  formulation: FormulationId,
  signal: AbortSignal,
  onProgress?: SolvingOptions["onProgress"],
) => Promise<StudyHandle<Solution>>;

/** A Study, the edits that it stands at, and the path it holds there. */
export interface OpenStudy {
  readonly study: StudyHandle<Solution>;
  standsAt: CaseEdits;
  held: PathRequest | null;
  /** Where the track of that path begins and ends, MW. */
  reach: readonly [low: number, high: number];
}

/** The Studies of one case, one for each formulation that was asked for: a return to a formulation finds its Study as it was. */
export class Studies {
  readonly #create: CreateStudy;
  readonly #open = new Map<FormulationId, OpenStudy>();
  #creating = new AbortController();
  #freed = false;

  constructor(create: CreateStudy, first: FormulationId, study: StudyHandle<Solution>) {
    this.#create = create;
    this.#open.set(first, { study, standsAt: NO_EDITS, held: null, reach: [NaN, NaN] });
  }

  /** The Study of a formulation; null before it is created. */
  known(formulation: FormulationId): OpenStudy | null {
    return this.#open.get(formulation) ?? null;
  }

  /** The Study of a formulation, created where there is none. Callers keep the calls in order. Rejects with EngineError. */
  async of(formulation: FormulationId, onProgress?: SolvingOptions["onProgress"]): Promise<OpenStudy> {
    const known = this.known(formulation);
    if (known !== null) {
      return known;
    }
    const { signal } = this.#creating;
    const study = await this.#create(formulation, signal, onProgress);
    const open: OpenStudy = { study, standsAt: NO_EDITS, held: null, reach: [NaN, NaN] };
    if (this.#freed) {
      void study.free();
    } else {
      this.#open.set(formulation, open);
    }
    return open;
  }

  /** Gives up what the Studies are asked for; each stays in the state of the last answer. */
  interrupt(): void {
    this.#creating.abort();
    this.#creating = new AbortController();
    this.#open.forEach(({ study }) => study.interrupt());
  }

  /** Frees the Studies, and gives up what they are asked for. */
  async free(): Promise<void> {
    this.#freed = true;
    this.#creating.abort();
    await Promise.all([...this.#open.values()].map(({ study }) => study.free()));
  }
}
