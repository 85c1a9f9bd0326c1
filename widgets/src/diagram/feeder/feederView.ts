import type { Target } from "../../map/index.ts";
import type { Theme } from "../../ui/index.ts";
import { type FeederChange, FeederRows, type FeederStudy, type ViewedNetwork } from "../../workspace/index.ts";
import { FeederColours } from "./feederColours.ts";
import { type Fact, targetFacts } from "./feederFacts.ts";
import { FeederLegend } from "./feederLegend.ts";
import { FeederPanel } from "./feederPanel.ts";

/** The parts of a network viewer for a feeder's power flow: colours, legend, panel, and facts of an element. */
export class FeederView {
  readonly colours: FeederColours;
  readonly panel: FeederPanel;
  readonly #network: ViewedNetwork;
  readonly #study: FeederStudy;
  readonly #legend: FeederLegend;
  readonly #repaint: () => void;
  #rows: FeederRows | null = null;
  #selected: Target | null = null;
  #moving = false;

  /** `repaint` is called when colours or facts have changed. */
  constructor(network: ViewedNetwork, study: FeederStudy, repaint: () => void) {
    this.#network = network;
    this.#study = study;
    this.#repaint = repaint;
    this.#rows = study.solution && new FeederRows(study.solution);
    this.colours = new FeederColours(network, study);
    this.panel = new FeederPanel(network, study);
    this.#legend = new FeederLegend(this.colours, repaint);
    study.changed.connect(this.#changed, this);
  }

  get legend(): HTMLElement {
    return this.#legend.node;
  }

  /** Whether there is a result to save. */
  get canSave(): boolean {
    return this.#study.solution !== null;
  }

  /** Sets the selected element, whose terminals the panel lists. */
  select(target: Target | null): void {
    this.#selected = target;
    this.panel.showDetails(target, this.#rows);
  }

  facts(target: Target): Fact[] {
    return targetFacts(this.#network, this.#study, this.#rows, target);
  }

  update(theme: Theme): void {
    this.colours.update(theme, this.#rows, this.#moving);
    this.#legend.update();
  }

  dispose(): void {
    this.#study.changed.disconnect(this.#changed, this);
    this.panel.dispose();
  }

  #changed(_: unknown, change: FeederChange): void {
    if (change === "state") {
      return;
    }
    const { solution } = this.#study;
    if (change === "result" && solution !== null) {
      this.#rows = new FeederRows(solution);
    }
    this.#moving = change === "voltages";
    this.panel.showDetails(this.#selected, this.#rows);
    this.#repaint();
  }
}
