import { type ReactElement, useMemo } from "react";
import { convergence, loadingBin, loadingDistribution, priceCurve } from "../../charts/series.ts";
import {
  formatCount,
  formatLoading,
  formatMoney,
  formatMw,
  formatPrice,
  formatResidual,
  trans,
} from "../../text/index.ts";
import {
  bindingRows,
  type CaseSession,
  type SelectableKind,
  type SessionChange,
  SHADOW_PRICE,
} from "../../workspace/index.ts";
import { ChartFigure } from "./ChartFigure.tsx";
import { PriceCharts } from "./PriceCharts.tsx";
import { Section } from "../sections/Section.tsx";
import { useSession } from "../../ui/useSignal.ts";

const STATE: readonly SessionChange[] = ["state"];
const PATH: readonly SessionChange[] = ["state", "path", "selection"];

/** Prices, loadings and the exact path as charts, each with its numbers as a table. A click in a chart selects on the map. */
export function ChartsSection({ session }: { session: CaseSession }): ReactElement {
  return (
    <Section id="charts" title={trans.__("Charts")}>
      <PriceCharts session={session} />
      {session.capabilities.has("paths") ? <PathChart session={session} /> : null}
      <LoadingChart session={session} />
      <ConvergenceChart session={session} />
    </Section>
  );
}

/** The hint in place of a chart without data. */
function EmptyChart({ title, hint }: { title: string; hint: string }): ReactElement {
  return (
    <>
      <h4>{title}</h4>
      <p className="wb-Panel-hint">{hint}</p>
    </>
  );
}

function PathChart({ session }: { session: CaseSession }): ReactElement {
  useSession(session, PATH);
  const { path, selection, opened, pathProblem, committedMw } = session;
  const isDrawn = selection?.kind === "bus" || selection?.kind === "branch";
  if (path === null || !isDrawn) {
    const hint = !isDrawn
      ? trans.__("Select a bus or a line to see its exact price path.")
      : trans.__("Following the exact path\u2026");
    return <EmptyChart title={trans.__("Price against demand or rating")} hint={pathProblem ?? hint} />;
  }
  const { kind } = selection;
  const baseMw = opened.baseMw(selection, session.state.edits);
  const points = priceCurve(path, baseMw);
  const here = { x: baseMw + committedMw, y: path.priceAt(committedMw) };
  const at = trans.__("Price at bus %1", String(path.watchedBus));
  return (
    <ChartFigure
      title={pathTitle(kind, opened.nameOf(kind, selection.id))}
      summary={trans._n(
        "Exact price at bus %2: %3 breakpoint from %4 to %5 MW; %6 $/MWh at %7 MW now.",
        "Exact price at bus %2: %3 breakpoints from %4 to %5 MW; %6 $/MWh at %7 MW now.",
        path.breakpoints.length,
        String(path.watchedBus),
        formatCount(path.breakpoints.length),
        formatMw(baseMw + path.min),
        formatMw(baseMw + path.max),
        formatPrice(here.y),
        formatMw(here.x),
      )}
      chart={{
        traces: [
          {
            name: at,
            kind: "line",
            points,
            hover: points.map(({ x, y }) => trans.__("%1 $/MWh at %2 MW", formatPrice(y), formatMw(x))),
          },
          {
            name: trans.__("now"),
            kind: "point",
            points: [here],
            tone: "alarm",
            hover: [trans.__("Now: %1 $/MWh at %2 MW", formatPrice(here.y), formatMw(here.x))],
          },
        ],
        x: { title: mwTitle(kind) },
        y: { title: trans.__("Price, $/MWh") },
        pick: () => void session.select({ kind: "bus", id: path.watchedBus }),
      }}
      table={{
        heads: [mwTitle(kind), trans.__("Price, $/MWh")],
        rows: points.map(({ x, y }) => [formatMw(x), formatPrice(y)]),
      }}
    />
  );
}

function pathTitle(kind: SelectableKind, name: string): string {
  return kind === "bus"
    ? trans.__("Price against the demand of %1", name)
    : trans.__("Price against the rating of %1", name);
}

function mwTitle(kind: SelectableKind): string {
  return kind === "bus" ? trans.__("Demand, MW") : trans.__("Rating, MW");
}

/** First bin of the distribution from 80 % upwards. */
const HEAVY_BIN = 8;

