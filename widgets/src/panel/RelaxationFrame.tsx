import { type ReactElement, useEffect, useRef } from "react";

/** The place of an offer to carry out a relaxation; nothing without one. */
export function RelaxationFrame({ offer }: { offer: HTMLElement | null }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.replaceChildren(...(offer === null ? [] : [offer]));
  }, [offer]);
  return <div ref={place} />;
}
