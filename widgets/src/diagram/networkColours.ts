import type { BusColours } from "../map/index.ts";
import type { Theme } from "../ui/index.ts";
import type { ViewedNetwork } from "../workspace/index.ts";
import { trans } from "../text/index.ts";

/** The kinds of bus marks in a network without prices. */
export const BUS_MARKS = ["no-load", "load", "source"] as const;

/** A mark in words. */
export function markName(mark: (typeof BUS_MARKS)[number]): string {
  switch (mark) {
    case "no-load":
      return trans.__("no load");
    case "load":
      return trans.__("load");
    case "source":
      return trans.__("source");
  }
}

/** Colours by the equipment at a bus: nothing, a load, or a source (a triangle). */
export class NetworkColours implements BusColours {
  readonly places: Int16Array;
  readonly sides: Int8Array;
  palette: readonly string[] = [];

  constructor({ buses }: ViewedNetwork) {
    this.places = Int16Array.from(buses, ({ load, source }) => (source ? 2 : load > 0 ? 1 : 0));
    this.sides = Int8Array.from(buses, ({ source }) => (source ? 1 : 0));
  }

  /** Applies the colours of a theme, in the order of `BUS_MARKS`. */
  update({ muted, accent, warning }: Theme): void {
    this.palette = [muted, accent, warning];
  }

  step(): boolean {
    return false;
  }

  startFade(): void {
    // nothing to animate
  }
}
