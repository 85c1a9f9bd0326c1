import type { TopologyLink } from "@service/engine";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { QuantityTable } from "./quantityTable.ts";

/** Powers below this, MW, have no direction. */
const NO_POWER_MW = 1e-6;

/** An HVDC link at a state. */
export interface LinkPower {
  readonly link: TopologyLink;
  readonly inService: boolean;
  /** Power into the link at its from end and out of it at its to end, MW; NaN where the state has none. */
  readonly fromMw: number;
  readonly toMw: number;
  /** Shadow price of the limit that it is at, $/MWh; NaN in formulations without prices. */
  readonly shadow: number;
  /** 1 for a power from the from end to the to end, -1 for the reverse, 0 for none. */
  readonly direction: number;
}

/** The HVDC links of a case at a state, by dense row. */
export function linkPowers({ links }: Pick<OpenedCase, "links">, columns: QuantityTable): LinkPower[] {
  const hasPowers = columns.has("link_mw");
  return links.map((link, row) => {
    const fromMw = columns.at("link_mw", row);
    return {
      link,
      inService: hasPowers ? !Number.isNaN(fromMw) : link.status === 1,
      fromMw,
      toMw: columns.at("link_to_mw", row),
      shadow: columns.at("link_shadow", row),
      direction: Math.abs(fromMw) > NO_POWER_MW ? Math.sign(fromMw) : 0,
    };
  });
}
