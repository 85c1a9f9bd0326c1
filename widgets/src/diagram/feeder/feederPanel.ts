import type { Chart, Plot, Tone } from "../../charts/plot.ts";
import { button, h, setText } from "../../ui/index.ts";
import { afterFrame } from "../../ui/pageFrame.ts";
import { errorText, formatCount, formatPerUnit, messageText, numbered, trans } from "../../text/index.ts";
import {
  FeederProfile,
  type FeederRows,
  type FeederStudy,
  nextTask,
  optionsThatHelp,
  type Refused,
  type ViewedNetwork,
} from "../../workspace/index.ts";
import type { Target } from "../../map/index.ts";
import { type Phase, phaseOf } from "../oneline/index.ts";
import { resultFacts } from "./feederFacts.ts";
import { FeederDetails } from "./feederDetails.ts";
import { FeederOptions } from "./feederOptions.ts";
import { FeederLoads } from "./feederLoads.ts";
import { FeederTable, LISTED, type Listed, listedName } from "./feederTables.ts";

type Tab = "profile" | "loads" | Listed;

/** Number of elements of a refusal named in one line. */
const NAMED = 12;

/** Lines with more points than this are drawn as one shape. */
const WEB = 1000;

/** Phases have a colour and a dash pattern each; further terminals share the last. */
const TONES = { 0: "phase-1", 1: "phase-2", 2: "phase-3", neutral: "neutral" } as const satisfies Record<Phase, Tone>;

/** The power flow of a feeder: solve, refusal with its options, result, profile, tables, loads. */
export class FeederPanel {
  readonly node: HTMLElement;
  readonly #study: FeederStudy;
  readonly #solve: HTMLButtonElement;
  readonly #cancel: HTMLButtonElement;
  readonly #status = h("p", { class: "wb-Feeder-status", attributes: { role: "status" } });
  readonly #refusal = h("div", { class: "wb-Feeder-refusal" });
  readonly #options: FeederOptions;
  readonly #details: FeederDetails;
  readonly #facts = h("dl", { class: "wb-Feeder-facts" });
  readonly #tabs: HTMLElement;
  readonly #body = h("div", { class: "wb-Feeder-body" });
  readonly #plotNode = h("div", { class: "wb-Chart-plot" });
  readonly #table: FeederTable;
  readonly #loads: FeederLoads;
  #plot: Promise<Plot> | null = null;
  #cancelProfile: () => void = () => undefined;
  /** The profile of the last result. */
  #profile: FeederProfile | null = null;
  #tab: Tab = "profile";

