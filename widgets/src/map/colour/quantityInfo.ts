import { QUANTITIES } from "@service/engine";
import { type QuantityName, quantityTitle, type QuantityWords, tableWords } from "../../text/index.ts";
import type { CaseSession } from "../../workspace/index.ts";
import type { ScaleKind } from "./colourScale.ts";

/** What is drawn now of a quantity. */
export interface DrawnQuantity {
  /** Number of binding lines. */
  binding: number;
  /** The upper end of the scale; null where no element has a value. */
  high: number | null;
}

/** The rules of a quantity on the map. */
export interface QuantityInfo extends QuantityWords {
  /** The columns that it is computed from; without one of them it is absent. */
  readonly needs: readonly string[];
  /** Further columns that it covers, which are not offered separately. */
  readonly covers?: readonly string[];
  /** Its unit, where that depends on the state. */
  unitOf?(session: CaseSession): string;
  readonly scale: ScaleKind;
  /** Whether it follows a preview. */
  readonly live?: boolean;
  /** Whether it is zero at the start of each move, so that its range grows during the drag. */
  readonly grows?: boolean;
  /** One value per row, NaN for an element without one; null while there are no values. */
  values(session: CaseSession): Float64Array | null;
  /** Why it cannot be shown now; null when it can. */
  missing(session: CaseSession): string | null;
  /** Why a formulation lacks it; it is then offered with this explanation. */
  absence?(session: CaseSession): string | null;
  /** The note below the scale; null without one. */
  note?(session: CaseSession): string | null;
  /** Its name in the menu of colours and its title in the legend, where they differ from its label. */
  choice?(session: CaseSession): string;
  title?(session: CaseSession): string;
  /** The text where every element has the same value, or no element has one; null where the scale shows it. */
  uniform?(session: CaseSession, drawn: DrawnQuantity): string | null;
}

/** For quantities that can always be shown. */
export const always = (): null => null;

/** The parts of a quantity that depend on a session. */
type SessionRules = Pick<QuantityInfo, "values"> &
  Partial<Omit<QuantityInfo, "needs" | "covers" | "scale" | keyof QuantityWords>>;

/** A quantity of the engine's table, which can always be shown unless its rules state otherwise. */
export function tableQuantity(name: QuantityName, rules: SessionRules): QuantityInfo {
  const { needs, covers, scale } = QUANTITIES[name];
  const words = tableWords(name);
  return {
    missing: always,
    title: () => quantityTitle(name) || words.label,
    ...rules,
    needs,
    covers,
    scale,
    format: words.format,
    get label() {
      return words.label;
    },
    get unit() {
      return words.unit;
    },
  };
}
