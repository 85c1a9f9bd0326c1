import { type ReactElement, type ReactNode, useContext, useId, useState } from "react";
import { OpenSectionsContext } from "./openSections.ts";

interface SectionProps {
  /** Key under which the open state is stored. */
  id: string;
  title: string;
  /** A short note beside the title, read with it. */
  note?: string | undefined;
  /** Whether it is open before the user has opened or closed it. */
  open?: boolean;
  /** Rendered only while the section is open. */
  children: ReactNode;
}

/** A collapsible section of the panel that remembers whether it is open. */
export function Section({ id, title, note, open: usually = false, children }: SectionProps): ReactElement {
  const sections = useContext(OpenSectionsContext);
  const [open, setOpen] = useState(() => sections.isOpen(id, usually));
  const body = useId();
  const toggle = (): void => {
    sections.set(id, !open);
    setOpen(!open);
  };
  return (
    <section className="wb-Section" aria-label={title} data-section={id}>
      <h3>
        <button type="button" className="wb-Section-head" aria-expanded={open} aria-controls={body} onClick={toggle}>
          <span className="wb-Section-title">{title}</span>
          {note === undefined ? null : <span className="wb-Section-note">{note}</span>}
        </button>
      </h3>
      <div id={body} className="wb-Section-body" hidden={!open}>
        {open ? children : null}
      </div>
    </section>
  );
}
