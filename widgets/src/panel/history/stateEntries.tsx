import { type ReactElement, useEffect, useRef, useState } from "react";
import { trans } from "../../text/index.ts";

interface EntryProps {
  label: string;
  text: string;
  /** Called with the text, or with null to discard the entry. */
  done(text: string | null): void;
}

/** A name edited in place: Enter or leaving the field accepts it, Escape discards it. */
export function NameEntry({ label, text, done }: EntryProps): ReactElement {
  const [typed, setTyped] = useState(text);
  const input = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useEffect(() => input.current?.select(), []);
  const end = (name: string | null): void => {
    if (!ended.current) {
      ended.current = true;
      done(name);
    }
  };
  return (
    <input
      ref={input}
      type="text"
      className="wb-Entry wb-History-entry"
      aria-label={label}
      placeholder={trans.__("Name")}
      maxLength={120}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => end(typed)}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          end(event.key === "Enter" ? typed : null);
        }
      }}
    />
  );
}

/** A note edited in place: leaving the field accepts it, as does Ctrl or Cmd with Enter; Escape discards it. */
export function NoteEntry({ label, text, done }: EntryProps): ReactElement {
  const [typed, setTyped] = useState(text);
  const area = useRef<HTMLTextAreaElement>(null);
  const ended = useRef(false);
  useEffect(() => area.current?.focus(), []);
  const end = (note: string | null): void => {
    if (!ended.current) {
      ended.current = true;
      done(note);
    }
  };
  return (
    <textarea
      ref={area}
      className="wb-History-entry wb-mod-note"
      rows={3}
      aria-label={label}
      placeholder={trans.__("What this state shows")}
      maxLength={2000}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => end(typed)}
      onKeyDown={(event) => {
        const taken = event.key === "Enter" && (event.ctrlKey || event.metaKey);
        if (taken || event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          end(taken ? typed : null);
        }
      }}
    />
  );
}
