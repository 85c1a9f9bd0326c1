import { formatCount, trans } from "../../text/index.ts";
import { binds, type CaseSession, linkPowers } from "../../workspace/index.ts";

/** The state of an HVDC link: out of service, between its limits, or at a limit with a shadow price. */
export type LinkState = "out" | "between" | "limit";

/** How a link is drawn. */
export interface LinkLook {
  readonly state: LinkState;
  /** 1 for a power from the from end to the to end, -1 for the reverse, 0 for none. */
  readonly direction: number;
}

/** An entry of the legend: a state, and the number of links in it. */
export interface LinkKey {
  readonly state: LinkState;
  readonly text: string;
}

/** The look of the HVDC links at the published state, by dense row. */
export function linkLooks({ opened, store }: Pick<CaseSession, "opened" | "store">): LinkLook[] {
  return linkPowers(opened, store.columns).map(({ inService, shadow, direction }) => ({
    state: !inService ? "out" : binds(shadow) ? "limit" : "between",
    direction,
  }));
}

/** The entries of the legend for the states that occur. */
export function linkKeys(links: readonly LinkLook[]): LinkKey[] {
  const states = ["between", "limit", "out"] as const;
  return states.flatMap((state) => {
    const count = links.filter((link) => link.state === state).length;
    return count === 0 ? [] : [{ state, text: countText(state, count) }];
  });
}

function countText(state: LinkState, count: number): string {
  const counted = formatCount(count);
  switch (state) {
    case "between":
      return trans._n("%2 HVDC link", "%2 HVDC links", count, counted);
    case "limit":
      return trans._n("%2 HVDC link at a limit", "%2 HVDC links at a limit", count, counted);
    case "out":
      return trans._n("%2 HVDC link out of service", "%2 HVDC links out of service", count, counted);
  }
}
