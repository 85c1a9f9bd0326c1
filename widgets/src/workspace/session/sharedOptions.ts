import type { FormulationId, SolveOptions } from "@service/engine";
import { sentenceOf } from "../../text/index.ts";

/** The key of the engine's refusal of an option that a formulation does not read. */
const UNREAD = "request.option_of_other";

/**
 * The options of a session, whose formulations share them: each Study gets those that its formulation reads. The engine decides
 * which these are.
 */
export class SharedOptions {
  readonly #all: SolveOptions;
  readonly #leftOut = new Map<FormulationId, readonly string[]>();

  constructor(all: SolveOptions) {
    this.#all = all;
  }

  /** What `create` makes with the options that a formulation reads; rejects with its other errors. */
  async create<Made>(formulation: FormulationId, create: (options: SolveOptions) => Promise<Made>): Promise<Made> {
    for (;;) {
      const leftOut = this.leftOut(formulation);
      try {
        return await create(this.#without(leftOut));
      } catch (error) {
        const name = unreadOption(error);
        if (name === null || !(name in this.#all) || leftOut.includes(name)) {
          throw error;
        }
        this.#leftOut.set(formulation, [...leftOut, name]);
      }
    }
  }

  /** Names of the options that a formulation was refused with. */
  leftOut(formulation: FormulationId): readonly string[] {
    return this.#leftOut.get(formulation) ?? [];
  }

  #without(names: readonly string[]): SolveOptions {
    return Object.fromEntries(Object.entries(this.#all).filter(([name]) => !names.includes(name)));
  }
}

function unreadOption(error: unknown): string | null {
  const sentence = sentenceOf(error);
  const option = sentence?.key === UNREAD ? sentence.values?.["option"] : undefined;
  return option !== undefined && "text" in option ? option.text : null;
}
