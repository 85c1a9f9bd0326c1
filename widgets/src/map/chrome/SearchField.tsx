import type { KeyboardEvent, ReactElement } from "react";
import { formatCount, trans } from "../../text/index.ts";
import type { Found } from "./searchElements.ts";

interface SearchFieldProps {
  /** Id of the list; those of its options begin with it. */
  id: string;
  typed: boolean;
  found: readonly Found[];
  count: number;
  /** The option that Enter chooses. */
  at: number;
  search: (text: string) => void;
  choose: (k: number) => void;
  pressed: (event: KeyboardEvent) => void;
  close: () => void;
}

/** The field, and the list of what it finds. */
export function SearchField({
  id,
  typed,
  found,
  count,
  at,
  search,
  choose,
  pressed,
  close,
}: SearchFieldProps): ReactElement {
  const more = count - found.length;
  return (
    <>
      <div className="wb-Search-row">
        <input
          className="wb-Search-field"
          type="text"
          role="combobox"
          placeholder={trans.__("Bus, line or generator: number or name")}
          aria-label={trans.__("Search for a bus, line or generator")}
          aria-controls={id}
          aria-expanded={found.length > 0}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : ""}
          autoComplete="off"
          spellCheck={false}
          defaultValue=""
          onInput={({ currentTarget }) => search(currentTarget.value)}
          onKeyDown={pressed}
        />
        <button
          type="button"
          className="wb-Button wb-mod-icon"
          title={trans.__("Close the search")}
          aria-label={trans.__("Close the search")}
          onClick={close}
        >
          <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
            <path d="M4 4l8 8M12 4l-8 8" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
          </svg>
        </button>
      </div>
      <div className="wb-Search-list" id={id} role="listbox" aria-label={trans.__("Found")} hidden={!typed}>
        {found.map(({ text }, k) => (
          <div
            key={k}
            className="wb-Search-found"
            id={`${id}-${k}`}
            role="option"
            aria-selected={k === at}
            // The field stays focused.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(k)}
          >
            {text}
          </div>
        ))}
        {typed && found.length === 0 && <div className="wb-Search-none">{trans.__("Nothing found")}</div>}
        {more > 0 && (
          <div className="wb-Search-none">
            {trans._n(
              "%2 more; keep typing to narrow the list",
              "%2 more; keep typing to narrow the list",
              more,
              formatCount(more),
            )}
          </div>
        )}
      </div>
      <div className="wb-Announcer" role="status">
        {!typed
          ? ""
          : found.length === 0
            ? trans.__("Nothing found")
            : trans._n("%2 found", "%2 found", count, formatCount(count))}
      </div>
    </>
  );
}
