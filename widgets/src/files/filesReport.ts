import { button, h, setText } from "../ui/dom.ts";
import { formatCount, trans } from "../text/index.ts";
import { PassingNote } from "./passingNote.ts";
import type { FileIntake, FileOutcome, OutcomeKind } from "../workspace/index.ts";

/** Notes of a file that are listed; the rest is counted. */
const LISTED_NOTES = 20;

function kindName(kind: OutcomeKind): string {
  switch (kind) {
    case "case":
      return trans.__("Case");
    case "distribution":
      return trans.__("Distribution network");
    case "geography":
      return trans.__("Geography");
    case "display":
      return trans.__("Drawing");
    case "refused":
      return trans.__("Refused");
  }
}

/** What became of the files of the last batch, one line each, and how far the batch under way is. Empty without any. */
export class FilesReport {
  readonly node: HTMLElement;
  readonly #intake: FileIntake;
  readonly #words = h("p", { class: "wb-Files-words", attributes: { role: "status" } });
  readonly #bar = h("progress", { attributes: { "aria-label": trans.__("Files read"), max: "1" } });
  readonly #cancel: HTMLButtonElement;
  readonly #close: HTMLButtonElement;
  readonly #list = h("ul", { class: "wb-Files-list" });
  readonly #details: HTMLButtonElement;
  readonly #short: boolean;
  readonly #passing: PassingNote;
  #open = true;
  #shown: readonly FileOutcome[] = [];

  /**
   * A `short` report lies on a picture: it lists the files of a batch only on demand when all of them were used, and goes by itself
   * when nobody has to remark anything on them.
   */
  constructor(intake: FileIntake, options: { short?: boolean } = {}) {
    this.#intake = intake;
    this.#short = options.short ?? false;
    this.#details = button(trans.__("Details"), () => this.#toggle(!this.#open));
    this.#cancel = button(trans.__("Cancel"), () => intake.cancel());
    this.#close = button(trans.__("Close"), () => intake.dismiss());
    const head = h("div", { class: "wb-Files-head" }, this.#words, this.#bar, this.#cancel, this.#details, this.#close);
    this.node = h("section", { class: "wb-Files", attributes: { "aria-label": trans.__("Files") } }, head, this.#list);
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
    const { progress, outcomes } = this.#intake;
    this.node.hidden = progress === null && outcomes.length === 0;
    this.#bar.hidden = this.#cancel.hidden = progress === null;
    this.#close.hidden = progress !== null;
    if (progress !== null) {
      this.#bar.value = progress.done / Math.max(1, progress.total);
      const place = Math.min(progress.total, progress.done + 1);
      setText(
        this.#words,
        trans._n(
          "Reading %2, %3 of %4 file\u2026",
          "Reading %2, %3 of %4 files\u2026",
          progress.total,
          progress.file,
          place,
          formatCount(progress.total),
        ),
      );
    } else {
      setText(this.#words, summary(outcomes));
    }
    if (outcomes !== this.#shown) {
      this.#shown = outcomes;
      this.#list.replaceChildren(...outcomes.map(line));
      this.#toggle(!this.#short || outcomes.some(({ outcome }) => outcome === "refused"));
    }
    this.#passing.stop();
    const plain = outcomes.every(({ outcome, notes }) => outcome !== "refused" && notes.length === 0);
    if (this.#short && plain && !this.node.hidden && progress === null) {
      this.#passing.begin();
    }
  }

  #toggle(open: boolean): void {
    this.#open = open;
    this.#list.hidden = !open || this.#shown.length === 0;
    this.#details.hidden = !this.#short || this.#shown.length === 0;
    this.#details.setAttribute("aria-expanded", String(open));
  }
}

/** `3 files: 1 refused.` */
function summary(outcomes: readonly FileOutcome[]): string {
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

function line({ name, outcome, sentence, code, notes }: FileOutcome): HTMLElement {
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
    ...(notes.length > 0 ? [warnings] : []),
  );
}
