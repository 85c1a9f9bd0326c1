import type { ReactElement } from "react";
import type { TableViewOptions } from "../tables/tableView.ts";
import type { CaseSession } from "../workspace/index.ts";
import type { OpenLarge } from "./sections/largeView.ts";
import { Section } from "./sections/Section.tsx";
import { TableFrame } from "./sections/TableFrame.tsx";
import { trans } from "../text/index.ts";

const ALL: TableViewOptions = {};

/** Buses, lines and generators at the displayed state. */
export function TablesSection({
  session,
  openLarge,
}: {
  session: CaseSession;
  openLarge?: OpenLarge | undefined;
}): ReactElement {
  return (
    <Section id="tables" title={trans.__("Tables")}>
      <TableFrame session={session} options={ALL} title={trans.__("Tables")} openLarge={openLarge} />
    </Section>
  );
}
