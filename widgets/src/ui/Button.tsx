import type { ReactElement } from "react";

interface ButtonProps {
  /** The text, which is also the accessible name and the tooltip. */
  label: string;
  act: () => void;
  /** Further classes. */
  className?: string;
  disabled?: boolean;
}

/** A button with a text. */
export function Button({ label, act, className, disabled }: ButtonProps): ReactElement {
  return (
    <button
      className={className === undefined ? "wb-Button" : `wb-Button ${className}`}
      type="button"
      title={label}
      aria-label={label}
      disabled={disabled}
      onClick={act}
    >
      {label}
    </button>
  );
}
