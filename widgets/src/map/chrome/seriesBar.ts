import { trans } from "../../text/index.ts";
import { type CaseSession, SPEEDS, stepSentence } from "../../workspace/index.ts";
import { button, h, setText } from "../../ui/dom.ts";
import { ICONS } from "../../ui/icons.ts";
import { pageFrame } from "../../ui/pageFrame.ts";
import { prefersReducedMotion } from "../../ui/theme.ts";

/**
 * The time slider below the picture while a step of a series is shown: play and pause, the speed, and the way back to the live state.
 * Not there otherwise.
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
  #playing: boolean | null = null;

  /** `left` is told when the live state is shown again by a key or a click here: the focus goes back to the picture. */
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

  /** Space plays and pauses, Escape leaves, wherever the focus is in the bar; arrows, Home and End are the slider's own. */
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
    this.node.append(this.#play, this.#slider, this.#words, this.#speed, back);
  }

  #toggle(): void {
    const { series } = this.#session;
    if (series.playing) {
      series.pause();
      return;
    }
    if (this.#playing === null && prefersReducedMotion()) {
      series.speed = SPEEDS[0]; // slow, unless somebody chooses another
    }
    series.play();
  }

  #leave(): void {
    this.#session.series.end();
    this.#left();
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
    if (playing !== this.#playing) {
      this.#playing = playing;
      const label = playing ? trans.__("Pause") : trans.__("Play");
      this.#play.innerHTML = playing ? ICONS.pause : ICONS.play; // ours
      this.#play.title = label;
      this.#play.setAttribute("aria-label", label);
      // What plays is not read out step by step; where it stops is.
      this.#words.setAttribute("aria-live", playing ? "off" : "polite");
    }
    this.#speed.value = String(speed);
  }
}
