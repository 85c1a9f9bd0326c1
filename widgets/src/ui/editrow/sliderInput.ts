import type { ElementSlider } from "../../workspace/index.ts";

/** What an input of a slider moves; without keys of its own it has those of the browser. */
export type SliderTarget = Pick<ElementSlider, "slideTo" | "release"> &
  Partial<Pick<ElementSlider, "key" | "commitKeys">>;

/**
 * Moves a slider by its input: dragging previews, letting go commits, keys commit after a pause or when the focus leaves. `entered`
 * runs on Enter. Returns how to stop.
 */
export function listenSlider(input: HTMLInputElement, slider: SliderTarget, entered?: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  input.addEventListener("input", () => slider.slideTo(Number(input.value)), { signal });
  for (const name of ["change", "pointerup", "pointercancel"] as const) {
    input.addEventListener(name, () => void slider.release(Number(input.value)), { signal });
  }
  input.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Enter" && entered !== undefined) {
        event.preventDefault();
        entered();
      } else if (slider.key?.(event.key, event.shiftKey)) {
        event.preventDefault();
      }
    },
    { signal },
  );
  input.addEventListener("blur", () => slider.commitKeys?.(), { signal });
  return () => stop.abort();
}
