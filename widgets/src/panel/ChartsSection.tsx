import { type ReactElement, useMemo } from "react";
import { convergence, durationCurve, histogram, loadingDistribution, priceCurve } from "../charts/series.ts";
import {
  counted,
  formatCount,
  formatLoading,
  formatMoney,
  formatMw,
  formatPrice,
  formatResidual,
  formatShare,
} from "../words/index.ts";
import { bindingRows, type CaseSession, priceStatistics, type SessionChange } from "../workspace/index.ts";
import { ChartFigure, type ChartTable } from "./ChartFigure.tsx";
import { Section } from "./Section.tsx";
import { useSession } from "./useSignal.ts";

const STATE: readonly SessionChange[] = ["state"];
const PATH: readonly SessionChange[] = ["state", "path", "selection"];

/** Prices, loadings and the exact path as charts, each with its numbers as a table. */
export function ChartsSection({ session }: { session: CaseSession }): ReactElement {
  return (
    <Section id="charts" title="Charts">
      <PriceCharts session={session} />
      <PathChart session={session} />
      <LoadingChart session={session} />
      <ConvergenceChart session={session} />
    </Section>
  );
}

function PriceCharts({ session }: { session: CaseSession }): ReactElement {
  useSession(session, STATE);
  const { columns } = session.store;
  const { bins, curve, found } = useMemo(
    () => ({
      bins: histogram(columns.lmp),
      curve: durationCurve(columns.lmp, columns.demand_mw),
      found: priceStatistics(columns),
    }),
    [columns],
  );
  const span =
    found === null ? "no prices" : `${formatPrice(found.min.usdPerMwh)} to ${formatPrice(found.max.usdPerMwh)} $/MWh`;
  const fullest = bins.reduce((most, bin) => (bin.count > most.count ? bin : most), { low: NaN, high: NaN, count: 0 });
  const width = bins.length > 1 ? (bins[0]?.high ?? 0) - (bins[0]?.low ?? 0) : 0.5;
  return (
    <>
      <ChartFigure
        title="Price histogram"
        summary={`Prices from ${span}; most buses, ${formatCount(fullest.count)}, from ${formatPrice(fullest.low)} to ${formatPrice(fullest.high)} $/MWh.`}
        chart={{
          traces: [
            {
              name: "Buses",
              kind: "bars",
              width,
              points: bins.map(({ low, high, count }) => ({ x: (low + high) / 2, y: count })),
            },
          ],
          x: { title: "Price, $/MWh" },
          y: { title: "Buses" },
        }}
        table={{
          heads: ["From, $/MWh", "To, $/MWh", "Buses"],
          rows: bins.map(({ low, high, count }) => [formatPrice(low), formatPrice(high), formatCount(count)]),
        }}
      />
      <ChartFigure
        title="Price duration curve"
        summary={durationSummary(curve)}
        chart={{
          traces: [{ name: "Price", kind: "line", points: curve }],
          x: { title: "Share of demand that pays at least", percent: true },
          y: { title: "Price, $/MWh" },
        }}
        table={durationTable(curve)}
      />
    </>
  );
}

/** Shares of the demand that the table of the duration curve tells. */
const SHARES = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1];

function priceAt(curve: readonly { x: number; y: number }[], share: number): number {
  return (curve.find(({ x }) => x >= share - 1e-12) ?? curve.at(-1))?.y ?? NaN;
}

function durationSummary(curve: readonly { x: number; y: number }[]): string {
  return `Half of the demand pays at least ${formatPrice(priceAt(curve, 0.5))} $/MWh, a tenth at least ${formatPrice(priceAt(curve, 0.1))} $/MWh.`;
}

function durationTable(curve: readonly { x: number; y: number }[]): ChartTable {
  return {
    heads: ["Share of demand", "pays at least, $/MWh"],
    rows: SHARES.map((share) => [share === 0 ? "0 %" : formatShare(share), formatPrice(priceAt(curve, share))]),
  };
}

