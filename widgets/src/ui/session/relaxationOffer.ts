import type { Explanation } from "@service/engine";
import { capitalised, cornerSentence, errorText, formatExactMw, type PowerUnit, trans } from "../../text/index.ts";
import {
  type CaseSession,
  isCancelled,
  isEdit,
  type OpenedCase,
  planRelaxation,
  type RelaxationPlan,
  type RelaxedChange,
  type ViewedNetwork,
  type IWorkspace,
} from "../../workspace/index.ts";
import { button, h, setText } from "../dom.ts";
import { RelaxationView } from "./relaxationView.ts";

/** Applies a relaxation; rejects with `ABORTED` when the signal fires, which leaves everything unchanged. */
export type ApplyRelaxation = (plan: RelaxationPlan, signal?: AbortSignal) => Promise<unknown>;

/**
 * Offers to apply the relaxation of an explanation. The first button only lists the changes; a second, separate one
 * applies them.
 */
class RelaxationOffer {
  readonly node: HTMLElement;
  readonly #plan: RelaxationPlan;
  readonly #opened: OpenedCase;
  readonly #apply: ApplyRelaxation;
  readonly #show: HTMLButtonElement;
  readonly #list: HTMLElement;
  readonly #confirm: HTMLButtonElement;
  #running: AbortController | null = null;
  readonly #status = h("p", { class: "wb-mod-failed", attributes: { role: "status" } });

