// A page with a map's session and the offer of changes that a kernel lost.
import { earlierOffer } from "@service/widgets/notebook/kernel";
import type { CaseEdits } from "@service/widgets/workspace";
import type { MapPage } from "../mapPage/main.ts";
import "../mapPage/main.ts";

declare const window: Window & { mapPage: MapPage };

/** The interface of the page for tests. */
export interface OfferPage extends MapPage {
  /** Opens the three-bus network at its base case and offers edits. */
  offer(edits: CaseEdits): Promise<void>;
  /** The present edits of that network. */
  edits(): CaseEdits | undefined;
}

const { mapPage } = window;
const offerPage: OfferPage = {
  ...mapPage,
  async offer(edits) {
    const session = await mapPage.openSession("/files/three_bus.m", "matpower");
    document.body.append(earlierOffer(session, edits));
  },
  edits: () => mapPage.workspace.sessions[0]?.state.edits,
};
Object.assign(window, { mapPage: offerPage });
