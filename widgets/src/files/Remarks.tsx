import type { ReactElement } from "react";
import { trans } from "../text/index.ts";

/** Number of remarks listed; the others are counted. */
const LISTED = 20;

/** Remarks on a file, as items of a list. */
export function Remarks({ remarks }: { remarks: readonly string[] }): ReactElement {
  const more = remarks.length - LISTED;
  return (
    <>
      {remarks.slice(0, LISTED).map((text, k) => (
        <li key={k}>{text}</li>
      ))}
      {more > 0 && <li>{trans._n("and %1 more", "and %1 more", more)}</li>}
    </>
  );
}
