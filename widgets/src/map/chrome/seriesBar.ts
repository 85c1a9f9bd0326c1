import { trans } from "../../text/index.ts";
import { type CaseSession, meanPrices, PRICE, type SolvedSeries, SPEEDS, stepSentence } from "../../workspace/index.ts";
import { button, h, setText, svg } from "../../ui/dom.ts";
import { ICONS } from "../../ui/icons.ts";
import { pageFrame } from "../../ui/pageFrame.ts";
import { prefersReducedMotion } from "../../ui/theme.ts";

/** A line through points, with a gap at each empty one. */
function pathOf(points: readonly string[]): string {
  return points.map((point, k) => (point === "" ? "" : `${(points[k - 1] ?? "") === "" ? "M" : "L"}${point}`)).join("");
}

/**
 * The time slider below the picture while a step of a series is displayed: play and pause, the speed, and the way back
 * to the live state. Hidden otherwise.
 */
export class SeriesBar {
  readonly node = h("section", {
    class: "wb-SeriesBar",
    attributes: { "aria-label": trans.__("Steps of the series"), hidden: "" },
  });
  readonly #session: CaseSession;
  readonly #play = button(trans.__("Play"), () => this.#toggle(), { icon: ICONS.play });
  readonly #slider = h("input", {
    class: "wb-SeriesBar-slider",
    attributes: { type: "range", min: "0", step: "1", "aria-label": trans.__("Step") },
  });
  readonly #words = h("output", { class: "wb-SeriesBar-words" });
  readonly #speed = h("select", { attributes: { "aria-label": trans.__("Steps a second") } });
  readonly #left: () => void;
  /** The mean price over the steps, behind the slider. */
  readonly #line = svg("svg", { class: "wb-SeriesBar-line", preserveAspectRatio: "none", "aria-hidden": "true" });
  readonly #path = svg("path", { fill: "none", "vector-effect": "non-scaling-stroke" });
  #drawn: { series: SolvedSeries; solved: number } | null = null;
  #playing: boolean | null = null;

  /** `left` is called when a key or a click here returns to the live state: the focus moves to the picture. */
  constructor(session: CaseSession, left: () => void) {
    this.#session = session;
    this.#left = left;
    session.series.frames = pageFrame;
    for (const speed of SPEEDS) {
      this.#speed.append(h("option", { text: trans.__("%1 steps/s", speed), attributes: { value: String(speed) } }));
    }
    this.#build();
    session.series.changed.connect(this.#update, this);
    this.#update();
  }

  dispose(): void {
    this.#session.series.changed.disconnect(this.#update, this);
    this.node.remove();
  }

  /** Space plays and pauses, Escape leaves, anywhere in the bar; arrows, Home and End belong to the slider. */
  #build(): void {
    const { series } = this.#session;
    this.#slider.addEventListener("input", () => {
      const { shown } = series;
      if (shown !== null) {
        series.pause();
        series.show(shown.series, Number(this.#slider.value));
      }
    });
    this.#speed.addEventListener("change", () => (series.speed = Number(this.#speed.value)));
    this.node.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      if (event.key === "Escape") {
        this.#leave();
      } else if (event.key === " " && event.target === this.#slider) {
        this.#toggle();
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
    const back = h("button", {
      class: "wb-Button",
      text: trans.__("Back to the live state"),
      attributes: { type: "button", title: trans.__("Escape") },
      on: { click: () => this.#leave() },
    });
    this.#line.append(this.#path);
    const track = h("div", { class: "wb-SeriesBar-track" });
    track.append(this.#line, this.#slider);
    this.node.append(this.#play, track, this.#words, this.#speed, back);
  }

  #toggle(): void {
    const { series } = this.#session;
    if (series.playing) {
      series.pause();
      return;
    }
    if (this.#playing === null && prefersReducedMotion()) {
      series.speed = SPEEDS[0]; // slow by default
    }
    series.play();
  }

  #leave(): void {
    this.#session.series.end();
    this.#left();
  }

  /** Draws the mean price by step from the lowest to the highest; nothing without prices. */
  #drawLine(series: SolvedSeries): void {
    const solved = series.steps.length;
    if (this.#drawn?.series === series && this.#drawn.solved === solved) {
      return;
    }
    this.#drawn = { series, solved };
    const prices = series.has(PRICE) ? meanPrices(series, this.#session.opened) : new Float64Array();
    const known = prices.filter(Number.isFinite);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const points = Array.from(prices, (price, step) =>
      Number.isFinite(price) ? `${step} ${(high > low ? (high - price) / (high - low) : 0.5).toFixed(3)}` : "",
    );
    this.#line.setAttribute("viewBox", `0 0 ${Math.max(1, series.length - 1)} 1`);
    this.#path.setAttribute("d", pathOf(points));
    this.#line.toggleAttribute("hidden", known.length === 0);
  }

  #update(): void {
    const { shown, playing, speed } = this.#session.series;
    if (this.node.hidden !== (shown === null)) {
      this.node.hidden = shown === null;
    }
    if (shown === null) {
      return;
    }
    const { series, step } = shown;
    const words = stepSentence(series, step);
    this.#slider.max = String(series.length - 1);
    this.#slider.value = String(step);
    this.#slider.setAttribute("aria-valuetext", words);
    setText(this.#words, words);
    this.#drawLine(series);
    if (playing !== this.#playing) {
      this.#playing = playing;
      const label = playing ? trans.__("Pause") : trans.__("Play");
      this.#play.innerHTML = playing ? ICONS.pause : ICONS.play; // our own icons
      this.#play.title = label;
      this.#play.setAttribute("aria-label", label);
      // Playing is not announced step by step, stopping is.
      this.#words.setAttribute("aria-live", playing ? "off" : "polite");
    }
    this.#speed.value = String(speed);
  }
}
