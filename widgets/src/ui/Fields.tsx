import type { ReactElement, ReactNode } from "react";
import { useState } from "react";
import { parseNumber } from "../text/index.ts";

/** A row of a form: a label, and its controls beside it. */
export function Row({ label, children }: { label: string; children: ReactNode }): ReactElement {
  return (
    <div className="wb-Form-row">
      <span>{label}</span>
      {children}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  all: readonly T[];
  chosen: T;
  words: (one: T) => string;
  take: (one: T) => void;
}

/** A row with a list to choose from. */
export function Choice<T extends string>({ label, all, chosen, words, take }: ChoiceProps<T>): ReactElement {
  return (
    <Row label={label}>
      <select aria-label={label} value={chosen} onChange={({ target }) => take(target.value as T)}>
        {all.map((one) => (
          <option key={one} value={one}>
            {words(one)}
          </option>
        ))}
      </select>
    </Row>
  );
}

interface BoxProps {
  label: string;
  on: boolean;
  take: (on: boolean) => void;
  /** Between the box and its label. */
  mark?: ReactNode;
}

/** A checkbox with its label. */
export function Box({ label, on, take, mark }: BoxProps): ReactElement {
  return (
    <label className="wb-Form-box">
      <input type="checkbox" checked={on} onChange={({ target }) => take(target.checked)} />
      {mark}
      {label}
    </label>
  );
}

interface TextEntryProps {
  label: string;
  text: string;
  take: (text: string) => void;
  isNumber?: boolean;
  isInvalid?: boolean;
  disabled?: boolean;
  maxLength?: number;
  placeholder?: string;
}

/** A field for text, or for a number as text; each change is taken. */
export function TextEntry(props: TextEntryProps): ReactElement {
  const { label, text, take, isNumber = false, isInvalid, disabled, maxLength, placeholder } = props;
  return (
    <input
      type="text"
      className={isNumber ? "wb-Form-number" : "wb-Form-text"}
      inputMode={isNumber ? "decimal" : undefined}
      aria-label={label}
      aria-invalid={isInvalid}
      autoComplete="off"
      spellCheck={false}
      value={text}
      disabled={disabled}
      maxLength={maxLength}
      placeholder={placeholder}
      onChange={({ target }) => take(target.value)}
    />
  );
}

interface NumberEntryProps {
  /** The accessible name; absent inside an element that names the field. */
  label?: string;
  value: number | null;
  take: (value: number) => void;
  /** Reads what is typed; null if it is not valid. */
  read?: (text: string) => number | null;
  /** Whether a number is taken as it is typed, and not on Enter and when the field is left. */
  isLive?: boolean;
  isWhole?: boolean;
  className?: string;
}

/** A field for a number. Invalid text is marked and not taken; it stays until it is corrected, or the field is left. */
export function NumberEntry(props: NumberEntryProps): ReactElement {
  const { label, value, take, read = parseNumber, isLive = false, isWhole = false } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [isInvalid, setInvalid] = useState(false);
  const takeText = (text: string | null): void => {
    const number = text === null ? null : read(text);
    setInvalid(text !== null && number === null);
    if (text !== null && number !== null) {
      // While typing, `5.` stays as it is.
      setTyped(isLive && String(number) !== text ? text : null);
      take(number);
    }
  };
  const shown = value === null ? "" : String(isLive ? value : Number(value.toPrecision(6)));
  return (
    <input
      type="text"
      inputMode={isWhole ? "numeric" : "decimal"}
      className={props.className ?? "wb-Form-number"}
      aria-label={label}
      aria-invalid={isInvalid}
      value={typed ?? shown}
      onChange={({ target }) => {
        setTyped(target.value);
        if (isLive) {
          takeText(target.value);
        }
      }}
      onBlur={() => {
        if (isLive) {
          setTyped(null);
          setInvalid(false);
        } else {
          takeText(typed);
        }
      }}
      onKeyDown={({ key }) => key === "Enter" && !isLive && takeText(typed)}
    />
  );
}

interface SubmitProps {
  label: string;
  /** Why the form cannot be taken as it is; empty if it can. */
  problem: string;
  submit: () => void;
}

/** The button that ends a form, below the problem with it. */
export function Submit({ label, problem, submit }: SubmitProps): ReactElement {
  return (
    <>
      <p className="wb-Form-problem" role="status">
        {problem}
      </p>
      <button type="button" className="wb-Button wb-Form-submit" title={label} onClick={submit}>
        {label}
      </button>
    </>
  );
}
