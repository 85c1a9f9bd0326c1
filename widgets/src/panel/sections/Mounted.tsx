import { type ReactElement, useLayoutEffect, useRef } from "react";

/** A part of the page that is made without React, in its place. */
export function Mounted({ node, className }: { node: HTMLElement; className?: string }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.append(node);
    return () => node.remove();
  }, [node]);
  return <div ref={place} className={className} />;
}
