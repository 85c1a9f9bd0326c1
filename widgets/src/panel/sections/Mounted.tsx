import { type ReactElement, useLayoutEffect, useRef } from "react";

/** Mounts a DOM node that is not made by React. */
export function Mounted({ node, className }: { node: HTMLElement; className?: string }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.append(node);
    return () => node.remove();
  }, [node]);
  return <div ref={place} className={className} />;
}
