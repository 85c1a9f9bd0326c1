import { QUANTITIES } from "@service/engine";
import { type QuantityName, quantityTitle, type QuantityWords, tableWords } from "../../text/index.ts";
import type { CaseSession } from "../../workspace/index.ts";
import type { ScaleKind } from "./colourScale.ts";

/** What is drawn now of a quantity. */
export interface DrawnQuantity {
  /** How many lines bind. */
  binding: number;
  /** The upper end of the scale; null where no element has a value. */
  high: number | null;
}

/** A quantity as the map tells it. */
export interface QuantityInfo extends QuantityWords {
  /** The quantities of a state that it is made of; without one of them it is absent. */
  readonly needs: readonly string[];
  /** Further quantities that it stands for: they are not offered beside it. */
  readonly covers?: readonly string[];
  /** Its unit where that depends on the state. */
  unitOf?(session: CaseSession): string;
  readonly scale: ScaleKind;
  /** Whether it moves with a preview. */
  readonly live?: boolean;
  /** Whether it begins at nothing with each move, so that its range grows with the hand. */
  readonly grows?: boolean;
  /** One value a row, NaN for an element without one; null while there are none. */
  values(session: CaseSession): Float64Array | null;
  /** Why it cannot be shown now, in words; null when it can. */
  missing(session: CaseSession): string | null;
  /** Why a formulation has none, in words: then it is offered all the same, and says so. */
  absence?(session: CaseSession): string | null;
  /** What the legend says below the scale; null for nothing. */
  note?(session: CaseSession): string | null;
  /** Its name in the menu of colours and its title in the legend, where they are more than its label. */
  choice?(session: CaseSession): string;
  title?(session: CaseSession): string;
  /** What is said where every element has the same value, or none; null where the scale says it. */
  uniform?(session: CaseSession, drawn: DrawnQuantity): string | null;
}

/** What can always be shown. */
export const always = (): null => null;

/** What of a quantity depends on a session. */
type SessionRules = Pick<QuantityInfo, "values"> &
  Partial<Omit<QuantityInfo, "needs" | "covers" | "scale" | keyof QuantityWords>>;

/** A quantity of the engine's table: it can always be shown unless its rules say otherwise. */
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
