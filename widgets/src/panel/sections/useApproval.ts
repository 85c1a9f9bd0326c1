import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from "react";
import { ApprovalControl } from "../../ui/index.ts";

/** The element that contains lines and button, and the lines that must be seen. */
const CARD = "[data-approval]";
const LINES = "[data-approved-line]";

/**
 * Arms a button once the lines of its card have been seen (`ApprovalControl`). `digest` is that of the displayed lines,
 * null without a button; `approve` receives the browser's own click.
 */
export function useApproval(
  digest: string | null,
  approve: (event: Event, digest: string) => void,
): RefObject<HTMLButtonElement> {
  const button = useRef<HTMLButtonElement>(null);
  const latest = useRef(approve);
  useLayoutEffect(() => {
    latest.current = approve;
  });
  useLayoutEffect(() => {
    const card = button.current?.closest<HTMLElement>(CARD);
    if (digest === null || !card || button.current === null) {
      return undefined;
    }
    const parts = { card, button: button.current, lines: LINES, digest };
    const control = new ApprovalControl(parts, (event, shown) => latest.current(event, shown));
    return () => control.dispose();
  }, [digest]);
  return button;
}

/**
 * The handler of a control that replaces another one. It ignores the second click of a double click, which belongs to
 * the previous control. Keyboard clicks have a count of zero.
 */
export function onFirstClick(act: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.detail <= 1) act();
  };
}
