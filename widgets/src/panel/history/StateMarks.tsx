import type { ReactElement } from "react";
import { trans } from "../../text/index.ts";

/** The pointers of a Study: the state on display, the state that a plan recommends, and the live state. */
export type StateMark = "inspecting" | "recommended" | "applied";

/** The marks of a state, each a word with its own shape. */
export function StateMarks({ marks }: { marks: Record<StateMark, boolean> }): ReactElement {
  const words: [StateMark, string, string][] = [
    ["inspecting", trans.__("Inspecting"), trans.__("Map, tables and panel show this state")],
    ["recommended", trans.__("Recommended"), trans.__("Best verified within the budget of the last plan")],
    ["applied", trans.__("Applied"), trans.__("The live state: changes start from here")],
  ];
  return (
    <>
      {words.map(([mark, word, title]) =>
        marks[mark] ? (
          <span key={mark} className="wb-StateMark" data-mark={mark} title={title}>
            {word}
          </span>
        ) : null,
      )}
    </>
  );
}
