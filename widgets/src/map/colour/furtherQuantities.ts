import { formatCount, trans } from "../../text/index.ts";
import { CONE_GAP, coneCounts, isTight } from "../../workspace/index.ts";
import { type QuantityInfo, tableQuantity } from "./quantityInfo.ts";

/** Prices and LMP components of both signs. */
type SignedPrice = "lmp_security" | "lmp_q" | "lmp_losses" | "lmp_congestion" | "lmp_voltage";

/** Further prices: with security what it adds to the price and the price without it, and in the relaxation the price of reactive power and
 * the LMP components. */
export const FURTHER_PRICES: Record<SignedPrice | "lmp_without_security", QuantityInfo> = {
  lmp_security: signedPrice("lmp_security"),
  lmp_without_security: tableQuantity("lmp_without_security", {
    values: ({ store }) => store.columns.values("lmp_without_security"),
  }),
  lmp_q: signedPrice("lmp_q"),
  lmp_losses: signedPrice("lmp_losses"),
  lmp_congestion: signedPrice("lmp_congestion"),
  lmp_voltage: signedPrice("lmp_voltage"),
};

/** Cone gap of each line, per cent; lines with a tight cone have no colour. */
export const CONE_QUANTITY: QuantityInfo = tableQuantity(CONE_GAP, {
  values: ({ store }) => store.columns.values(CONE_GAP)?.map((gap) => (isTight(gap) ? NaN : 100 * gap)) ?? null,
  note: ({ store }) => {
    const counts = coneCounts(store.columns);
    return counts && trans.__("%1 of %2 lines are tight", formatCount(counts.tight), formatCount(counts.all));
  },
  uniform: (_, { high }) => (high === null ? trans.__("The relaxation is tight at every line") : null),
});

function signedPrice(name: SignedPrice): QuantityInfo {
  return tableQuantity(name, {
    values: ({ store }) => store.columns.values(name),
    uniform: (_, { high }) => (high !== null && high < 5e-7 ? trans.__("Zero at every bus") : null),
  });
}
