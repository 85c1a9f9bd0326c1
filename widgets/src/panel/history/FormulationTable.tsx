import { type ReactElement, useMemo } from "react";
import {
  errorText,
  formatCount,
  formatLoading,
  formatMoney,
  formatMw,
  formatPerUnit,
  formatPrice,
  formulationName,
  trans,
} from "../../text/index.ts";
import {
  type CaseSession,
  type FormulationResult,
  largestFlowDifference,
  type ResultFigures,
  resultFigures,
  type SessionChange,
} from "../../workspace/index.ts";
import { ElementLink } from "../sections/ElementLink.tsx";
import { RunProgress } from "../sections/RunProgress.tsx";
import { useSession, useSignal } from "../../ui/useSignal.ts";

const FOLLOWED: readonly SessionChange[] = ["state"];

/** From this amount on, money is formatted without cents, so that it fits into the columns of a narrow panel. */
const LARGE_SUM = 1e5;

/** The displayed state in each available formulation, side by side, solved on request. */
export function FormulationTable({ session }: { session: CaseSession }): ReactElement | null {
  const { comparison, formulations } = session;
  useSignal(comparison.changed);
  useSession(session, FOLLOWED);
  if (formulations.length < 2) {
    return null;
  }
  const { state } = comparison;
  const outdated = state.kind === "done" && !comparison.isOf(session.state.edits);
  const text = comparisonText(state.kind, outdated);
  return (
    <>
      <h4>{trans.__("Formulations side by side")}</h4>
      <p role="status" className={outdated ? "wb-Run-old" : "wb-Panel-hint"} hidden={text === ""}>
        {text}
      </p>
      {state.kind === "done" && !outdated ? null : (
        <div className="wb-Run-controls">
          <button
            type="button"
            className="wb-Button"
            data-action="formulations"
            disabled={state.kind === "running"}
            onClick={() => void comparison.run()}
          >
            {outdated ? trans.__("Compare again") : trans.__("Compare formulations")}
          </button>
          <RunProgress run={comparison} label={trans.__("Formulations solved")} />
        </div>
      )}
      {state.kind === "done" ? <SideBySide session={session} results={state.results} /> : null}
    </>
  );
}

function comparisonText(kind: CaseSession["comparison"]["state"]["kind"], outdated: boolean): string {
  switch (kind) {
    case "none":
    case "failed":
      return trans.__("Solves the current state in every formulation. The map does not change.");
    case "running":
      return trans.__("Solving the state in each formulation\u2026");
    case "done":
      return outdated ? trans.__("These results belong to the state before the last change.") : "";
  }
}

type Solved = Extract<FormulationResult, { result: unknown }> & { readonly figures: ResultFigures };

function SideBySide({
  session,
  results,
}: {
  session: CaseSession;
  results: readonly FormulationResult[];
}): ReactElement {
  const { opened } = session;
  const solved = useMemo(
    () =>
      results.flatMap((one): Solved[] =>
        "result" in one ? [{ ...one, figures: resultFigures(one.result, opened) }] : [],
      ),
    [results, opened],
  );
  const rows = figureRows(session, solved).filter(({ cells }) => cells.some(Boolean));
  return (
    <>
      <table className="wb-Compare-formulations">
        <thead>
          <tr>
            <td />
            {solved.map(({ id }) => (
              <th key={id} scope="col" data-formulation={id}>
                {formulationName(id)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, title, cells }) => (
            <tr key={key} data-figure={key}>
              <th scope="row">{title}</th>
              {solved.map(({ id }, k) => (
                <td key={id}>{cells[k] ?? <span className="wb-unit">{trans.__("none")}</span>}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {results.map((one) =>
        "error" in one ? (
          <p key={one.id} className="wb-mod-failed" data-formulation={one.id}>
            {trans.__("%1: %2", formulationName(one.id), errorText(one.error))}
          </p>
        ) : null,
      )}
    </>
  );
}

interface FigureRow {
  readonly key: string;
  readonly title: string;
  /** One cell per formulation; null where it has no such number. */
  readonly cells: readonly (string | ReactElement | null)[];
}

function figureRows(session: CaseSession, columns: readonly Solved[]): FigureRow[] {
  const { opened } = session;
  const shown = columns.find(({ id }) => id === session.formulation) ?? columns[0];
  type FigureOf = (figures: ResultFigures, column: (typeof columns)[number]) => FigureRow["cells"][number];
  const row = (key: string, title: string, tell: FigureOf): FigureRow => ({
    key,
    title,
    cells: columns.map((column) => tell(column.figures, column)),
  });
  const formatted = (value: number | null | undefined, format: (value: number) => string): string | null =>
    value === null || value === undefined || !Number.isFinite(value) ? null : format(value);
  const lineAt = (line: number, text: string): ReactElement => (
    <ElementLink session={session} element={{ kind: "branch", id: opened.branches[line]?.id ?? 0 }} text={text} />
  );
  return [
    row("objective", trans.__("Objective, $/h"), ({ objective }) => formatted(objective, formatSum)),
    row("generation", trans.__("Generation, MW"), ({ generationMw }) => formatted(generationMw, formatMw)),
    row("losses", trans.__("Losses, MW"), ({ lossesMw }) => formatted(lossesMw, formatMw)),
    row("price", trans.__("Mean price by load, $/MWh"), ({ prices }) => formatted(prices?.loadWeighted, formatPrice)),
    row("lowest_price", trans.__("Lowest price, $/MWh"), ({ prices }) => formatted(prices?.min.usdPerMwh, formatPrice)),
    row("highest_price", trans.__("Highest price, $/MWh"), ({ prices }) =>
      formatted(prices?.max.usdPerMwh, formatPrice),
    ),
    row("lowest_voltage", trans.__("Lowest voltage, pu"), ({ voltages }) => formatted(voltages?.min.pu, formatPerUnit)),
    row("highest_voltage", trans.__("Highest voltage, pu"), ({ voltages }) =>
      formatted(voltages?.max.pu, formatPerUnit),
    ),
    row("outside", trans.__("Outside voltage limits"), ({ voltages }) =>
      formatted(voltages && voltages.above.length + voltages.below.length, formatCount),
    ),
    row("loading", trans.__("Highest loading"), ({ heaviest }) =>
      heaviest === null ? null : lineAt(heaviest.row, formatLoading(heaviest.loading)),
    ),
    row("overloaded", trans.__("Lines above rating"), ({ overloaded }) => formatCount(overloaded)),
    row(
      "flow_difference",
      trans.__("Largest flow difference from %1, MW", formulationName(shown?.id ?? "")),
      (_, { id, result }) => {
        const found = shown === undefined ? null : largestFlowDifference(shown.result.columns, result.columns);
        if (id === shown?.id) {
          return ""; // the reference of the comparison
        }
        return found === null ? null : lineAt(found.row, formatMw(found.mw));
      },
    ),
  ];
}

function formatSum(usdPerHour: number): string {
  return Math.abs(usdPerHour) < LARGE_SUM ? formatMoney(usdPerHour) : formatCount(usdPerHour);
}
