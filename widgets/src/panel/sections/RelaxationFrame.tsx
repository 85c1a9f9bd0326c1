import { type ReactElement, useEffect, useRef } from "react";
import type { RelaxationView } from "../../ui/session/relaxationView.ts";

/**
 * Container for a search for a relaxation and the offer to apply it; empty without a search. `make` is called once per
 * mount.
 */
export function RelaxationFrame({ make }: { make: () => RelaxationView | null }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = make();
    place.current?.replaceChildren(...(view === null ? [] : [view.node]));
    return () => view?.dispose();
  }, [make]);
  return <div ref={place} />;
}
