import { type ReactElement, useMemo } from "react";
import { capitalised, formatCount, formatMoney, formatPrice, formatShare, trans } from "../../text/index.ts";
import {
  bindingLines,
  type CaseSession,
  congestionRents,
  meanPrices,
  PRICE,
  priceDuration,
  type SessionChange,
  SHADOW_PRICE,
  type SolvedSeries,
  stepTicks,
  stepTime,
} from "../../workspace/index.ts";
import { ChartFigure } from "../charts/ChartFigure.tsx";
import { ElementList } from "../result/ElementList.tsx";
import { useSession } from "../../ui/useSignal.ts";

const FOLLOWED: readonly SessionChange[] = ["state", "selection"];

/** Number of lines in the chart of binding hours. */
const DRAWN_LINES = 12;

interface SeriesProps {
  session: CaseSession;
  series: SolvedSeries;
}

/**
 * The price over the steps with a mark at the displayed step, its duration curve, congestion rent and hours by binding
 * line.
 */
export function SeriesCharts({ session, series }: SeriesProps): ReactElement | null {
  useSession(session, FOLLOWED);
  if (!series.has(PRICE)) {
    return null;
  }
  return (
    <>
      <Prices session={session} series={series} />
      {series.has("flow_mw", SHADOW_PRICE) ? (
        <>
          <Rents session={session} series={series} />
          <Binding session={session} series={series} />
        </>
      ) : null}
    </>
  );
}

/** A number by step, with a ring at the displayed step. */
function stepChart(
  { session, series }: SeriesProps,
  values: Float64Array,
  { name, axis, format }: { name: string; axis: string; format: (value: number) => string },
): Pick<Parameters<typeof ChartFigure>[0], "chart" | "table"> {
  const { steps } = series.profile;
  const { shown } = session.series;
  const at = shown?.series === series ? shown.step : null;
  const time = (step: number): string => stepTime(steps[step] ?? "", steps.length);
  const hover = (step: number): string =>
    trans.__("Step %1, %2: %3", formatCount(step + 1), time(step), format(values[step] ?? NaN));
  const points = Array.from(values, (y, step) => ({ x: step + 1, y }));
  const mark = at === null ? [] : [{ x: at + 1, y: values[at] ?? NaN }];
  return {
    chart: {
      traces: [
        { name, kind: "line", points, hover: points.map((_, step) => hover(step)) },
        {
          name: trans.__("step shown"),
          kind: "point",
          unlisted: true,
          tone: "alarm",
          points: mark,
          hover: mark.map(() => hover(at ?? 0)),
        },
      ],
      x: { title: "", ticks: stepTicks(steps) },
      y: { title: axis },
      pick: (_, point) => session.series.show(series, point),
    },
    table: {
      heads: [trans.__("Step"), trans.__("Time"), axis],
      rows: points.map(({ y }, step) => [formatCount(step + 1), time(step), Number.isFinite(y) ? format(y) : "\u2013"]),
      pick: {
        words: (step) => trans.__("Show step %1", formatCount(step + 1)),
        run: (step) => session.series.show(series, step),
      },
    },
  };
}

/** Prices of the last selected bus, or else the mean over all buses. */
function Prices({ session, series }: SeriesProps): ReactElement {
  const { opened } = session;
  const bus = session.selected.findLast(({ kind }) => kind === "bus") ?? null;
  const id = bus?.id ?? null;
  const prices = useMemo(
    () => (id === null ? meanPrices(series, opened) : series.course(PRICE, opened.busRow(id))),
    [series, opened, id],
  );
  const mean = opened.buses.some(({ demand_mw }) => demand_mw < 0)
    ? trans.__("mean weighted by positive demand")
    : trans.__("mean weighted by demand");
  const whose = id === null ? mean : opened.nameOf("bus", id);
  const curve = useMemo(() => priceDuration(prices), [prices]);
  const [most, least] = [curve[0]?.price ?? NaN, curve.at(-1)?.price ?? NaN];
  const format = (value: number): string => trans.__("%1 $/MWh", formatPrice(value));
  const axis = trans.__("Price, $/MWh");
  return (
    <>
      <ChartFigure
        title={trans.__("Price by step: %1", whose)}
        summary={
          id === null
            ? trans.__("From %1 to %2 $/MWh. Select a bus to see its own.", formatPrice(least), formatPrice(most))
            : trans.__("From %1 to %2 $/MWh.", formatPrice(least), formatPrice(most))
        }
        {...stepChart({ session, series }, prices, { name: capitalised(whose), axis, format })}
      />
      <ChartFigure
        title={trans.__("Price duration over the steps: %1", whose)}
        summary={trans.__(
          "At least %1 $/MWh in half of the steps, at least %2 $/MWh in a tenth.",
          formatPrice(reached(curve, 0.5)),
          formatPrice(reached(curve, 0.1)),
        )}
        chart={{
          traces: [
            {
              name: trans.__("Price"),
              kind: "line",
              points: curve.map(({ share, price }) => ({ x: share, y: price })),
              hover: curve.map(({ share, price }) =>
                trans.__("at least %1 $/MWh in %2 of the steps", formatPrice(price), formatShare(share)),
              ),
            },
          ],
          x: { title: trans.__("Share of the steps"), percent: true },
          y: { title: axis },
        }}
        table={{
          heads: [trans.__("Share of the steps"), trans.__("at least, $/MWh")],
          rows: curve.map(({ share, price }) => [formatShare(share), formatPrice(price)]),
        }}
      />
    </>
  );
}

