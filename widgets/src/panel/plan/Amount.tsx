import type { ReactElement } from "react";
import { NumberEntry } from "../../ui/Fields.tsx";

interface AmountProps {
  label: string;
  /** Unit after the number; absent for counts. */
  unit?: string;
  whole?: boolean;
  value: number;
  set(value: number): void;
}

/** A row with a field for a positive number. The previous number remains in force while the text is invalid. */
export function Amount({ label, unit, whole = false, value, set }: AmountProps): ReactElement {
  return (
    <label className="wb-Plan-entry">
      <span>{label}</span>
      <NumberEntry
        className="wb-Entry"
        value={value}
        take={(number) => set(number)}
        read={(text) => positive(text, whole)}
        isLive
        isWhole={whole}
      />
      <span className="wb-unit">{unit ?? ""}</span>
    </label>
  );
}

function positive(text: string, whole: boolean): number | null {
  const number = Number(text.trim().replace(",", "."));
  const fits = text.trim() !== "" && Number.isFinite(number) && number > 0 && (!whole || Number.isInteger(number));
  return fits ? number : null;
}
