import type { InterfaceLimit, SolveOptions } from "@service/engine";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { Selection } from "../cases/selection.ts";
import type { CaseSession } from "../session/caseSession.ts";
import { type EditRange, editRange } from "./editRange.ts";
import { type CaseEdits, NO_EDITS, plainSum, withInterfaceEdit } from "./edits.ts";
import { EditsSlider } from "./editsSlider.ts";

/** The interfaces of options with the limits that edits give them. */
export function limitedInterfaces({ limits }: SolveOptions, { interfaces = {} }: CaseEdits): InterfaceLimit[] {
  return (limits?.interfaces ?? []).map((limit) => ({ ...limit, ...interfaces[limit.name] }));
}

/** The lines of an interface. */
export function interfaceLines({ branches }: InterfaceLimit, opened: OpenedCase): Selection[] {
  return branches.flatMap(({ branch }): Selection[] => {
    const line = opened.branches[opened.keyRow("branch", String(branch))];
    return line === undefined ? [] : [{ kind: "branch", id: line.id }];
  });
}

/** The slider of one limit of an interface. Positions are limits in MW. */
export class InterfaceSlider extends EditsSlider {
  protected readonly step = 1;
  readonly #name: string;
  readonly #limit: "min_mw" | "max_mw";

  constructor(session: CaseSession, name: string, limit: "min_mw" | "max_mw", moved: (at: number | null) => void) {
    super(session, moved);
    this.#name = name;
    this.#limit = limit;
  }

  /** An upper limit goes from zero to twice that of the options, a lower one likewise in reverse; neither passes the other. */
  get range(): EditRange {
    const { min_mw = -Infinity, max_mw = Infinity } = this.#limits(this.session.live.edits);
    const [base, { committed }] = [this.#limits(NO_EDITS)[this.#limit] ?? 0, this];
    if (this.#limit === "max_mw") {
      const { min, max } = editRange("limit", base, committed - base, null);
      return { min: Math.max(min_mw, plainSum(base + min)), max: plainSum(base + max) };
    }
    const { min, max } = editRange("limit", -base, base - committed, null);
    return { min: plainSum(base - max), max: Math.min(max_mw, plainSum(base - min)) };
  }

  get committed(): number {
    return this.#limits(this.session.live.edits)[this.#limit] ?? 0;
  }

  protected editsAt(at: number): CaseEdits {
    return withInterfaceEdit(this.session.live.edits, this.#name, this.#edit(at));
  }

  protected publish(at: number): Promise<void> {
    return this.session.setInterface(this.#name, this.#edit(at));
  }

  /** The limit of the options is no edit. */
  #edit(at: number): { min_mw?: number | undefined; max_mw?: number | undefined } {
    const base = this.#limits(NO_EDITS)[this.#limit];
    return { [this.#limit]: at === base ? undefined : at };
  }

  #limits(edits: CaseEdits): Pick<InterfaceLimit, "min_mw" | "max_mw"> {
    return limitedInterfaces(this.session.options, edits).find(({ name }) => name === this.#name) ?? {};
  }
}
