import { type ReactElement, useState } from "react";
import { formatMw, parseMw, trans } from "../../text/index.ts";
import type { CaseSession } from "../../workspace/index.ts";

/** A unit typed after the number. */
const TYPED_UNIT = /\s*mvar\s*$/i;

/**
 * The reactive demand of a bus: at constant power factor, or edited independently. Empty in formulations without
 * reactive power.
 */
export function ReactiveRow({ session, bus }: { session: CaseSession; bus: number }): ReactElement | null {
  const [refused, setRefused] = useState("");
  const { store, state, opened } = session;
  if (!store.columns.has("demand_mvar")) {
    return null;
  }
  const own = state.edits.reactive?.[String(bus)];
  const name = opened.nameOf("bus", bus);
  // The status reports failures.
  const set = (mvar: number | null): void => void session.setReactive(bus, mvar).catch(() => undefined);
  const take = (text: string): void => {
    const mvar = parseMw(text.replace(TYPED_UNIT, ""));
    setRefused(mvar === null ? trans.__("\u201c%1\u201d is not a valid value in MVAr.", text) : "");
    if (mvar !== null && mvar !== own) {
      set(mvar);
    }
  };
  return (
    <>
      <div className="wb-EditRow-reactive">
        <span>
          {trans.__("Reactive demand %1 MVAr", formatMw(store.columns.at("demand_mvar", opened.busRow(bus))))}
        </span>
        <select
          aria-label={trans.__("What the reactive demand of %1 follows", name)}
          value={own === undefined ? "factor" : "own"}
          onChange={({ target }) => set(target.value === "own" ? 0 : null)}
        >
          <option value="factor">{trans.__("constant power factor")}</option>
          <option value="own">{trans.__("own change")}</option>
        </select>
        {own === undefined ? null : (
          <label className="wb-MwEntry">
            <input
              key={own}
              className="wb-Entry"
              type="text"
              inputMode="decimal"
              aria-label={trans.__("Change of the reactive demand of %1, MVAr", name)}
              aria-invalid={refused !== ""}
              defaultValue={formatMw(own, { signed: true })}
              onBlur={({ target }) => take(target.value)}
              onKeyDown={({ key, currentTarget }) => (key === "Enter" ? take(currentTarget.value) : undefined)}
            />
            <span className="wb-unit">MVAr</span>
          </label>
        )}
      </div>
      {refused === "" ? null : (
        <p className="wb-EditRow-words wb-mod-failed" role="alert">
          {refused}
        </p>
      )}
    </>
  );
}
