import { type ReactElement, useEffect, useMemo } from "react";
import { FormulationSelect } from "../../ui/index.ts";
import type { CaseSession } from "../../workspace/index.ts";
import { Mounted } from "../sections/Mounted.tsx";

/** The formulation of the displayed state, with a choice where there are several. */
export function FormulationChoice({ session }: { session: CaseSession }): ReactElement {
  const select = useMemo(() => new FormulationSelect(session), [session]);
  useEffect(() => () => select.dispose(), [select]);
  return <Mounted className="wb-Panel-formulation" node={select.node} />;
}
