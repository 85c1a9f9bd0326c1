import { type ReactElement, useState } from "react";
import type { Loadability, LoadabilityTarget } from "@service/engine";
import { capitalised, formatCount, formatMw, formatPerUnit, trans } from "../../text/index.ts";
import type { CaseSession, SessionChange } from "../../workspace/index.ts";
import { ChartFigure } from "../charts/ChartFigure.tsx";
import { ElementList } from "../result/ElementList.tsx";
import { RunProgress } from "../sections/RunProgress.tsx";
import { useSession, useSignal } from "../../ui/useSignal.ts";

const FOLLOWED: readonly SessionChange[] = ["state", "selection"];

/** Number of buses whose curves are drawn. */
const DRAWN = 3;

/**
 * Voltage collapse: how much the demand of a bus, an area or the system can grow, with the PV curve up to that point.
 */
export function LoadabilitySection({ session }: { session: CaseSession }): ReactElement {
  const { loadability: run, opened } = session;
  useSignal(run.changed);
  useSession(session, FOLLOWED);
  const [scope, setScope] = useState("bus");
  const { state } = run;
  const running = state.kind === "running";
  const bus = session.selected.findLast(({ kind }) => kind === "bus") ?? null;
  const areas = [...new Set(opened.buses.flatMap(({ area }) => (area === null ? [] : [area])))].sort((a, b) => a - b);
  const target = targetOf(scope, bus?.id ?? null);
  return (
    <div className="wb-Outages" data-state={state.kind}>
      <div className="wb-Run-controls">
        <select
          aria-label={trans.__("Whose demand grows")}
          value={scope}
          onChange={({ target: chosen }) => setScope(chosen.value)}
        >
          <option value="bus">
            {bus === null ? trans.__("Selected bus") : capitalised(opened.nameOf("bus", bus.id))}
          </option>
          {areas.length < 2
            ? null
            : areas.map((area) => (
                <option key={area} value={String(area)}>
                  {trans.__("Area %1", area)}
                </option>
              ))}
          <option value="system">{trans.__("System")}</option>
        </select>
        <button
          type="button"
          className="wb-Button"
          disabled={running || target === null}
          onClick={() => (target === null ? undefined : void run.run(target))}
        >
          {trans.__("Find the loadability limit")}
        </button>
        <RunProgress run={run} label={trans.__("Loadability")} />
      </div>
      <p role="status" className={state.kind === "failed" ? "wb-mod-failed" : undefined}>
        {words(session, target === null)}
      </p>
      {state.kind === "done" && !run.isOf(session.live.edits) ? (
        <p className="wb-Run-old">{trans.__("This curve belongs to the state before the last change.")}</p>
      ) : null}
      {state.kind === "done" ? <Curve session={session} target={state.target} found={state.found} /> : null}
    </div>
  );
}

function targetOf(scope: string, bus: number | null): LoadabilityTarget | null {
  if (scope === "system") {
    return { system: true };
  }
  if (scope === "bus") {
    return bus === null ? null : { bus };
  }
  return { area: Number(scope) };
}

/** Text of the live region: start and end only, not every step. */
function words(session: CaseSession, nothing: boolean): string {
  const { state } = session.loadability;
  switch (state.kind) {
    case "none":
      return nothing
        ? trans.__("Select a bus, or choose an area or the system.")
        : trans.__("How far a demand can grow before voltages collapse, at constant power factor.");
    case "running":
      return trans.__("Computing the PV curve\u2026");
    case "failed":
      return state.message;
    case "done": {
      const { margin_mw, no_solution_mw, demand_mw } = state.found;
      const name = targetName(session, state.target);
      const [margin, demand] = [formatMw(margin_mw), formatMw(demand_mw + margin_mw)];
      return no_solution_mw === null
        ? trans.__("%1: no collapse found up to +%2 MW (%3 MW in total).", name, margin, demand)
        : trans.__("%1: voltages collapse beyond +%2 MW (%3 MW in total).", name, margin, demand);
    }
  }
}

function targetName({ opened }: CaseSession, target: LoadabilityTarget): string {
  if ("bus" in target) {
    return capitalised(opened.nameOf("bus", Number(target.bus)));
  }
  return "area" in target ? trans.__("Area %1", target.area) : trans.__("System");
}

function Curve({
  session,
  target,
  found,
}: {
  session: CaseSession;
  target: LoadabilityTarget;
  found: Loadability;
}): ReactElement {
  const { opened } = session;
  const { added_mw: added, buses, margin_mw: margin } = found;
  const drawn = buses.slice(0, DRAWN);
  const nose = drawn.map(({ vm_pu }) => ({ x: margin, y: vm_pu.at(-1) ?? NaN }));
  const tones = ["main", "second", "warning"] as const;
  const name = (bus: number): string => opened.nameOf("bus", bus);
  return (
    <>
      <ChartFigure
        title={trans.__("PV curve: %1", targetName(session, target))}
        summary={trans._n(
          "Voltages over the growth of the demand, %2 point; the ring marks the largest growth with a solution, +%3 MW.",
          "Voltages over the growth of the demand, %2 points; the ring marks the largest growth with a solution, +%3 MW.",
          added.length,
          formatCount(added.length),
          formatMw(margin),
        )}
        chart={{
          traces: [
            ...drawn.map(({ bus, vm_pu }, k) => ({
              name: trans.__("Bus %1", bus),
              kind: "line" as const,
              tone: tones[k] ?? ("main" as const),
              points: added.map((x, at) => ({ x, y: vm_pu[at] ?? NaN })),
              hover: added.map((mw, at) =>
                trans.__("%1: %2 pu at +%3 MW", name(bus), formatPerUnit(vm_pu[at] ?? NaN), formatMw(mw)),
              ),
            })),
            {
              name: trans.__("limit"),
              unlisted: true,
              kind: "point" as const,
              tone: "alarm" as const,
              points: nose,
              hover: nose.map(({ x, y }) => trans.__("%1 pu at +%2 MW", formatPerUnit(y), formatMw(x))),
            },
          ],
          x: { title: trans.__("Growth of the demand, MW") },
          y: { title: trans.__("Voltage magnitude, pu") },
        }}
        table={{
          heads: [trans.__("Growth, MW"), ...drawn.map(({ bus }) => trans.__("%1, pu", capitalised(name(bus))))],
          rows: added.map((mw, at) => [formatMw(mw), ...drawn.map(({ vm_pu }) => formatPerUnit(vm_pu[at] ?? NaN))]),
        }}
      />
      <ElementList
        session={session}
        title={trans.__("Buses that fall first")}
        kind="bus"
        rows={buses.map(({ bus }) => opened.busRow(bus))}
        text={(row) => {
          const fallen = buses.find(({ bus }) => opened.busRow(bus) === row);
          return trans.__(
            "%1: %2 pu at the limit",
            capitalised(name(opened.busId(row))),
            formatPerUnit(fallen?.vm_pu.at(-1) ?? NaN),
          );
        }}
      />
    </>
  );
}
