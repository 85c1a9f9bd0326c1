import type { ReactElement } from "react";
import { formatDuration, trans } from "../../text/index.ts";
import {
  type Activity,
  type ActivityKind,
  activityText,
  type CaseSession,
  type ActivityEntry,
} from "../../workspace/index.ts";
import { Section } from "../sections/Section.tsx";
import { useSignalLater } from "../../ui/useSignal.ts";

/** The activity of this session, the latest first. */
export function ActivitySection({ session }: { session: CaseSession }): ReactElement {
  return (
    <Section id="activity" title={trans.__("Activity")}>
      <Entries session={session} />
    </Section>
  );
}

function Entries({ session }: { session: CaseSession }): ReactElement {
  const { activity } = session;
  useSignalLater(activity.changed);
  return (
    <ol className="wb-Activity" reversed tabIndex={0} aria-label={trans.__("Actions, latest first")}>
      {activity.entries.toReversed().map((entry) => (
        <Entry key={entry.id} entry={entry} text={activityText(entry.event, session.opened)} />
      ))}
    </ol>
  );
}

function Entry({ entry, text }: { entry: Activity; text: ActivityEntry }): ReactElement {
  return (
    <li data-kind={text.kind} data-failed={text.failed}>
      <time dateTime={new Date(entry.at).toISOString()}>{clock(entry)}</time>
      <span className="wb-Activity-kind">{kindWord(text.kind)}</span>
      <span className="wb-Activity-ms">{entry.ms === null ? "" : formatDuration(entry.ms)}</span>
      <span className="wb-Activity-label">
        {text.label}
        {entry.remote ? <span className="wb-unit"> ({trans.__("kernel")})</span> : null}
      </span>
      <span className={text.failed ? "wb-Activity-result wb-mod-failed" : "wb-Activity-result"}>{text.result}</span>
    </li>
  );
}

/** Time of day as `14:03:27`, independent of the page's language. */
function clock({ at }: Activity): string {
  return new Date(at).toTimeString().slice(0, 8);
}

function kindWord(kind: ActivityKind): string {
  switch (kind) {
    case "observation":
      return trans.__("observation");
    case "edit":
      return trans.__("edit");
    case "solve":
      return trans.__("solve");
    case "planning_trial":
      return trans.__("planning trial");
    case "decision":
      return trans.__("decision");
  }
}
