import { button, h, setText } from "../ui/dom.ts";
import { errorText, formatCount, trans } from "../text/index.ts";
import { PassingNote } from "./passingNote.ts";
import type { FileIntake, FileOffer, FileOutcome, IntakeStage, OutcomeKind, RunningBatch } from "../workspace/index.ts";

/** Number of notes listed per file; the others are counted. */
const LISTED_NOTES = 20;

function kindName(kind: OutcomeKind): string {
  switch (kind) {
    case "case":
      return trans.__("Case");
    case "distribution":
      return trans.__("Distribution network");
    case "costs":
      return trans.__("Costs");
    case "geography":
      return trans.__("Geography");
    case "display":
      return trans.__("Drawing");
    case "profile":
      return trans.__("Demand profile");
    case "waiting":
      return trans.__("Waiting");
    case "refused":
      return trans.__("Refused");
  }
}

/** Progress of one batch, with its Cancel button. */
class BatchRow {
  readonly node: HTMLElement;
  readonly #batch: RunningBatch;
  readonly #words = h("p", { class: "wb-Files-words", attributes: { role: "status" } });
  readonly #bar = h("progress", { attributes: { "aria-label": trans.__("Files read"), max: "1" } });

  constructor(batch: RunningBatch) {
    this.#batch = batch;
    const cancel = button(trans.__("Cancel"), () => batch.cancel());
    this.node = h("div", { class: "wb-Files-head" }, this.#words, this.#bar, cancel);
  }

  update(): void {
    const { stage, file, done, total } = this.#batch.progress;
    // A single file has no measurable progress.
    if (total === 1) {
      this.#bar.removeAttribute("value");
    } else {
      this.#bar.value = done / Math.max(1, total);
    }
    setText(this.#words, stageWords(stage, file, Math.min(total, done + 1), total));
  }
}

/** The present stage of a batch. */
function stageWords(stage: IntakeStage, file: string, place: number, total: number): string {
  const of = total > 1 ? trans.__("%1, %2 of %3 files", file, place, formatCount(total)) : file;
  switch (stage) {
    case "reading":
      return trans.__("Reading %1\u2026", of);
    case "placing":
      return trans.__("Placing by %1\u2026", of);
    case "solving":
      return trans.__("Solving the base case of %1\u2026", of);
  }
}

/** The outcome of the last batch, one line per file, and the progress of running batches. Empty without a batch. */
export class FilesReport {
  readonly node: HTMLElement;
  readonly #intake: FileIntake;
  readonly #words = h("p", { class: "wb-Files-words", attributes: { role: "status" } });
  readonly #close: HTMLButtonElement;
  readonly #head: HTMLElement;
  readonly #batches = h("div", { class: "wb-Files-batches" });
  readonly #rows = new Map<RunningBatch, BatchRow>();
  readonly #list = h("ul", { class: "wb-Files-list" });
  readonly #details: HTMLButtonElement;
  readonly #short: boolean;
  readonly #passing: PassingNote;
  #open = true;
  #shown: readonly FileOutcome[] = [];

  /**
   * A `short` report lies on a picture: it shows the outcome of a single file, lists a batch only on demand when all of
   * its files were used, and disappears by itself when it needs no attention.
   */
  constructor(intake: FileIntake, options: { short?: boolean } = {}) {
    this.#intake = intake;
    this.#short = options.short ?? false;
    this.#details = button(trans.__("Details"), () => this.#toggle(!this.#open));
    this.#close = button(trans.__("Close"), () => intake.dismiss());
    this.#head = h("div", { class: "wb-Files-head" }, this.#words, this.#details, this.#close);
    this.node = h(
      "section",
      { class: "wb-Files", attributes: { "aria-label": trans.__("Files") } },
      this.#batches,
      this.#head,
      this.#list,
    );
    this.#passing = new PassingNote(this.node, () => (this.node.hidden = true));
    intake.changed.connect(this.#update, this);
    this.#toggle(!this.#short);
    this.#update();
  }

  dispose(): void {
    this.#intake.changed.disconnect(this.#update, this);
    this.#passing.stop();
    this.node.remove();
  }

  #update(): void {
    const { running, outcomes } = this.#intake;
    this.node.hidden = running.length === 0 && outcomes.length === 0;
    this.#head.hidden = outcomes.length === 0;
    this.#showRunning(running);
    const [only, ...others] = outcomes;
    const alone = this.#short && only !== undefined && others.length === 0 && !isOpen(only);
    setText(this.#words, alone ? only.sentence : summary(outcomes));
    if (outcomes !== this.#shown) {
      this.#shown = outcomes;
      this.#list.replaceChildren(...outcomes.map(line));
      this.#toggle(!this.#short || outcomes.some(isOpen));
    }
    this.#passing.stop();
    const plain = outcomes.every((one) => !isOpen(one) && one.notes.length === 0);
    if (this.#short && plain && !this.node.hidden && running.length === 0) {
      this.#passing.begin();
    }
  }

  #showRunning(running: readonly RunningBatch[]): void {
    for (const [batch, { node }] of this.#rows) {
      if (!running.includes(batch)) {
        node.remove();
        this.#rows.delete(batch);
      }
    }
    for (const batch of running) {
      let row = this.#rows.get(batch);
      if (row === undefined) {
        row = new BatchRow(batch);
        this.#rows.set(batch, row);
        this.#batches.append(row.node);
      }
      row.update();
    }
  }

  #toggle(open: boolean): void {
    this.#open = open;
    this.#list.hidden = !open || this.#shown.length === 0;
    this.#details.hidden = !this.#short || this.#shown.length === 0;
    this.#details.setAttribute("aria-expanded", String(open));
  }
}

/** Whether a file still needs a decision. */
function isOpen({ outcome, offer }: FileOutcome): boolean {
  return outcome === "refused" || outcome === "waiting" || offer !== undefined;
}

/** `3 files: 1 refused.` */
function summary(outcomes: readonly FileOutcome[]): string {
  const waiting = outcomes.filter(({ outcome }) => outcome === "waiting").length;
  if (waiting > 0) {
    const waits = trans._n("%2 file waits for others.", "%2 files wait for others.", waiting, formatCount(waiting));
    const rest = summary(outcomes.filter(({ outcome }) => outcome !== "waiting"));
    return rest === "" ? waits : `${waits} ${rest}`;
  }
  const bad = outcomes.filter(({ outcome }) => outcome === "refused").length;
  const all = outcomes.length;
  if (all === 0) {
    return "";
  }
  if (bad === 0) {
    return trans._n("%2 file: used.", "%2 files: all used.", all, formatCount(all));
  }
  if (bad === all) {
    return trans._n("%2 file: not used.", "%2 files: none used.", all, formatCount(all));
  }
  return trans._n(
    "%2 file: %3 used, %4 refused.",
    "%2 files: %3 used, %4 refused.",
    all,
    formatCount(all),
    all - bad,
    bad,
  );
}

/** The next step for a file, and why it failed. */
function offered({ label, take }: FileOffer): HTMLElement {
  const status = h("p", { class: "wb-mod-failed", attributes: { role: "status" } });
  const go = button(label, () => {
    go.disabled = true;
    setText(status, "");
    take()
      .catch((error: unknown) => setText(status, errorText(error)))
      .finally(() => (go.disabled = false));
  });
  return h("div", { class: "wb-Files-offer" }, go, status);
}

function line({ name, outcome, sentence, code, notes, offer }: FileOutcome): HTMLElement {
  const more = notes.length - LISTED_NOTES;
  const warnings = h(
    "details",
    {},
    h("summary", { text: trans._n("%2 remark", "%2 remarks", notes.length, formatCount(notes.length)) }),
    h(
      "ul",
      {},
      ...notes.slice(0, LISTED_NOTES).map((text) => h("li", { text })),
      ...(more > 0 ? [h("li", { text: trans._n("and %1 more", "and %1 more", more) })] : []),
    ),
  );
  return h(
    "li",
    { class: outcome === "refused" ? "wb-Files-refused" : "", data: { outcome } },
    h(
      "div",
      { class: "wb-Files-name" },
      h("b", { text: name }),
      h("span", { class: "wb-unit", text: kindName(outcome) }),
    ),
    h("div", { text: sentence, attributes: code === undefined ? {} : { title: code } }),
    ...(offer === undefined ? [] : [offered(offer)]),
    ...(notes.length > 0 ? [warnings] : []),
  );
}
