import type { ReactElement } from "react";
import { formatCount, trans } from "../../text/index.ts";
import { type CaseSession, type IWorkspace, securityOffer } from "../../workspace/index.ts";
import { useAttempt } from "../sections/useAttempt.ts";

interface SecuritySwitchProps {
  session: CaseSession;
  workspace: IWorkspace;
}

/** A switch to limits after outages, with what they are of; empty where a formulation has none. */
export function SecuritySwitch({ session, workspace }: SecuritySwitchProps): ReactElement | null {
  const { busy, problem, start } = useAttempt(session.opened);
  const offer = securityOffer(session);
  if (offer === null) {
    return null;
  }
  const { security } = session.state.solution;
  const isSecure = session.options.security !== undefined;
  return (
    <div>
      <dt>{trans.__("N-1 secure")}</dt>
      <dd>
        <label className="wb-Toggle">
          <input
            type="checkbox"
            role="switch"
            aria-label={trans.__("N-1 secure")}
            checked={isSecure}
            disabled={busy || !session.showsLive}
            onChange={() => start(() => workspace.openOffer(offer))}
          />
          <span>
            {isSecure && security !== undefined
              ? trans.__(
                  "%1 outages, %2 lines monitored",
                  formatCount(security.outages),
                  formatCount(security.monitored),
                )
              : trans.__("Limits after the outage of any line")}
          </span>
        </label>
        <p className="wb-mod-failed" role="status">
          {problem}
        </p>
      </dd>
    </div>
  );
}
