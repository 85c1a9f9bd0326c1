import type { MouseEvent, ReactElement, ReactNode } from "react";
import { hrefOf, type Route } from "./route.ts";

/** What a link within the page is made of. */
export interface PageLinkProps {
  to: Route;
  /** Called on a plain click instead of loading the address. */
  go: () => void;
  className?: string;
  current?: boolean;
  label?: string;
  title?: string;
  children: ReactNode;
}

/** A link that brings a document to the front. It has a real address, for new tabs and bookmarks. */
export function PageLink({ to, go, className, current, label, title, children }: PageLinkProps): ReactElement {
  const clicked = (event: MouseEvent): void => {
    if (event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      go();
    }
  };
  return (
    <a
      href={hrefOf(to)}
      className={className}
      aria-current={current ? "page" : undefined}
      aria-label={label}
      title={title}
      onClick={clicked}
    >
      {children}
    </a>
  );
}
