import { columnUnit, trans } from "../../text/index.ts";
import { binds, type CaseSession, linkPowers } from "../../workspace/index.ts";
import type { CaseTable } from "./caseTable.ts";
import { mw, price, stateWords } from "./cellTexts.ts";
import { id, listed, needing, number, stated, text } from "./columns.ts";

/** The HVDC links of a case: powers, losses, limits and value. */
export function linkTable(session: CaseSession): CaseTable {
  const { opened, store } = session;
  const { links } = opened;
  const end = (bus: number | undefined): string => (bus === undefined ? "" : opened.placeOf(bus));
  const at = (name: string) => (row: number) => store.shownAt(name, row);
  const [sent, delivered, shadow] = [at("link_mw"), at("link_to_mw"), at("link_shadow")];
  const limit = (value: number): string => (Number.isFinite(value) ? mw(value) : trans.__("no limit"));
  const state = (row: number): string => {
    if (linkPowers(opened, store.columns)[row]?.inService !== true) {
      return "out of service";
    }
    return binds(shadow(row)) ? "at limit" : "between";
  };
  const place = opened.named ? 110 : 64;
  return {
    kind: "links",
    count: links.length,
    sorting: { key: "link", descending: false },
    columns: listed(session, "link", [
      id("link", trans.__("HVDC link"), (row) => links[row]?.id ?? NaN),
      text("from", trans.__("From"), place, (row) => end(links[row]?.from)),
      text("to", trans.__("To"), place, (row) => end(links[row]?.to)),
      ...needing("link_mw", number("power_mw", "flow", trans.__("Power"), columnUnit("link_mw"), 84, sent, mw, true)),
      stated(state, (row) => stateWords(state(row))),
      ...needing(
        "link_to_mw",
        number("delivered_mw", "delivered", trans.__("Delivered"), columnUnit("link_to_mw"), 84, delivered, mw, true),
        number(
          "losses_mw",
          "losses",
          trans.__("Losses"),
          columnUnit("link_mw"),
          78,
          (row) => sent(row) - delivered(row),
          mw,
          true,
        ),
      ),
      number("p_min_mw", "min", trans.__("Pmin"), "MW", 70, (row) => links[row]?.p_min_mw ?? NaN, limit),
      number("p_max_mw", "max", trans.__("Pmax"), "MW", 70, (row) => links[row]?.p_max_mw ?? NaN, limit),
      ...needing(
        "link_price_difference",
        number(
          "price_difference_usd_per_mwh",
          "difference",
          trans.__("Price difference"),
          columnUnit("link_price_difference"),
          104,
          at("link_price_difference"),
          price,
        ),
      ),
      ...needing(
        "link_shadow",
        number("shadow_usd_per_mwh", "shadow", trans.__("Shadow price"), columnUnit("link_shadow"), 104, shadow, price),
      ),
      ...needing(
        "link_rent",
        number("rent_usd_per_h", "rent", trans.__("Rent"), columnUnit("link_rent"), 90, at("link_rent"), price),
      ),
    ]),
    elementOf: (row) => (links[row] === undefined ? null : { kind: "link", id: links[row].id }),
    rowOf: (element) => (element.kind === "link" ? opened.rowOf(element) : -1),
    markOf: (row) => (binds(shadow(row)) ? "binds" : ""),
    leading: 4,
  };
}
