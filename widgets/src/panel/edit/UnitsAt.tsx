import type { ReactElement } from "react";
import { formatMw, generatorName, trans } from "../../text/index.ts";
import { type CaseSession, generatorAt } from "../../workspace/index.ts";
import { ElementLink } from "../sections/ElementLink.tsx";

/** The generators at a bus with their outputs, each selectable; empty at a bus without generators. */
export function UnitsAt({ session, bus }: { session: CaseSession; bus: number }): ReactElement | null {
  const { opened, state, store } = session;
  const rows = opened.generatorsAt(bus);
  if (rows.length === 0) {
    return null;
  }
  return (
    <ul className="wb-EditRow-units" aria-label={trans.__("Generators at %1", opened.nameOf("bus", bus))}>
      {rows.map((row) => {
        const unit = generatorAt(opened, state.edits, row);
        const id = unit?.id ?? 0;
        const name = unit === undefined ? trans.__("Generator %1", id) : generatorName(unit);
        const mw = store.shownAt("dispatch_mw", row);
        const output = unit?.status !== 1 ? trans.__("off") : Number.isFinite(mw) ? `${formatMw(mw)} MW` : "";
        return (
          <li key={id}>
            <ElementLink session={session} element={{ kind: "generator", id }} text={name} /> <span>{output}</span>
          </li>
        );
      })}
    </ul>
  );
}
