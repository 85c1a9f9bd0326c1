import { type ReactElement, useLayoutEffect, useRef } from "react";
import { MwField } from "../../ui/index.ts";

interface MwEntryProps {
  /** Names the number, with its unit. */
  label: string;
  /** What stands there at rest. */
  text: string;
  disabled: boolean;
  /** The number that a text means; null when it is none. */
  parse(text: string): number | null;
  /** Told why a typed text is not taken; an empty text when that is over. */
  refused(why: string): void;
  /** Called while something is typed that could be a number. */
  typing(): void;
  commit(mw: number): void;
}

/** The field for a power in MW that the edit bar of the map has, in a row of the panel. */
export function MwEntry(props: MwEntryProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const field = useRef<MwField | null>(null);
  const latest = useRef(props);
  useLayoutEffect(() => {
    const made = new MwField({
      parse: (text) => latest.current.parse(text),
      typed: (mw) => latest.current.commit(mw),
      refused: (why) => latest.current.refused(why),
      typing: () => latest.current.typing(),
    });
    field.current = made;
    place.current?.append(made.node);
    return () => made.node.remove();
  }, []);
  useLayoutEffect(() => {
    latest.current = props;
    const { label, text, disabled } = props;
    field.current?.describe(label, disabled);
    field.current?.show(text);
  });
  return <div ref={place} className="wb-MwEntry" title={props.label} />;
}
