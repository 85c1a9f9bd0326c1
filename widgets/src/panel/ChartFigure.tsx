import { type ReactElement, useEffect, useRef, useState } from "react";
import type { Chart, Plot } from "../charts/plot.ts";

/** The numbers of a chart for those who read. */
export interface ChartTable {
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}

interface ChartFigureProps {
  title: string;
  /** What the chart says, in a sentence. */
  summary: string;
  chart: Chart;
  table: ChartTable;
}

/** Rows of the table that are in the page. */
const MOST_ROWS = 200;

/** A chart with what it says in words, and its numbers as a table. The drawing library is loaded with the first one. */
export function ChartFigure({ title, summary, chart, table }: ChartFigureProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const latest = useRef(chart);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let gone = false;
    const create = async (): Promise<void> => {
      const { createPlot } = await import("../charts/plot.ts");
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
    create().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
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
          The chart cannot be drawn: {problem} Its numbers are below.
        </p>
      )}
      <figcaption>{summary}</figcaption>
      <details>
        <summary>Numbers</summary>
        <ChartNumbers title={title} table={table} />
      </details>
    </figure>
  );
}

function ChartNumbers({ title, table }: { title: string; table: ChartTable }): ReactElement {
  return (
    <div className="wb-Chart-numbers" tabIndex={0} role="group" aria-label={`Numbers of: ${title}`}>
      <table>
        <thead>
          <tr>
            {table.heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, MOST_ROWS).map((row, k) => (
            <tr key={k}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
