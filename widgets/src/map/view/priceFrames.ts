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
  /** Shows lines, legend, words and tables. */
  follow(): void;
}

/** Shows the exact colours of a new state in the next frame, and the rest after it. */
export class PriceFrames {
  readonly #host: PriceFramesHost;
  /** Takes back what is to follow a new state's prices; null while all is told. */
  #rest: (() => void) | null = null;

  constructor(host: PriceFramesHost) {
    this.#host = host;
  }

  /** Whether something is yet to follow the prices. */
  get pending(): boolean {
    return this.#rest !== null;
  }

  /** Of a new state: where a preview was there before, the exact colours take its place at once; others run into them. */
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
      node.dataset["pricesRevision"] = String(session.state.revision); // whoever measures frames reads it
      const follow = setTimeout(() => this.#host.follow());
      this.#rest = () => clearTimeout(follow);
    });
  }

  /** Gives up what is to follow: it is shown now, or never. */
  drop(): void {
    this.#rest?.();
    this.#rest = null;
  }

  /** Another step of a series: its colours in the next frame; words and tables follow when it stays. */
  #showStep(): void {
    const { node, session, stage, colours, theme } = this.#host;
    this.drop();
    colours.update(theme.theme.dark);
    stage.drawNow();
    node.dataset["step"] = String(session.series.shown?.step ?? ""); // whoever measures frames reads it
  }
}
