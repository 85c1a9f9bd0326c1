import { type ReactElement, useEffect, useRef } from "react";
import { solveOffers } from "../../ui/index.ts";
import type { IWorkspace, SolveOffer } from "../../workspace/index.ts";

/** Container for buttons that solve another problem of the case; empty without offers. */
export function OffersFrame({
  offers,
  workspace,
}: {
  offers: readonly SolveOffer[];
  workspace: IWorkspace;
}): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const key = JSON.stringify(
    offers.map(({ label, formulation, options, edits }) => [label, formulation, options, edits]),
  );
  useEffect(() => {
    const node = solveOffers(offers, workspace);
    place.current?.replaceChildren(...(node === null ? [] : [node]));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- equal offers keep their buttons
  }, [key, workspace]);
  return <div ref={place} />;
}
