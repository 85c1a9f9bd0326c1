import { type MouseEvent, type ReactElement, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { trans } from "../../text/index.ts";
import { Choice, Row, TextEntry } from "../../ui/Fields.tsx";
import { useSignal } from "../../ui/useSignal.ts";
import { isPersonsClick } from "../../workspace/index.ts";
import { blobSource } from "../ground/pmtiles.ts";
import { type BasemapChoice, basemapText, isBundled, NATURAL_EARTH, parseBasemap } from "./basemapChoice.ts";
import { basemapServers } from "./basemapServers.ts";
import type { ChosenBasemap } from "./chosenBasemap.ts";

/** The kinds in the list of basemaps: the bundled ones and the user's own. */
type Kind = "natural_earth" | "plain" | "none" | "own";

const KINDS: readonly Kind[] = ["natural_earth", "plain", "none", "own"];

/** Chooses the basemap of all maps in this browser: a bundled one, a URL, or a local PMTiles file. */
export function BasemapRows({ chosen }: { chosen: ChosenBasemap }): ReactElement {
  const now = chosen.requested;
  // The user's own basemap is listed before its address has been entered.
  const [isOwn, setOwn] = useState(false);
  const kind = isOwn || !isBundled(now) ? "own" : now.kind;
  const take = (next: Kind): void => {
    setOwn(next === "own");
    if (next !== "own") {
      chosen.chooseForAll({ kind: next });
    }
  };
  return (
    <>
      <Choice label={trans.__("Basemap")} all={KINDS} chosen={kind} words={kindLabel} take={take} />
      {kind !== "own" ? null : <OwnBasemap now={now} choose={(choice) => chosen.chooseForAll(choice)} />}
      <ServerList />
    </>
  );
}

interface OwnBasemapProps {
  now: BasemapChoice;
  choose: (choice: BasemapChoice) => void;
}

function OwnBasemap({ now, choose }: OwnBasemapProps): ReactElement {
  const [address, setAddress] = useState(isBundled(now) || now.kind === "file" ? "" : basemapText(now));
  const [credit, setCredit] = useState(isBundled(now) ? "" : (now.attribution ?? ""));
  const [problem, setProblem] = useState("");
  const load = (click: MouseEvent): void => {
    if (!isPersonsClick(click.nativeEvent)) {
      return; // a server set by a script was not named by a person
    }
    try {
      const choice = address.trim() === "" ? NATURAL_EARTH : parseBasemap(address, credit);
      setProblem("");
      choose(choice);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const open = (file: File | undefined): void => {
    if (file !== undefined) {
      const attribution = credit.trim() === "" ? {} : { attribution: credit.trim() };
      choose({ kind: "file", name: file.name, source: blobSource(file), ...attribution });
    }
  };
  return (
    <div className="wb-Form-content">
      <Row label={trans.__("Address")}>
        <TextEntry
          label={trans.__("Address")}
          text={address}
          take={setAddress}
          isInvalid={problem !== ""}
          placeholder="https://…/{z}/{x}/{y}.png"
        />
      </Row>
      <Row label={trans.__("Attribution")}>
        <TextEntry label={trans.__("Attribution")} text={credit} take={setCredit} />
      </Row>
      <button type="button" className="wb-Button wb-Form-submit" title={trans.__("Load")} onClick={load}>
        {trans.__("Load")}
      </button>
      <Row label={trans.__("PMTiles file")}>
        <input
          type="file"
          accept=".pmtiles"
          aria-label={trans.__("PMTiles file")}
          onChange={({ target }) => open(target.files?.[0])}
        />
      </Row>
      <p className="wb-Form-problem" role="status">
        {problem}
      </p>
    </div>
  );
}

/** The allowed basemap servers, each with a button that removes it; absent if no server is allowed. */
function ServerList(): ReactElement | null {
  useSignal(basemapServers.changed);
  const list = useRef<HTMLDivElement>(null);
  const { all } = basemapServers;
  if (all.length === 0) {
    return null;
  }
  const remove = (server: string): void => {
    const dialog = list.current?.closest<HTMLElement>("[role=dialog]");
    flushSync(() => basemapServers.revoke(server));
    (list.current?.querySelector("button") ?? dialog)?.focus(); // the button and its focus are gone
  };
  return (
    <div ref={list} className="wb-Form-servers" role="group" aria-label={trans.__("Allowed servers")}>
      <span>{trans.__("Allowed servers")}</span>
      {all.map((server) => (
        <Row key={server} label={server}>
          <button
            type="button"
            className="wb-Button"
            aria-label={trans.__("Remove the server %1", server)}
            onClick={() => remove(server)}
          >
            {trans.__("Remove")}
          </button>
        </Row>
      ))}
    </div>
  );
}

function kindLabel(kind: Kind): string {
  switch (kind) {
    case "natural_earth":
      return "Natural Earth";
    case "plain":
      return trans.__("Coasts and borders only");
    case "none":
      return trans.__("None");
    case "own":
      return trans.__("Other style, tiles or file\u2026");
  }
}
