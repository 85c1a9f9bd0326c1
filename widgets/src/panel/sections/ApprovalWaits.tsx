import type { ReactElement } from "react";
import { trans } from "../../text/index.ts";

/** Why a proposal cannot be approved yet; hidden once it can. */
export function ApprovalWaits(): ReactElement {
  return (
    <p className="wb-Approval-waits">
      {trans.__("You can approve it when all its lines have been on the screen for a second.")}
    </p>
  );
}
