import { type ReactElement, useState } from "react";
import { capitalised, trans } from "../../text/index.ts";
import type { CaseSession, SessionChange } from "../../workspace/index.ts";
import { Section } from "../sections/Section.tsx";
import { useSession } from "../../ui/useSignal.ts";
import { PriceChangePart } from "./PriceChangePart.tsx";
import { RatingEffectsPart } from "./RatingEffectsPart.tsx";

const FOLLOWED: readonly SessionChange[] = ["state", "selection"];

/** The price of the selected bus: its parts in two states, and why it changed. */
export function PriceSection({ session }: { session: CaseSession }): ReactElement {
  useSession(session, FOLLOWED);
  const bus = useBus(session);
  const note = bus === null ? undefined : capitalised(session.opened.nameOf("bus", bus));
  return (
    <Section id="price" title={trans.__("Why this price")} note={note}>
      {bus === null ? (
        <p className="wb-Panel-hint">{trans.__("Select a bus to see what its price is made of and why it changed.")}</p>
      ) : (
        <>
          <PriceChangePart session={session} bus={bus} />
          {session.capabilities.has("sensitivities") ? <RatingEffectsPart session={session} bus={bus} /> : null}
        </>
      )}
    </Section>
  );
}

/** The bus selected last; it stays while a line or generator of its price is selected. Null without a selection. */
function useBus({ selected }: CaseSession): number | null {
  const [last, setLast] = useState<number | null>(null);
  const bus = selected.findLast(({ kind }) => kind === "bus")?.id ?? (selected.length === 0 ? null : last);
  if (bus !== last) {
    setLast(bus);
  }
  return bus;
}
