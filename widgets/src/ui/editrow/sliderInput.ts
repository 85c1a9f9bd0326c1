import type { ElementSlider } from "../../workspace/index.ts";

/** The target of a slider's input; without keys of its own the browser's keys apply. */
export type SliderTarget = Pick<ElementSlider, "slideTo" | "release"> &
  Partial<Pick<ElementSlider, "key" | "commitKeys">>;

/**
 * Moves a slider by its input: dragging previews, releasing commits, and keys commit after a pause or when the focus
 * leaves. `entered` runs on Enter. Returns a function that removes the listeners.
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