function PathChart({ session }: { session: CaseSession }): ReactElement {
  useSession(session, PATH);
  const { path, selection, opened, pathProblem, committedMw } = session;
  if (selection === null || path === null) {
    const hint =
      pathProblem ??
      (selection === null ? "Select a bus or a line to see its exact price path." : "Following the exact path\u2026");
    return (
      <>
        <h4>Price against demand or rating</h4>
        <p className="wb-Panel-hint">{hint}</p>
      </>
    );
  }
  const what = selection.kind === "bus" ? "demand" : "rating";
  const baseMw = opened.baseMw(selection);
  const points = priceCurve(path, baseMw);
  const here = { x: baseMw + committedMw, y: path.priceAt(committedMw) };
  const name = opened.nameOf(selection.kind, selection.id);
  return (
    <ChartFigure
      title={`Price against the ${what} of ${name}`}
      summary={`Exact price at bus ${path.watchedBus}: ${counted(path.breakpoints.length, "breakpoint", "breakpoints")} from ${formatMw(baseMw + path.min)} to ${formatMw(baseMw + path.max)} MW; ${formatPrice(here.y)} $/MWh at ${formatMw(here.x)} MW now.`}
      chart={{
        traces: [
          { name: `Price at bus ${path.watchedBus}`, kind: "line", points },
          { name: "now", kind: "point", points: [here], tone: "alarm" },
        ],
        x: { title: what === "demand" ? "Demand, MW" : "Rating, MW" },
        y: { title: "Price, $/MWh" },
      }}
      table={{
        heads: [`${what === "demand" ? "Demand" : "Rating"}, MW`, "Price, $/MWh"],
        rows: points.map(({ x, y }) => [formatMw(x), formatPrice(y)]),
      }}
    />
  );
}

function LoadingChart({ session }: { session: CaseSession }): ReactElement {
  useSession(session, STATE);
  const { columns } = session.store;
  const bins = useMemo(() => loadingDistribution(columns.loading), [columns]);
  const binding = bindingRows(columns).length;
  const heavy = bins.slice(8).reduce((sum, { count }) => sum + count, 0);
  const points = bins.map(({ low, high, count }) => ({ x: (low + high) / 2, y: count }));
  return (
    <ChartFigure
      title="Loading of the lines"
      summary={`${counted(heavy, "line", "lines")} from 80 % upwards, of which ${formatCount(binding)} bind.`}
      chart={{
        traces: [
          { name: "below 80 %", kind: "bars", width: 0.1, points: points.slice(0, 8) },
          { name: "80 % and more", kind: "bars", width: 0.1, points: points.slice(8), tone: "warning" },
        ],
        x: { title: "Loading", percent: true },
        y: { title: "Lines" },
      }}
      table={{
        heads: ["From", "To", "Lines"],
        rows: bins.map(({ low, high, count }) => [formatLoading(low), formatLoading(high), formatCount(count)]),
      }}
    />
  );
}

function ConvergenceChart({ session }: { session: CaseSession }): ReactElement | null {
  useSession(session, STATE);
  const { objective, residual } = convergence(session);
  if (objective.length < 2) {
    return null; // the solver reported no steps
  }
  const last = residual.at(-1)?.y ?? NaN;
  return (
    <ChartFigure
      title="Convergence of the last solve"
      summary={`${counted(objective.length, "iteration", "iterations")}; the largest violation left is ${formatResidual(last)} MW.`}
      chart={{
        traces: [
          { name: "Objective, $/h", kind: "line", points: objective },
          {
            name: "Violation, MW",
            kind: "line",
            points: residual.filter(({ y }) => y > 0),
            tone: "second",
            right: true,
          },
        ],
        x: { title: "Iteration" },
        y: { title: "Objective, $/h" },
        right: { title: "Violation, MW", log: true },
      }}
      table={{
        heads: ["Iteration", "Objective, $/h", "Violation, MW"],
        rows: objective.map(({ x, y }, k) => [formatCount(x), formatMoney(y), formatResidual(residual[k]?.y ?? NaN)]),
      }}
    />
  );
}
