import { type ReactElement, useMemo } from "react";
import { type Bin, type BusPoint, sortedPrices, histogram, priceBin } from "../../charts/series.ts";
import { formatCount, formatPrice, formatShare, trans } from "../../text/index.ts";
import {
  type CaseSession,
  PRICE,
  pricesOfBuses,
  type PriceStatistics,
  priceStatistics,
  type SessionChange,
} from "../../workspace/index.ts";
import { ChartFigure, type ChartTable } from "./ChartFigure.tsx";
import { useSession } from "../../ui/useSignal.ts";

const STATE: readonly SessionChange[] = ["state"];

/** The distribution of prices over buses, and over demand; empty without prices. A click selects the buses. */
export function PriceCharts({ session }: { session: CaseSession }): ReactElement | null {
  useSession(session, STATE);
  const { opened, store } = session;
  const { columns } = store;
  const charts = useMemo(() => {
    const known = columns.pick(PRICE, "demand_mw");
    if (known === null) {
      return null;
    }
    const prices = pricesOfBuses(opened, known[PRICE]);
    return {
      prices,
      bins: histogram(prices),
      curve: sortedPrices(prices, known.demand_mw),
      found: priceStatistics(prices, known.demand_mw),
    };
  }, [opened, columns]);
  if (charts === null) {
    return null;
  }
  const { prices, bins, curve, found } = charts;
  if (found === null) {
    return (
      <>
        <h4>{trans.__("Prices")}</h4>
        <p className="wb-Panel-hint">{trans.__("No bus has a price.")}</p>
      </>
    );
  }
  return (
    <>
      <Histogram session={session} prices={prices} bins={bins} found={found} />
      <SortedPrices session={session} curve={curve} />
    </>
  );
}

interface HistogramProps {
  session: CaseSession;
  /** Prices by dense row, $/MWh; NaN for buses that do not count. */
  prices: Float64Array;
  bins: readonly Bin[];
  found: PriceStatistics;
}

function Histogram({ session, prices, bins, found }: HistogramProps): ReactElement {
  const width = bins.length > 1 ? (bins[0]?.high ?? 0) - (bins[0]?.low ?? 0) : 0.5;
  const fullest = bins.reduce((most, bin) => (bin.count > most.count ? bin : most), { low: NaN, high: NaN, count: 0 });
  const select = (bin: number): void => {
    const rows = [...prices.keys()].filter((row) => priceBin(prices[row] ?? NaN, bins) === bin);
    void session.selectMany(rows.map((row) => ({ kind: "bus", id: session.opened.busId(row) })));
  };
  const count = (bin: number): number => bins[bin]?.count ?? 0;
  return (
    <ChartFigure
      title={trans.__("Price histogram")}
      summary={trans.__(
        "Prices from %1 to %2 $/MWh; most buses, %3, from %4 to %5 $/MWh.",
        formatPrice(found.min.usdPerMwh),
        formatPrice(found.max.usdPerMwh),
        formatCount(fullest.count),
        formatPrice(fullest.low),
        formatPrice(fullest.high),
      )}
      logCounts
      chart={{
        traces: [
          {
            name: trans.__("Buses"),
            kind: "bars",
            width,
            points: bins.map(({ low, high, count: y }) => ({ x: (low + high) / 2, y })),
            hover: bins.map((bin) =>
              trans._n(
                "%2 to %3 $/MWh: %4 bus",
                "%2 to %3 $/MWh: %4 buses",
                bin.count,
                formatPrice(bin.low),
                formatPrice(bin.high),
                formatCount(bin.count),
              ),
            ),
          },
        ],
        x: { title: trans.__("Price, $/MWh") },
        y: { title: trans.__("Buses") },
        pick: (_, bin) => select(bin),
      }}
      table={{
        heads: [trans.__("From, $/MWh"), trans.__("To, $/MWh"), trans.__("Buses")],
        rows: bins.map((bin) => [formatPrice(bin.low), formatPrice(bin.high), formatCount(bin.count)]),
        pick: {
          words: (bin) =>
            count(bin) === 0 ? null : trans._n("Select %2 bus", "Select %2 buses", count(bin), formatCount(count(bin))),
          run: select,
        },
      }}
    />
  );
}

function SortedPrices({ session, curve }: { session: CaseSession; curve: readonly BusPoint[] }): ReactElement {
  const { opened } = session;
  const name = (point: BusPoint | undefined): string =>
    point === undefined ? "" : opened.nameOf("bus", opened.busId(point.row));
  const select = (point: BusPoint | undefined): void => {
    if (point !== undefined) {
      void session.select({ kind: "bus", id: opened.busId(point.row) });
    }
  };
  return (
    <ChartFigure
      title={trans.__("Sorted bus prices")}
      summary={trans.__(
        "Half of the demand pays at least %1 $/MWh, a tenth at least %2 $/MWh.",
        formatPrice(pointAt(curve, 0.5)?.y ?? NaN),
        formatPrice(pointAt(curve, 0.1)?.y ?? NaN),
      )}
      chart={{
        traces: [
          {
            name: trans.__("Price"),
            kind: "line",
            points: curve,
            hover: curve.map((point) =>
              trans.__("%1: %2 $/MWh; %3 of the demand pays more", name(point), formatPrice(point.y), share(point.x)),
            ),
          },
        ],
        x: { title: trans.__("Share of the demand"), percent: true },
        y: { title: trans.__("pays at least, $/MWh") },
        pick: (_, point) => select(curve[point]),
      }}
      table={sortedTable(curve, name, select)}
    />
  );
}

/** Shares of the demand in the table of sorted prices. */
const SHARES = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1];

function pointAt(curve: readonly BusPoint[], wanted: number): BusPoint | undefined {
  return curve.find(({ x }) => x >= wanted - 1e-12) ?? curve.at(-1);
}

function share(part: number): string {
  return part === 0 ? "0 %" : formatShare(part);
}

function sortedTable(
  curve: readonly BusPoint[],
  name: (point: BusPoint | undefined) => string,
  select: (point: BusPoint | undefined) => void,
): ChartTable {
  const points = SHARES.map((wanted) => pointAt(curve, wanted));
  return {
    heads: [trans.__("Share of the demand"), trans.__("pays at least, $/MWh")],
    rows: SHARES.map((wanted, k) => [share(wanted), formatPrice(points[k]?.y ?? NaN)]),
    pick: {
      words: (row) => (points[row] === undefined ? null : trans.__("Select %1", name(points[row]))),
      run: (row) => select(points[row]),
    },
  };
}
