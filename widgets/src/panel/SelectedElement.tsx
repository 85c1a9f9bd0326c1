import type { ReactElement } from "react";
import { binds, readout } from "../map/index.ts";
import { formatLoading, formatMw, formatPrice } from "../words/index.ts";
import { type CaseSession, deltaOf } from "../workspace/index.ts";

/** The selected bus or line with its numbers at the state shown. */
export function SelectedElement({ session }: { session: CaseSession }): ReactElement {
  const { selection, opened } = session;
  const said = readout(session);
  return (
    <section aria-label="Selected element">
      <h3>Selected</h3>
      {selection === null ? (
        <p>Nothing. Click a bus or a line.</p>
      ) : (
        <>
          <p className="wb-Panel-selected">{opened.nameOf(selection.kind, selection.id)}</p>
          <dl>
            {rows(session).map(([term, value]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {said.failed ? null : <p>{said.text}</p>}
        </>
      )}
    </section>
  );
}

function rows(session: CaseSession): [string, string][] {
  const { selection, opened, store, state } = session;
  if (selection === null) {
    return [];
  }
  const row = opened.rowOf(selection);
  const base = opened.baseMw(selection);
  const now = base + (session.previewMw ?? deltaOf(state.edits, selection));
  if (selection.kind === "bus") {
    return [
      [store.previewing ? "Price, preview" : "Price", `${formatPrice(store.shownLmp[row] ?? NaN)} $/MWh`],
      ["Base demand", `${formatMw(base)} MW`],
      ["Demand now", `${formatMw(now)} MW`],
    ];
  }
  const { flow_mw, loading, shadow } = store.columns;
  return [
    ["Flow", `${formatMw(flow_mw[row] ?? NaN)} MW`],
    ["Base rating", `${formatMw(base)} MW`],
    ["Rating now", `${formatMw(now)} MW`],
    ["Loading", formatLoading(loading[row] ?? NaN)],
    ...(binds(shadow[row] ?? 0)
      ? [["One more MW saves", `${formatPrice(shadow[row] ?? NaN)} $/h`] satisfies [string, string]]
      : []),
  ];
}
