import { type ReactElement, useState } from "react";
import { downloadFile } from "../../files/index.ts";
import { formatCount, messageText, quantityWords, trans } from "../../text/index.ts";
import { type CaseSession, fileName, seriesCsv, type SolvedSeries, stepTime } from "../../workspace/index.ts";
import { useSignalLater } from "../../ui/useSignal.ts";
import { SeriesCharts } from "./SeriesCharts.tsx";

/** Number of failures listed; the others are counted. */
const LISTED = 50;

interface SolvedStepsProps {
  session: CaseSession;
  series: SolvedSeries;
}

/** The results of a series: on the map, as files, its failures and its charts. */
export function SolvedSteps({ session, series }: SolvedStepsProps): ReactElement {
  const { series: view } = session;
  useSignalLater(view.changed);
  const shown = view.shown?.series === series;
  return (
    <>
      <div className="wb-Run-controls">
        <button type="button" className="wb-Button" onClick={() => (shown ? view.end() : view.show(series, 0))}>
          {shown ? trans.__("Back to the live state") : trans.__("Show on the map")}
        </button>
        <SaveCsv session={session} series={series} />
      </div>
      <Failures session={session} series={series} />
      <SeriesCharts session={session} series={series} />
    </>
  );
}

/** Saves a quantity by step and element as a file. */
function SaveCsv({ session, series }: SolvedStepsProps): ReactElement {
  const { opened } = session;
  const [name, setName] = useState(series.quantities[0]?.name ?? "");
  const [saved, setSaved] = useState("");
  const save = (): void => {
    const element = series.quantities.find((quantity) => quantity.name === name)?.element;
    const ids =
      element === "bus"
        ? opened.buses.map(({ id }) => id)
        : element === "branch"
          ? opened.branches.map(({ id }) => id)
          : opened.ingested.topology.generators.map((_, row) => row + 1);
    const file = `${fileName(session.caseName)}_series_${name}.csv`;
    downloadFile({ name: file, bytes: new TextEncoder().encode(seriesCsv(series, name, ids)) });
    setSaved(trans.__("%1 saved", file));
  };
  return (
    <>
      <select aria-label={trans.__("Quantity to save")} value={name} onChange={({ target }) => setName(target.value)}>
        {series.quantities.map(({ name: one, unit }) => (
          <option key={one} value={one}>
            {trans.__("%1, %2", quantityWords(one, unit).label, unit)}
          </option>
        ))}
      </select>
      <button type="button" className="wb-Button" onClick={save}>
        {trans.__("Save CSV")}
      </button>
      <span role="status">{saved}</span>
    </>
  );
}

/** The steps without a solution, each with the reason; empty if all are solved. */
function Failures({ session, series }: SolvedStepsProps): ReactElement | null {
  const { failures, profile } = series;
  if (failures.length === 0) {
    return null;
  }
  const total = profile.steps.length;
  return (
    <details className="wb-Series-failures" open>
      <summary>
        {trans._n(
          "%2 step without a solution",
          "%2 steps without a solution",
          failures.length,
          formatCount(failures.length),
        )}
      </summary>
      <ul>
        {failures.slice(0, LISTED).map(({ step, error }) => (
          <li key={step}>
            <button type="button" className="wb-Button wb-mod-link" onClick={() => session.series.show(series, step)}>
              {trans.__("Step %1, %2", formatCount(step + 1), stepTime(profile.steps[step] ?? "", total))}
            </button>
            {` ${messageText(error.sentence, session.opened)} (${error.code})`}
          </li>
        ))}
      </ul>
      {failures.length > LISTED ? (
        <p>{trans.__("The first %1 of %2.", formatCount(LISTED), formatCount(failures.length))}</p>
      ) : null}
    </details>
  );
}
