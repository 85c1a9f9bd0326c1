import { type ReactElement, useEffect, useRef, useState } from "react";
import { listenSlider } from "../../ui/index.ts";
import type { EditsSlider } from "../../workspace/index.ts";

interface SliderEntryProps {
  slider: EditsSlider;
  /** The position of a move; null at rest. */
  moving: number | null;
  /** The name of the value with its unit. */
  label: string;
  disabled: boolean;
  /** The text of the entry, without a unit. */
  shown: string;
  /** The position of the slider in words. */
  spoken: string;
  /** The position that a text means; null for a text that is refused. */
  parse(text: string): number | null;
  /** Takes an empty entry; it is refused where this is absent. */
  clear?: (() => void) | undefined;
}

/** A slider and the entry of its value. */
export function SliderEntry({
  slider,
  moving,
  label,
  disabled,
  shown,
  spoken,
  parse,
  clear,
}: SliderEntryProps): ReactElement {
  const [typed, setTyped] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const entry = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const stop = input.current && listenSlider(input.current, slider, () => entry.current?.focus());
    return () => {
      stop?.();
      slider.letGo();
    };
  }, [slider]);
  const isCleared = typed?.trim() === "" && clear !== undefined;
  const value = typed === null ? null : parse(typed);
  const refused = typed !== null && value === null && !isCleared;
  const take = (): void => {
    if (isCleared) {
      clear();
    } else if (value !== null) {
      void slider.commit(value);
    }
    if (!refused) {
      setTyped(null);
    }
  };
  const { min, max } = slider.range;
  return (
    <>
      <input
        ref={input}
        className="wb-Slider"
        type="range"
        step="any"
        min={min}
        max={max}
        value={moving ?? slider.committed}
        readOnly
        disabled={disabled}
        aria-label={label}
        aria-valuetext={spoken}
      />
      <input
        ref={entry}
        className="wb-Entry"
        type="text"
        inputMode="decimal"
        disabled={disabled}
        aria-label={label}
        aria-invalid={refused}
        value={typed ?? shown}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={take}
        onKeyDown={({ key }) => (key === "Enter" ? take() : key === "Escape" ? setTyped(null) : undefined)}
      />
    </>
  );
}