function LoadingChart({ session }: { session: CaseSession }): ReactElement | null {
  useSession(session, STATE);
  const { columns } = session.store;
  const loading = columns.values("loading");
  const bins = useMemo(() => loadingDistribution(loading ?? new Float64Array()), [loading]);
  if (loading === null) {
    return null;
  }
  const title = trans.__("Loading of the lines");
  if (bins.every(({ count }) => count === 0)) {
    return <EmptyChart title={title} hint={trans.__("No line is in service.")} />;
  }
  const binding = bindingRows(columns.values(SHADOW_PRICE) ?? new Float64Array()).length;
  const heavy = bins.slice(HEAVY_BIN).reduce((sum, { count }) => sum + count, 0);
  const points = bins.map(({ low, high, count }) => ({ x: (low + high) / 2, y: count }));
  const hover = bins.map(({ low, high, count }) =>
    trans._n(
      "%2 to %3: %4 line",
      "%2 to %3: %4 lines",
      count,
      formatLoading(low),
      formatLoading(high),
      formatCount(count),
    ),
  );
  const select = (bin: number): void => {
    const rows = [...loading.keys()].filter((row) => loadingBin(loading[row] ?? NaN) === bin);
    void session.selectMany(rows.map((row) => ({ kind: "branch", id: session.opened.branches[row]?.id ?? 0 })));
  };
  const count = (bin: number): number => bins[bin]?.count ?? 0;
  return (
    <ChartFigure
      title={title}
      summary={trans._n(
        "%2 line from 80 % upwards, of which %3 bind.",
        "%2 lines from 80 % upwards, of which %3 bind.",
        heavy,
        formatCount(heavy),
        formatCount(binding),
      )}
      logCounts
      chart={{
        traces: [
          {
            name: trans.__("below 80 %"),
            kind: "bars",
            width: 0.1,
            points: points.slice(0, HEAVY_BIN),
            hover: hover.slice(0, HEAVY_BIN),
          },
          {
            name: trans.__("80 % and more"),
            kind: "bars",
            width: 0.1,
            points: points.slice(HEAVY_BIN),
            hover: hover.slice(HEAVY_BIN),
            tone: "warning",
          },
        ],
        x: { title: trans.__("Loading"), percent: true },
        y: { title: trans.__("Lines") },
        pick: (trace, point) => select(trace === 0 ? point : HEAVY_BIN + point),
      }}
      table={{
        heads: [trans.__("From"), trans.__("To"), trans.__("Lines")],
        rows: bins.map((bin) => [formatLoading(bin.low), formatLoading(bin.high), formatCount(bin.count)]),
        pick: {
          words: (bin) =>
            count(bin) === 0
              ? null
              : trans._n("Select %2 line", "Select %2 lines", count(bin), formatCount(count(bin))),
          run: select,
        },
      }}
    />
  );
}

function ConvergenceChart({ session }: { session: CaseSession }): ReactElement {
  useSession(session, STATE);
  const { objective, residual } = convergence(session);
  const title = trans.__("Convergence of the last solve");
  if (objective.length < 2) {
    const hint = trans.__("This state needed no iterations.");
    return <EmptyChart title={title} hint={hint} />;
  }
  const last = residual.at(-1)?.y ?? NaN;
  const violations = residual.filter(({ y }) => y > 0);
  const right = trans.__("Violation, MW");
  return (
    <ChartFigure
      title={title}
      summary={trans._n(
        "%2 iteration; largest remaining violation %3 MW.",
        "%2 iterations; largest remaining violation %3 MW.",
        objective.length,
        formatCount(objective.length),
        formatResidual(last),
      )}
      chart={{
        traces: [
          {
            name: trans.__("Objective, $/h"),
            kind: "line",
            points: objective,
            hover: objective.map(({ x, y }) => trans.__("Iteration %1: %2 $/h", formatCount(x), formatMoney(y))),
          },
          ...(violations.length === 0
            ? []
            : [
                {
                  name: right,
                  kind: "line" as const,
                  points: violations,
                  tone: "second" as const,
                  right: true,
                  hover: violations.map(({ x, y }) =>
                    trans.__("Iteration %1: violation %2 MW", formatCount(x), formatResidual(y)),
                  ),
                },
              ]),
        ],
        x: { title: trans.__("Iteration"), whole: true },
        y: { title: trans.__("Objective, $/h") },
        ...(violations.length === 0 ? {} : { right: { title: right, log: true } }),
      }}
      table={{
        heads: [trans.__("Iteration"), trans.__("Objective, $/h"), right],
        rows: objective.map(({ x, y }, k) => [formatCount(x), formatMoney(y), formatResidual(residual[k]?.y ?? NaN)]),
      }}
    />
  );
}