/** The price that is reached in at least this share of the steps. */
function reached(curve: ReturnType<typeof priceDuration>, wanted: number): number {
  return (curve.find(({ share }) => share >= wanted - 1e-12) ?? curve.at(-1))?.price ?? NaN;
}

function Rents({ session, series }: SeriesProps): ReactElement {
  const rents = useMemo(() => congestionRents(series), [series]);
  const known = rents.filter(Number.isFinite);
  const most = known.reduce((high, rent) => Math.max(high, rent), 0);
  const format = (value: number): string => trans.__("%1 $/h", formatMoney(value));
  return (
    <ChartFigure
      title={trans.__("Congestion rent by step")}
      summary={trans.__(
        "$%1 in total (hourly steps), at most %2 $/h.",
        formatMoney(known.reduce((sum, rent) => sum + rent, 0)),
        formatMoney(most),
      )}
      {...stepChart({ session, series }, rents, {
        name: trans.__("Congestion rent"),
        axis: trans.__("Congestion rent, $/h"),
        format,
      })}
    />
  );
}

function Binding({ session, series }: SeriesProps): ReactElement {
  const { opened } = session;
  const lines = useMemo(() => bindingLines(series), [series]);
  const title = trans.__("Steps by binding line");
  if (lines.length === 0) {
    return (
      <>
        <h4>{title}</h4>
        <p className="wb-Panel-hint">{trans.__("No line binds in any step.")}</p>
      </>
    );
  }
  const drawn = lines.slice(0, DRAWN_LINES);
  const name = (row: number): string => opened.nameOf("branch", opened.branches[row]?.id ?? 0);
  const label = ({ row, steps, share, shadow }: (typeof lines)[number]): string =>
    trans.__(
      "%1: binds in %2 of the steps (%3), mean shadow price %4 $/MWh",
      capitalised(name(row)),
      formatShare(share),
      formatCount(steps),
      formatPrice(shadow),
    );
  const select = (at: number): void => {
    const line = lines[at];
    if (line !== undefined) {
      void session.select({ kind: "branch", id: opened.branches[line.row]?.id ?? 0 });
    }
  };
  return (
    <>
      <ChartFigure
        title={title}
        summary={trans._n(
          "%2 line binds in some step; those with the most congestion rent first.",
          "%2 lines bind in some step; those with the most congestion rent first.",
          lines.length,
          formatCount(lines.length),
        )}
        chart={{
          traces: [
            {
              name: trans.__("Steps"),
              kind: "bars",
              width: 0.8,
              points: drawn.map(({ steps }, k) => ({ x: k + 1, y: steps })),
              hover: drawn.map(label),
            },
          ],
          x: { title: trans.__("Rank by congestion rent"), whole: true },
          y: { title: trans.__("Steps in which it binds"), whole: true },
          pick: (_, at) => select(at),
        }}
        table={{
          heads: [
            trans.__("Line"),
            trans.__("Steps"),
            trans.__("Share"),
            trans.__("Mean shadow price, $/MWh"),
            trans.__("Congestion rent, $"),
          ],
          rows: lines.map(({ row, steps, share, shadow, rent }) => [
            capitalised(name(row)),
            formatCount(steps),
            formatShare(share),
            formatPrice(shadow),
            formatMoney(rent),
          ]),
          pick: { words: (at) => trans.__("Select %1", name(lines[at]?.row ?? 0)), run: select },
        }}
      />
      <ElementList
        session={session}
        title={trans.__("Lines that bind in some step")}
        kind="branch"
        rows={lines.map(({ row }) => row)}
        text={(row) => label(lines.find((line) => line.row === row) ?? { row, steps: 0, share: 0, shadow: 0, rent: 0 })}
      />
    </>
  );
}