  constructor(network: ViewedNetwork, study: FeederStudy) {
    this.#study = study;
    this.#options = new FeederOptions(study);
    this.#details = new FeederDetails(network, study);
    this.#table = new FeederTable(study);
    this.#loads = new FeederLoads(study);
    this.#solve = button(trans.__("Solve power flow"), () => void study.solve(), { class: "wb-mod-primary" });
    this.#cancel = button(trans.__("Cancel"), () => study.cancel());
    this.#tabs = this.#tabRow();
    const noPrices = trans.__("A power flow of a feeder has no prices and no planning objectives.");
    this.node = h(
      "section",
      { class: "wb-Feeder", attributes: { "aria-label": trans.__("Power flow") } },
      h("div", { class: "wb-Feeder-head" }, h("h2", { text: trans.__("Power flow") }), this.#solve, this.#cancel),
      this.#status,
      this.#refusal,
      this.#options.node,
      this.#details.node,
      this.#facts,
      h("p", { class: "wb-Feeder-note", text: noPrices }),
      this.#tabs,
      this.#body,
    );
    study.changed.connect(this.#changed, this);
    this.#showState();
    this.#showResult();
  }

  /** Must be called after `node` has been attached to the page. */
  attached(): void {
    this.#drawProfile();
  }

  /** Shows all terminals and conductors of a selected element; `rows` are those of the result. */
  showDetails(target: Target | null, rows: FeederRows | null): void {
    this.#details.show(target, rows);
  }

  dispose(): void {
    this.#study.changed.disconnect(this.#changed, this);
    this.#cancelProfile();
    void this.#plot?.then((plot) => plot.dispose());
  }

  #changed(_: unknown, change: "state" | "result" | "voltages"): void {
    if (change === "state") {
      this.#showState();
    } else if (change === "result") {
      this.#showResult();
    } else {
      this.#showVoltages();
    }
  }

  #showState(): void {
    const { state, solution } = this.#study;
    const solving = state.kind === "solving";
    // The library loads while the engine works; drawing reports its errors.
    if (solving) {
      import("../../charts/plot.ts").then(async ({ preparePlots }) => preparePlots()).catch(() => undefined);
    }
    this.#solve.disabled = solving;
    this.#cancel.hidden = !solving;
    setText(this.#solve, solution === null ? trans.__("Solve power flow") : trans.__("Solve again"));
    this.#solve.setAttribute("aria-label", this.#solve.textContent ?? "");
    const sentence = this.#sentence();
    setText(this.#status, sentence);
    this.#options.update();
    this.#refusal.replaceChildren(...(state.kind === "refused" ? this.#refused(state.refused) : []));
    this.#loads.update();
  }

  /** Text of the live region. */
  #sentence(): string {
    const { state, solution } = this.#study;
    const note = solution === null ? "" : ` ${trans.__("The previous result is kept.")}`;
    switch (state.kind) {
      case "solving":
        return trans.__("Solving\u2026");
      case "refused":
        return `${trans.__("The feeder has elements that the power flow does not model.")}${note}`;
      case "failed":
        return `${errorText(state.error)}${note}`;
      case "idle":
        return state.cancelled === true
          ? `${trans.__("Cancelled.")}${note}`
          : solution === null
            ? ""
            : trans._n(
                "Solved in %2 iteration.",
                "Solved in %2 iterations.",
                solution.result.iterations,
                formatCount(solution.result.iterations),
              );
    }
  }

  /** The refused elements grouped by reason, with the one-click remedy. */
  #refused(refused: readonly Refused[]): HTMLElement[] {
    const keys = [...new Set(refused.map(({ sentence, element }) => sentence?.key ?? element))];
    const list = h(
      "ul",
      {},
      ...keys.map((key) => {
        const alike = refused.filter(({ sentence, element }) => (sentence?.key ?? element) === key);
        const [first, ...others] = alike;
        const text = first?.sentence === undefined ? (first?.element ?? "") : messageText(first.sentence, numbered);
        const more = others.length - NAMED;
        const rest = more > 0 ? ` ${trans._n("and %1 more", "and %1 more", more)}` : "";
        const names = others.slice(0, NAMED).map(({ element }) => element);
        return h("li", {
          text: names.length === 0 ? text : `${text} ${trans.__("Also: %1", names.join(", "))}${rest}`,
        });
      }),
    );
    const options = optionsThatHelp(refused);
    if (options === null) {
      return [list];
    }
    const words = [
      ...(options.source_impedance === undefined ? [] : [trans.__("the source impedance as a branch (exact)")]),
      ...(options.controls === undefined ? [] : [trans.__("controls held as written")]),
    ].join(trans.__(" and "));
    const solve = button(trans.__("Solve with %1", words), () => void this.#study.solve(options), {
      class: "wb-mod-primary",
    });
    return [list, solve];
  }

  #showResult(): void {
    const { solution } = this.#study;
    const missing = solution === null;
    this.#profile = null;
    this.#tabs.hidden = missing;
    this.#body.hidden = missing;
    this.#facts.hidden = missing;
    if (solution !== null) {
      this.#facts.replaceChildren(
        ...resultFacts(solution).map(([term, value]) =>
          h("div", {}, h("dt", { text: term }), h("dd", { text: value })),
        ),
      );
    }
    this.#showTab();
  }

  #showVoltages(): void {
    if (this.#tab === "profile") {
      this.#drawProfile();
    } else if (this.#tab === "terminals") {
      this.#table.update();
    } else if (this.#tab === "loads") {
      this.#loads.update();
    }
  }

  #tabRow(): HTMLElement {
    const tabs: [Tab, string][] = [
      ["profile", trans.__("Voltage profile")],
      ["loads", trans.__("Loads")],
      ...LISTED.map((listed): [Tab, string] => [listed, listedName(listed)]),
    ];
    const attributes = { role: "group", "aria-label": trans.__("Results") };
    return h(
      "div",
      { class: "wb-Switch wb-Feeder-tabs", attributes },
      ...tabs.map(([tab, label]) => {
        const one = button(label, () => {
          this.#tab = tab;
          this.#showTab();
        });
        one.dataset["tab"] = tab;
        return one;
      }),
    );
  }

  #showTab(): void {
    for (const one of this.#tabs.querySelectorAll("button")) {
      one.setAttribute("aria-pressed", String(one.dataset["tab"] === this.#tab));
    }
    if (this.#tab === "profile") {
      this.#body.replaceChildren(this.#plotNode);
      this.#drawProfile();
    } else if (this.#tab === "loads") {
      this.#body.replaceChildren(this.#loads.node);
      this.#loads.update();
    } else {
      this.#body.replaceChildren(this.#table.node);
      this.#table.show(this.#tab);
    }
  }

  /** Deferred until the picture and the facts, which the user waits for, are shown. */
  #drawProfile(): void {
    this.#cancelProfile();
    this.#cancelProfile = afterFrame(() => this.#drawProfileNow());
  }

  #drawProfileNow(): void {
    const { solution, voltages } = this.#study;
    if (solution === null || voltages === null || this.#tab !== "profile" || !this.node.isConnected) {
      return;
    }
    this.#profile ??= new FeederProfile(solution);
    const lines = [...this.#profile.lines(voltages.voltage_pu)];
    const chart: Chart = {
      traces: lines.map(([phase, points]) => ({
        name: trans.__("Phase %1", phase),
        kind: points.length > WEB ? "web" : "line",
        tone: TONES[phaseOf(phase)],
        points: points.map((point) => point ?? { x: NaN, y: NaN }),
        hover: points.map((point) => (point === null ? "" : `${point.name}: ${formatPerUnit(point.y)} pu`)),
      })),
      x: { title: trans.__("Distance from the source, km") },
      y: { title: trans.__("Voltage, pu") },
    };
    this.#loadPlot().then(
      (plot) => {
        this.#cancelProfile = nextTask(() => plot.draw(chart));
      },
      (error: unknown) => setText(this.#status, errorText(error)),
    );
  }

  #loadPlot(): Promise<Plot> {
    return (this.#plot ??= import("../../charts/plot.ts").then(async ({ createPlot }) => createPlot(this.#plotNode)));
  }
}
