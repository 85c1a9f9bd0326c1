import { trans } from "../../text/index.ts";
import type { TableColumn } from "./columns.ts";

/** Short name of a column in filters in the language of the page; the English one works too. */
export function filterWord({ word }: Pick<TableColumn, "word">): string {
  switch (word) {
    case "id":
      return trans._p("filter", "id");
    case "price":
      return trans._p("filter", "price");
    case "change":
      return trans._p("filter", "change");
    case "sensitivity":
      return trans._p("filter", "sensitivity");
    case "voltage":
      return trans._p("filter", "voltage");
    case "demand":
      return trans._p("filter", "demand");
    case "edit":
      return trans._p("filter", "edit");
    case "kv":
      return trans._p("filter", "kv");
    case "angle":
      return trans._p("filter", "angle");
    case "loading":
      return trans._p("filter", "loading");
    case "shadow":
      return trans._p("filter", "shadow");
    case "flow":
      return trans._p("filter", "flow");
    case "gap":
      return trans._p("filter", "gap");
    case "losses":
      return trans._p("filter", "losses");
    case "delivered":
      return trans._p("filter", "delivered");
    case "difference":
      return trans._p("filter", "difference");
    case "rent":
      return trans._p("filter", "rent");
    case "rating":
      return trans._p("filter", "rating");
    case "dispatch":
      return trans._p("filter", "dispatch");
    case "min":
      return trans._p("filter", "min");
    case "max":
      return trans._p("filter", "max");
    case "cost":
      return trans._p("filter", "cost");
    case "headroom":
      return trans._p("filter", "headroom");
    case "source":
      return trans._p("filter", "source");
    case "area":
      return trans._p("filter", "area");
    case "zone":
      return trans._p("filter", "zone");
    case "before":
      return trans._p("filter", "before");
    case "after":
      return trans._p("filter", "after");
    default:
      return word;
  }
}
