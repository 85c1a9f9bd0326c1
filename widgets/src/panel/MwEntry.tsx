import { type ReactElement, useState } from "react";
import { acceptedPower, notPowerSentence } from "../text/index.ts";

interface MwEntryProps {
  /** Names the number, with its unit. */
  label: string;
  /** What stands there at rest. */
  text: string;
  disabled?: boolean;
  /** The number that a text means; null when it is none. */
  parse(text: string): number | null;
  /** Told why a typed text is not taken; an empty text when that is over. */
  refused?(why: string): void;
  /** Called while something is typed that could be a number. */
  typing?(): void;
  commit(mw: number): void;
}

/** A power that is typed: Enter or leaving the field commits, Escape takes back, a text that is none does not stay. */
export function MwEntry({ label, text, disabled, parse, refused, typing, commit }: MwEntryProps): ReactElement {
  const [typed, setTyped] = useState<string | null>(null);
  const wrong = typed !== null && parse(typed) === null;
  const done = (): void => {
    const mw = typed === null || typed === text ? null : parse(typed);
    if (mw !== null) {
      commit(mw);
    }
    if (wrong) {
      refused?.(notPowerSentence(typed));
    } else {
      setTyped(null);
    }
  };
  return (
    <label className="wb-MwEntry">
      <input
        type="text"
        inputMode="decimal"
        className="wb-Entry"
        aria-label={label}
        aria-invalid={wrong}
        title={wrong ? acceptedPower() : label}
        disabled={disabled}
        value={typed ?? text}
        onChange={({ target }) => {
          setTyped(target.value);
          if (parse(target.value) !== null) {
            refused?.("");
            typing?.();
          }
        }}
        onBlur={() => {
          done();
          setTyped(null); // the message about a refused text quotes it
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            done();
          } else if (event.key === "Escape") {
            event.stopPropagation();
            setTyped(null);
            refused?.("");
          }
        }}
      />
      <span className="wb-unit">MW</span>
    </label>
  );
}
