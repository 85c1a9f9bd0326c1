import type { ReactElement } from "react";
import { trans } from "../../text/index.ts";

/** Skips the header, for keyboard users. */
export function SkipLink(): ReactElement {
  return (
    <a className="wb-Page-skip" href="#main" onClick={toMain}>
      {trans.__("Skip to the content")}
    </a>
  );
}

/** Moves the focus without changing the address, which would then name no case. */
function toMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
