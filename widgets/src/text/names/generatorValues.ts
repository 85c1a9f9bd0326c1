import type { EditUnit } from "../numbers.ts";
import { trans } from "../translation.ts";

/** The name of a generator's value within a sentence, and its unit. */
export function generatorValueWords(field: "p_min" | "p_max" | "cost" | "c2"): { name: string; unit: EditUnit } {
  switch (field) {
    case "p_min":
      return { name: trans.__("Pmin"), unit: "MW" };
    case "p_max":
      return { name: trans.__("capacity"), unit: "MW" };
    case "cost":
      return { name: trans.__("cost"), unit: "$/MWh" };
    case "c2":
      return { name: trans.__("quadratic cost"), unit: "$/MW\u00b2h" };
  }
}