  /**
   * `apply` applies the relaxation; `committing` is true if that edits the case in front instead of creating a new
   * case.
   */
  constructor(
    plan: RelaxationPlan,
    { kind, is_least }: Explanation,
    opened: OpenedCase,
    apply: ApplyRelaxation,
    committing: boolean,
  ) {
    this.#plan = plan;
    this.#opened = opened;
    this.#apply = apply;
    this.#show = button(
      is_least ? trans.__("Apply the minimum relaxation\u2026") : trans.__("Apply the relaxation\u2026"),
      () => this.#toggle(this.#list.hidden),
    );
    this.#confirm = button(
      committing ? trans.__("Commit these changes") : trans.__("Open a case with these changes"),
      () => void this.#run(),
    );
    const cancel = button(trans.__("Cancel"), () => this.#cancel());
    this.#list = h(
      "div",
      { class: "wb-Relax-list", attributes: { role: "group", "aria-label": trans.__("What would change") } },
      this.#table(),
      ...(kind === "balance" ? [h("p", { text: balanceNote() })] : []),
      h("div", { class: "wb-Relax-controls" }, this.#confirm, cancel),
    );
    this.node = h("div", { class: "wb-Relax" }, this.#show, this.#list, this.#status);
    this.#toggle(false);
  }

  #toggle(open: boolean): void {
    this.#list.hidden = !open;
    this.#show.setAttribute("aria-expanded", String(open));
    if (open) {
      this.#confirm.focus({ preventScroll: true });
    } else if (this.#list.contains(document.activeElement)) {
      this.#show.focus({ preventScroll: true });
    }
  }

  #table(): HTMLElement {
    const { changes } = this.#plan;
    const units = new Set(changes.map(({ unit }) => unit));
    const heads =
      units.size > 1
        ? [trans.__("Changed"), trans.__("Now"), trans.__("Then"), trans.__("Change")]
        : [trans.__("Changed"), ...changeHeads(changes[0]?.unit ?? "MW")];
    const nameIn = (change: RelaxedChange): string => {
      const name = changeName(change, this.#opened);
      return units.size > 1 ? trans.__("%1, %2", name, change.unit) : name;
    };
    const row = (change: RelaxedChange): HTMLElement =>
      h(
        "tr",
        {},
        h("th", { text: nameIn(change), attributes: { scope: "row" } }),
        h("td", { text: formatExactMw(change.fromMw) }),
        h("td", { text: formatExactMw(change.toMw) }),
        h("td", { text: relaxedMw(change) }),
      );
    return h(
      "table",
      { class: "wb-Changes" },
      h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { text, attributes: { scope: "col" } })))),
      h("tbody", {}, ...changes.map(row)),
    );
  }

  /** Cancels a running application; otherwise hides the list. */
  #cancel(): void {
    if (this.#running === null) {
      this.#toggle(false);
    }
    this.#running?.abort();
  }

  async #run(): Promise<void> {
    const running = (this.#running = new AbortController());
    setText(this.#status, "");
    this.#confirm.disabled = true;
    try {
      await this.#apply(this.#plan, running.signal);
      this.#toggle(false);
    } catch (error) {
      if (!isCancelled(error)) {
        setText(this.#status, errorText(error));
      }
    } finally {
      this.#confirm.disabled = false;
      this.#running = null;
    }
  }
}

/** The subject of a change: `Line 17 (Ash to Birch): rating`. */
export function changeName({ kind, id, limit }: RelaxedChange, opened: OpenedCase): string {
  const of = capitalised(opened.nameOf(kind, id));
  switch (limit) {
    case "rating":
      return trans.__("%1: rating", of);
    case "demand":
      return trans.__("%1: demand", of);
    case "minimum":
      return trans.__("%1: minimum output", of);
    case "maximum":
      return trans.__("%1: maximum output", of);
  }
}

/** Heads of a table of changes in one unit. */
function changeHeads(unit: PowerUnit): string[] {
  return [trans.__("Now, %1", unit), trans.__("Then, %1", unit), trans.__("Change, %1", unit)];
}

/** A change in its unit with its sign and three decimals, so that the confirmed number is exact. */
export function relaxedMw({ fromMw, toMw }: RelaxedChange): string {
  return formatExactMw(toMw - fromMw, { signed: true });
}

/** The search and the offer for a case that has no Study; null without a search for a relaxation. */
export function relaxationOfNetwork({ unsolved }: ViewedNetwork, workspace: IWorkspace): RelaxationView | null {
  if (unsolved === null) {
    return null;
  }
  const { opened, search } = unsolved;
  const offer = (explanation: Explanation): HTMLElement => {
    const plan = planRelaxation(explanation, opened);
    const apply: ApplyRelaxation = (made, signal) => workspace.openRelaxed(opened, made, signal);
    return offerOf(plan, explanation, opened, apply, false);
  };
  return new RelaxationView(search, opened, offer, true);
}

/** The search and the offer for edits that have no solution; null without a search for a relaxation. */
export function relaxationOfSession(session: CaseSession, workspace: IWorkspace): RelaxationView | null {
  const { status, opened, relaxationSearch } = session;
  const tried = status.kind === "failed" ? status.tried : null;
  if (relaxationSearch === null || tried === null) {
    return null;
  }
  const offer = (explanation: Explanation): HTMLElement => {
    const plan = planRelaxation(explanation, opened, tried.edits, tried.formulation);
    const apply: ApplyRelaxation = (made, signal) =>
      isEdit(made) ? commitPlan(session, made, signal) : workspace.openRelaxed(opened, made, signal);
    return offerOf(plan, explanation, opened, apply, typeof plan !== "string" && isEdit(plan));
  };
  return new RelaxationView(relaxationSearch, opened, offer, false);
}

function offerOf(
  plan: RelaxationPlan | string,
  explanation: Explanation,
  opened: OpenedCase,
  apply: ApplyRelaxation,
  committing: boolean,
): HTMLElement {
  return typeof plan === "string"
    ? refusal(plan)
    : new RelaxationOffer(plan, explanation, opened, apply, committing).node;
}

/** Commits a relaxation, and reports if its result is a corner of the optimum, by the warrant of the relaxed limit. */
export async function commitPlan(
  session: CaseSession,
  { edits, changes }: RelaxationPlan,
  signal?: AbortSignal,
): Promise<void> {
  const cancel = (): void => session.cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  await session.commit(edits, session.live.revision).finally(() => signal?.removeEventListener("abort", cancel));
  const { revision } = session.live;
  const [first] = changes;
  if (first !== undefined && (first.kind === "bus" || first.kind === "branch")) {
    const corner = cornerSentence(await session.columnOf({ kind: first.kind, id: first.id }));
    if (corner !== null) {
      session.remark(revision, corner);
    }
  }
}

/** Why the relaxation may exceed the shortfall in the message. */
function balanceNote(): string {
  return trans.__("The change may be larger than the imbalance, because line limits apply too.");
}

function refusal(why: string): HTMLElement {
  return h("p", { class: "wb-Relax", text: trans.__("The relaxation cannot be applied here: %1", why) });
}
