import type { ReactElement } from "react";
import { trans } from "../../text/index.ts";

/** The way past the header, for the keyboard. */
export function SkipLink(): ReactElement {
  return (
    <a className="wb-Page-skip" href="#main" onClick={toMain}>
      {trans.__("Skip to the content")}
    </a>
  );
}

/** Moves the focus without an address of its own, which would name no case. */
function toMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
