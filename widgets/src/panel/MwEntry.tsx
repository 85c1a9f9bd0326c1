import { type ReactElement, useState } from "react";
import { trans } from "../words/index.ts";

interface MwEntryProps {
  /** Names the number, with its unit. */
  label: string;
  /** What stands there at rest. */
  text: string;
  disabled?: boolean;
  /** The number that a text means; null when it is none. */
  parse(text: string): number | null;
  /** Called while something is typed that could be a number. */
  typing?(): void;
  commit(mw: number): void;
}

/** A number in MW that is typed: Enter or leaving the field commits, Escape takes back. */
export function MwEntry({ label, text, disabled, parse, typing, commit }: MwEntryProps): ReactElement {
  const [typed, setTyped] = useState<string | null>(null);
  const wrong = typed !== null && parse(typed) === null;
  const done = (): void => {
    const mw = typed === null || typed === text ? null : parse(typed);
    if (mw !== null) {
      commit(mw);
    }
    if (!wrong) {
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
        title={wrong ? trans.__("Type a number of MW, for instance 12.5 or \u22123") : label}
        disabled={disabled}
        value={typed ?? text}
        onChange={({ target }) => {
          setTyped(target.value);
          if (parse(target.value) !== null) {
            typing?.();
          }
        }}
        onBlur={done}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            done();
          } else if (event.key === "Escape") {
            event.stopPropagation();
            setTyped(null);
          }
        }}
      />
      <span className="wb-unit">MW</span>
    </label>
  );
}
