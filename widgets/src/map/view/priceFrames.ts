import { afterFrame } from "../../ui/pageFrame.ts";
import type { ThemeWatcher } from "../../ui/theme.ts";
import type { CaseSession } from "../../workspace/index.ts";
import type { MapColours } from "../colour/mapColours.ts";
import type { Stage } from "./stage.ts";

/** What a new state is shown on. */
export interface PriceFramesHost {
  readonly node: HTMLElement;
  readonly session: CaseSession;
  readonly stage: Stage;
  readonly colours: MapColours;
  readonly theme: ThemeWatcher;
  /** Shows lines, legend, texts and tables. */
  follow(): void;
}

/** Shows the exact colours of a new state in the next frame, and the rest after it. */
export class PriceFrames {
  readonly #host: PriceFramesHost;
  /** Cancels what follows a new state's prices; null when everything is shown. */
  #rest: (() => void) | null = null;

  constructor(host: PriceFramesHost) {
    this.#host = host;
  }

  /** Whether something still follows the prices. */
  get pending(): boolean {
    return this.#rest !== null;
  }

  /** Shows a new state: exact colours replace a preview at once; otherwise colours fade. */
  show(change: "state" | "step"): void {
    if (change === "step") {
      this.#showStep();
      return;
    }
    const { node, session, stage, colours, theme } = this.#host;
    if (session.state.reconciled === null) {
      stage.stateChanged();
    }
    colours.stateChanged();
    colours.updateBuses(theme.theme.dark);
    stage.drawNow();
    this.#rest?.();
    this.#rest = afterFrame(() => {
      node.dataset["pricesRevision"] = String(session.state.revision); // read by tools that measure frames
      const follow = setTimeout(() => this.#host.follow());
      this.#rest = () => clearTimeout(follow);
    });
  }

  /** Cancels what follows. */
  drop(): void {
    this.#rest?.();
    this.#rest = null;
  }

  /** Another step of a series: its colours in the next frame; texts and tables follow when playing stops there. */
  #showStep(): void {
    const { node, session, stage, colours, theme } = this.#host;
    this.drop();
    colours.update(theme.theme.dark);
    stage.drawNow();
    node.dataset["step"] = String(session.series.shown?.step ?? ""); // read by tools that measure frames
  }
}
