import type { CommitHost } from "../mutations/committer.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { PreviewHost, PricePreview } from "../preview/pricePreview.ts";
import type { PublishedStates } from "../history/publishedStates.ts";
import type { SelectionHost } from "../edits/selectedElements.ts";
import type { Capability } from "./capabilities.ts";
import type { SessionSignals } from "./sessionSignals.ts";
import { exactStateOf } from "../quantities/prices.ts";
import type { Selection } from "../cases/selection.ts";

/** What the parts of a session work with, and what the session itself does for them. */
export interface HostedSession {
  readonly opened: OpenedCase;
  readonly states: PublishedStates;
  readonly signals: Pick<SessionSignals<unknown>, "status" | "setStatus" | "setProgress" | "tell">;
  /** Asked when it is needed: the preview is made with its host. */
  preview(): PricePreview;
  selection(): Selection | null;
  can(capability: Capability): boolean;
  publish: CommitHost["publish"];
  cancelPreview(): void;
  forgetFailure(): void;
}

/** What committer, preview and selected elements may do with their session. */
export function sessionHost(session: HostedSession): CommitHost & PreviewHost & SelectionHost {
  const { opened, states, signals } = session;
  return {
    opened,
    store: states.store,
    state: () => states.now,
    held: (formulation, edits) => states.history.held(formulation, edits),
    can: (capability) => session.can(capability),
    selection: () => session.selection(),
    told: () => signals.tell("preview"),
    status: () => signals.status,
    setStatus: (status) => signals.setStatus(status),
    setProgress: (progress) => signals.setProgress(progress),
    predict: (edits) => session.preview().predict(edits),
    showCandidate: (columns) => {
      const exact = exactStateOf(columns);
      if (exact !== null) {
        states.store.showCandidate(exact);
        signals.tell("preview");
      }
    },
    publish: (publication) => session.publish(publication),
    hashed: () => {
      states.hashed();
      signals.tell("status");
    },
    compared: (otherSha256) => {
      states.compared(otherSha256);
      signals.tell("status");
    },
    endPreview: () => session.preview().end(),
    cancelPreview: () => session.cancelPreview(),
    primaryLeaves: () => {
      session.cancelPreview();
      session.forgetFailure();
      states.forgetPreview();
    },
    selectionTold: (change) => {
      signals.tell(change);
      if (change === "column" || (change === "path" && session.preview().mode === "exact")) {
        session.preview().show();
      }
    },
  };
}
