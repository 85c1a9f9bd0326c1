import { type ReactElement, useState } from "react";

interface NumberEntryProps {
  label: string;
  /** Unit after the number; absent for counts. */
  unit?: string;
  whole?: boolean;
  value: number;
  set(value: number): void;
}

/** A field for a positive number. Invalid text stays marked, and the previous number remains in force. */
export function NumberEntry({ label, unit, whole = false, value, set }: NumberEntryProps): ReactElement {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? String(value);
  const take = (next: string): void => {
    const number = numberOf(next, whole);
    setTyped(number === null || String(number) !== next ? next : null);
    if (number !== null) {
      set(number);
    }
  };
  return (
    <label className="wb-Plan-entry">
      <span>{label}</span>
      <input
        type="text"
        inputMode={whole ? "numeric" : "decimal"}
        className="wb-Entry"
        value={text}
        aria-invalid={numberOf(text, whole) === null}
        onChange={({ target }) => take(target.value)}
        onBlur={() => setTyped(null)}
      />
      <span className="wb-unit">{unit ?? ""}</span>
    </label>
  );
}

function numberOf(text: string, whole: boolean): number | null {
  const number = Number(text.trim().replace(",", "."));
  const fits = text.trim() !== "" && Number.isFinite(number) && number > 0 && (!whole || Number.isInteger(number));
  return fits ? number : null;
}
