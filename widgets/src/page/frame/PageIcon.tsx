import type { ReactElement } from "react";

/** Outlines on a grid of 16. */
const PATHS = {
  close: "M4 4l8 8M12 4l-8 8",
  panel: "M2 3h12v10H2zM10 3v10",
  open: "M2 13V4h4l1.5 2H14v7z",
} as const;

/** A small icon on a button that has its own label. */
export function PageIcon({ name }: { name: keyof typeof PATHS }): ReactElement {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** The mark of Wattbook: two buses and the line between them. */
export function Mark(): ReactElement {
  return (
    <svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <g fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M8.2 15.8L12.5 9l-1 5h4l-3.2 5" />
        <circle cx="5.5" cy="5.5" r="2.5" />
        <circle cx="18.5" cy="5.5" r="2.5" />
        <path d="M8 5.5h8" />
      </g>
    </svg>
  );
}
