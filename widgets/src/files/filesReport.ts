import { button, h, setText } from "../map/dom.ts";
import { counted } from "../words/index.ts";
import type { FileIntake, FileOutcome, OutcomeKind } from "../workspace/index.ts";

/** Notes of a file that are listed; the rest is counted. */
const LISTED_NOTES = 20;

const KINDS: Record<OutcomeKind, string> = {
  case: "Case",
  distribution: "Distribution network",
  geography: "Geography",
  display: "Drawing",
  refused: "Refused",
};

/** What became of the files of the last batch, one line each, and how far the batch under way is. Empty without any. */
export class FilesReport {
  readonly node: HTMLElement;
  readonly #intake: FileIntake;
  readonly #words = h("p", { class: "wb-Files-words", attributes: { role: "status" } });
  readonly #bar = h("progress", { attributes: { "aria-label": "Files read", max: "1" } });
  readonly #cancel: HTMLButtonElement;
  readonly #close: HTMLButtonElement;
  readonly #list = h("ul", { class: "wb-Files-list" });
  readonly #details: HTMLButtonElement;
  readonly #short: boolean;
  #open = true;
  #shown: readonly FileOutcome[] = [];

  /** A `short` report lists the files of a batch only on demand when all of them were used: it lies on a picture. */
  constructor(intake: FileIntake, options: { short?: boolean } = {}) {
    this.#intake = intake;
    this.#short = options.short ?? false;
    this.#details = button("Details", () => this.#toggle(!this.#open));
    this.#cancel = button("Cancel", () => intake.cancel());
    this.#close = button("Close", () => intake.dismiss());
    const head = h("div", { class: "wb-Files-head" }, this.#words, this.#bar, this.#cancel, this.#details, this.#close);
    this.node = h("section", { class: "wb-Files", attributes: { "aria-label": "Files" } }, head, this.#list);
    intake.changed.connect(this.#update, this);
    this.#toggle(!this.#short);
    this.#update();
  }

  dispose(): void {
    this.#intake.changed.disconnect(this.#update, this);
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
      setText(this.#words, `Reading ${progress.file}, ${place} of ${counted(progress.total, "file", "files")}\u2026`);
    } else {
      setText(this.#words, summary(outcomes));
    }
    if (outcomes !== this.#shown) {
      this.#shown = outcomes;
      this.#list.replaceChildren(...outcomes.map(line));
      this.#toggle(!this.#short || outcomes.some(({ outcome }) => outcome === "refused"));
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
  const rest =
    outcomes.length === 1
      ? bad === 0
        ? "used"
        : "not used"
      : bad === 0
        ? "all used"
        : bad === outcomes.length
          ? "none used"
          : `${outcomes.length - bad} used, ${bad} refused`;
  return outcomes.length === 0 ? "" : `${counted(outcomes.length, "file", "files")}: ${rest}.`;
}

function line({ name, outcome, sentence, code, notes }: FileOutcome): HTMLElement {
  const more = notes.length - LISTED_NOTES;
  const warnings = h(
    "details",
    {},
    h("summary", { text: counted(notes.length, "remark", "remarks") }),
    h(
      "ul",
      {},
      ...notes.slice(0, LISTED_NOTES).map((text) => h("li", { text })),
      ...(more > 0 ? [h("li", { text: `and ${more} more` })] : []),
    ),
  );
  return h(
    "li",
    { class: outcome === "refused" ? "wb-Files-refused" : "", data: { outcome } },
    h("div", { class: "wb-Files-name" }, h("b", { text: name }), h("span", { class: "wb-unit", text: KINDS[outcome] })),
    h("div", { text: sentence, attributes: code === undefined ? {} : { title: code } }),
    ...(notes.length > 0 ? [warnings] : []),
  );
}
