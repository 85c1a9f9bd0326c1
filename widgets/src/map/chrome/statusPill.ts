import type { SolveProgress } from "@service/engine";
import { certificateLines, modelText, residualMeaning, trans } from "../../text/index.ts";
import { type CaseSession, type IWorkspace, offersOfSession } from "../../workspace/index.ts";
import { button, h, setText } from "../../ui/dom.ts";
import { solveOffers } from "../../ui/session/solveOffers.ts";
import { isPending, pillText, progressText, statusSentence } from "../../ui/session/statusText.ts";

/** A solve that takes longer shows a Cancel button, ms. */
const CANCEL_AFTER_MS = 300;

/** The status pill: a live region with the status of the session, which opens the certificate in plain words. */
export class StatusPill {
  readonly node: HTMLElement;
  /** The certificate, placed over the picture. */
  readonly certificate = h("div", {
    class: "wb-Certificate",
    attributes: { role: "dialog", "aria-label": trans.__("Certificate of the result"), tabindex: "-1", hidden: "" },
  });
  readonly #session: CaseSession;
  readonly #workspace: IWorkspace;
  readonly #button: HTMLButtonElement;
  readonly #text = h("span", { class: "wb-Pill-text" });
  /**
   * Progress of a solve, with the gap where there is room. Outside the live region, because single iterations must not
   * be announced.
   */
  readonly #iteration = h("span");
  readonly #gap = h("span");
  readonly #bar = h("progress", { attributes: { max: "1", "aria-label": trans.__("Progress of the solve") } });
  readonly #progress = h(
    "span",
    { class: "wb-Status-progress", attributes: { hidden: "" } },
    this.#bar,
    h("span", { class: "wb-Status-iteration" }, this.#iteration, this.#gap),
  );
  readonly #cancel: HTMLButtonElement;
  #offering: ReturnType<typeof setTimeout> | null = null;

  constructor(session: CaseSession, workspace: IWorkspace) {
    this.#session = session;
    this.#workspace = workspace;
    this.#button = h(
      "button",
      {
        class: "wb-Pill",
        attributes: { type: "button", "aria-haspopup": "dialog", "aria-expanded": "false" },
        on: { click: () => this.#toggle(this.certificate.hidden) },
      },
      h("i", { attributes: { "aria-hidden": "true" } }),
      this.#text,
    );
    this.#cancel = button(trans.__("Cancel"), () => session.cancel());
    const live = h(
      "div",
      { class: "wb-Status-live", attributes: { role: "status", "aria-live": "polite" } },
      this.#button,
    );
    this.node = h("div", { class: "wb-Status" }, live, this.#progress);
    this.certificate.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        this.#toggle(false);
        this.#button.focus();
      }
    });
    this.update();
  }

  /** Shows the present status. */
  update(): void {
    const { status, state } = this.#session;
    setText(this.#text, pillText(this.#session));
    const whole = statusSentence(this.#session).replace(/\.$/, "");
    const meaning = status.kind === "ready" ? [residualMeaning(state.solution)] : [];
    this.#button.title = [trans.__("%1. Click for the certificate.", whole), ...meaning].join(" ");
    const differs = status.kind === "ready" && state.otherSha256 !== null;
    const infeasible = status.kind === "previewing" && this.#session.passedLimit !== null;
    this.#offerCancel(isPending(status));
    this.#showProgress(status.kind === "solving" ? status.progress : undefined);
    this.#button.dataset["status"] = differs ? "differs" : infeasible ? "infeasible" : status.kind;
    if (!this.certificate.hidden) {
      this.#fill();
    }
  }

  /** Must be called when the map is disposed. */
  dispose(): void {
    this.#offerCancel(false);
  }

  #showProgress(progress: SolveProgress | undefined): void {
    this.#progress.hidden = progress === undefined;
    if (progress !== undefined) {
      this.#bar.value = progress.fraction;
      const [iteration, gap] = progressText(progress);
      setText(this.#iteration, iteration);
      setText(this.#gap, gap);
    }
  }

  /** Most solves end before they could be cancelled, and a flashing button would only move the text. */
  #offerCancel(wanted: boolean): void {
    if (!wanted && this.#offering !== null) {
      clearTimeout(this.#offering);
      this.#offering = null;
      this.#cancel.remove();
    } else if (wanted && this.#offering === null) {
      this.#offering = setTimeout(() => this.node.append(this.#cancel), CANCEL_AFTER_MS);
    }
  }

  #toggle(open: boolean): void {
    this.certificate.hidden = !open;
    this.#button.setAttribute("aria-expanded", String(open));
    if (open) {
      this.#fill();
      this.certificate.focus();
    }
  }

  #fill(): void {
    const { state, status, opened, series } = this.#session;
    if (series.error !== null) {
      const text = statusSentence(this.#session);
      this.certificate.replaceChildren(h("p", { class: "wb-mod-failed", text })); // there is no earlier state
      return;
    }
    const { solution } = state;
    const lines = certificateLines(solution, opened);
    const hash = solution.result_sha256.slice(0, 12);
    const origin =
      state.otherSha256 === null
        ? trans.__("Result %1; %2.", hash, modelText(solution))
        : trans.__(
            "The page computed %1, the kernel %2. Please report this case.",
            hash,
            state.otherSha256.slice(0, 12),
          );
    const offers = solveOffers(offersOfSession(this.#session), this.#workspace);
    this.certificate.replaceChildren(
      ...(status.kind === "failed"
        ? [
            h("p", {
              class: "wb-mod-failed",
              text: trans.__("%1 The previous state is shown.", statusSentence(this.#session)),
            }),
            ...(offers === null ? [] : [offers]),
          ]
        : []),
      h("h3", { text: trans.__("Why this result can be trusted") }),
      h("dl", {}, ...lines.flatMap(({ term, meaning }) => [h("dt", { text: term }), h("dd", { text: meaning })])),
      ...(state.remark === undefined ? [] : [h("p", { text: state.remark })]),
      ...solution.diagnostics.map(({ message }) => h("p", { text: message })),
      h("p", { class: "wb-unit", text: origin }),
    );
  }
}
