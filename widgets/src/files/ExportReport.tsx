import { type ReactElement, useRef, useState } from "react";
import { trans } from "../text/index.ts";
import { Button } from "../ui/Button.tsx";
import type { MadeFile } from "../workspace/index.ts";
import { Remarks } from "./Remarks.tsx";
import { usePassing } from "./usePassing.ts";

/**
 * Reports which file was made, or the error that prevented it; nothing for null. A note of success disappears after
 * some seconds; losses of the format and failures stay until they are closed.
 */
export function ExportReport({ made }: { made: MadeFile | Error | null }): ReactElement {
  const node = useRef<HTMLElement>(null);
  const [closed, setClosed] = useState<MadeFile | Error | null>(null);
  const isFailure = made instanceof Error;
  const warnings = made === null || isFailure ? [] : made.warnings;
  const close = (): void => setClosed(made);
  usePassing(node, isFailure || warnings.length > 0 || made === closed ? null : made, close);
  return (
    <section className="wb-Files" aria-label={trans.__("Export")} hidden={made === closed} ref={node}>
      <div className="wb-Files-head">
        <p className={`wb-Files-words${isFailure ? " wb-mod-failed" : ""}`} role="status">
          {made === null
            ? ""
            : isFailure
              ? made.message
              : warnings.length > 0
                ? trans.__("%1 is in your downloads. Some data could not be saved:", made.name)
                : trans.__("%1 is in your downloads.", made.name)}
        </p>
        <Button label={trans.__("Close")} act={close} />
      </div>
      <ul className="wb-Files-list wb-mod-remarks">
        <Remarks remarks={warnings} />
      </ul>
    </section>
  );
}
