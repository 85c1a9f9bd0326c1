import { type ReactElement, useEffect, useRef } from "react";
import type { RelaxationView } from "../../ui/session/relaxationView.ts";

/** The place of a search for a relaxation and of the offer to carry it out; nothing without one. `make` is called once per place. */
export function RelaxationFrame({ make }: { make: () => RelaxationView | null }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = make();
    place.current?.replaceChildren(...(view === null ? [] : [view.node]));
    return () => view?.dispose();
  }, [make]);
  return <div ref={place} />;
}
