import { type ReactElement, useEffect, useRef, useState } from "react";
import type { Chart, Plot } from "../../charts/plot.ts";
import { formatCount, trans, whyNotShown } from "../../text/index.ts";

/** The numbers of a chart as a table for screen readers. */
export interface ChartTable {
  heads: readonly string[];
  rows: readonly (readonly string[])[];
  /** The action of a click in the chart for a row of the table: the label of its button, or null without an action. */
  pick?: { words(row: number): string | null; run(row: number): void };
}

interface ChartFigureProps {
  title: string;
  /** A sentence that summarises the chart. */
  summary: string;
  chart: Chart;
  table: ChartTable;
  /** Offers a logarithmic vertical axis, for counts that differ by orders of magnitude. */
  logCounts?: boolean;
}

/** Largest number of table rows in the page. */
const MOST_ROWS = 200;

/** A chart with a summary in words and its numbers as a table. The first chart loads the drawing library. */
export function ChartFigure({ title, summary, chart: plain, table, logCounts }: ChartFigureProps): ReactElement {
  const [log, setLog] = useState(false);
  const chart = log ? { ...plain, y: { ...plain.y, log } } : plain;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const latest = useRef(chart);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let gone = false;
    const create = async (): Promise<void> => {
      const { createPlot } = await import("../../charts/plot.ts");
      if (gone || place.current === null) {
        return;
      }
      const made = await createPlot(place.current);
      if (gone) {
        made.dispose();
        return;
      }
      plot.current = made;
      made.draw(latest.current);
    };
    create().catch((error: unknown) => setProblem(whyNotShown(error)));
    return () => {
      gone = true;
      plot.current?.dispose();
      plot.current = null;
    };
  }, []);
  useEffect(() => {
    latest.current = chart;
    plot.current?.draw(chart);
  });
  return (
    <figure className="wb-Chart">
      <h4>{title}</h4>
      {problem === null ? (
        <div className="wb-Chart-plot" role="img" aria-label={`${title}. ${summary}`} ref={place} />
      ) : (
        <p role="alert" className="wb-mod-failed">
          {trans.__("The chart cannot be drawn: %1 Its numbers are below.", problem)}
        </p>
      )}
      <figcaption>{summary}</figcaption>
      {logCounts === true ? (
        <label className="wb-Chart-log">
          <input type="checkbox" checked={log} onChange={({ target }) => setLog(target.checked)} />
          <span>{trans.__("Powers of ten")}</span>
        </label>
      ) : null}
      <details>
        <summary>{trans.__("Numbers")}</summary>
        <ChartNumbers title={title} table={table} />
      </details>
    </figure>
  );
}

function ChartNumbers({ title, table }: { title: string; table: ChartTable }): ReactElement {
  const { heads, rows, pick } = table;
  return (
    <div className="wb-Chart-numbers" tabIndex={0} role="group" aria-label={trans.__("Numbers of: %1", title)}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            {pick === undefined ? null : <td />}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row, k) => (
            <tr key={k}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
              {pick === undefined ? null : <td>{pickButton(pick, k)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS ? (
        <p>{trans.__("The first %1 of %2 rows.", formatCount(MOST_ROWS), formatCount(rows.length))}</p>
      ) : null}
    </div>
  );
}

function pickButton(pick: NonNullable<ChartTable["pick"]>, row: number): ReactElement | null {
  const words = pick.words(row);
  return words === null ? null : (
    <button type="button" className="wb-Button wb-mod-link" onClick={() => pick.run(row)}>
      {words}
    </button>
  );
}
