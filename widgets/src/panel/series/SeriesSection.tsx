import { type ReactElement, useState } from "react";
import { chooseFiles } from "../../files/chooseFiles.ts";
import { errorText, formatCount, formatDuration, trans } from "../../text/index.ts";
import {
  type CaseSession,
  type Profile,
  type SessionChange,
  SYNTHETIC_HOURS,
  syntheticName,
} from "../../workspace/index.ts";
import { RunProgress } from "../sections/RunProgress.tsx";
import { useSession, useSignal } from "../../ui/useSignal.ts";
import { SolvedSteps } from "./SolvedSteps.tsx";

const FOLLOWED: readonly SessionChange[] = ["state"];

/** The default profile, a week. */
const WEEK = "synthetic 168";

/** A series of exact solves, from a synthetic profile or one of a file or notebook: run, cancel, results. */
export function SeriesSection({ session }: { session: CaseSession }): ReactElement {
  const { seriesRun: run, profiles, series } = session;
  useSignal(run.changed);
  useSignal(profiles.changed);
  useSession(session, FOLLOWED);
  const [chosen, setChosen] = useState<string | null>(null);
  const [problem, setProblem] = useState("");
  const { state } = run;
  const { given } = profiles;
  const running = state.kind === "running";
  const latest = given.at(-1);
  const choice = chosen ?? (latest === undefined ? WEEK : `given ${latest.name}`);
  const solve = async (): Promise<void> => {
    setProblem("");
    try {
      const profile = await profileOf(session, choice);
      const { live } = session;
      await run.run(profile);
      const idle = session.showsLive && session.previewMw === null; // no drag, and the live state is displayed
      const current = run.isOf(live.edits) && session.live.revision === live.revision;
      if (run.series?.profile === profile && idle && current) {
        series.show(run.series, 0);
      }
    } catch (error) {
      setProblem(errorText(error, session.opened));
    }
  };
  const open = async (): Promise<void> => {
    setProblem("");
    for (const file of await chooseFiles(".csv,.txt")) {
      try {
        const profile = await profiles.readFile(file.name, new Uint8Array(await file.arrayBuffer()));
        setChosen(`given ${profile.name}`);
      } catch (error) {
        setProblem(trans.__("%1: %2", file.name, errorText(error, session.opened)));
      }
    }
  };
  return (
    <div className="wb-Outages wb-Series" data-state={state.kind}>
      <div className="wb-Run-controls">
        <select
          aria-label={trans.__("Demand profile")}
          value={choice}
          onChange={({ target }) => setChosen(target.value)}
        >
          {SYNTHETIC_HOURS.map((hours) => (
            <option key={hours} value={`synthetic ${hours}`}>
              {syntheticName(hours)}
            </option>
          ))}
          {given.map(({ name, steps }) => (
            <option key={name} value={`given ${name}`}>
              {trans._n("%2, %3 step", "%2, %3 steps", steps.length, name, formatCount(steps.length))}
            </option>
          ))}
        </select>
        <button type="button" className="wb-Button" onClick={() => void open()}>
          {trans.__("Open CSV\u2026")}
        </button>
      </div>
      <div className="wb-Run-controls">
        <button type="button" className="wb-Button" disabled={running} onClick={() => void solve()}>
          {trans.__("Solve the series")}
        </button>
        <RunProgress run={run} label={trans.__("Steps solved")} />
      </div>
      {running ? <p className="wb-Panel-hint">{progressText(state)}</p> : null}
      <p role="status" className={problem !== "" || state.kind === "failed" ? "wb-mod-failed" : undefined}>
        {problem !== "" ? problem : words(session)}
      </p>
      {state.kind === "done" && !run.isOf(session.live.edits) ? (
        <p className="wb-Run-old">{trans.__("This series belongs to the state before the last change.")}</p>
      ) : null}
      {state.kind === "done" ? <SolvedSteps session={session} series={state.series} /> : null}
    </div>
  );
}

function profileOf({ profiles }: CaseSession, choice: string): Promise<Profile> {
  const given = profiles.given.find(({ name }) => choice === `given ${name}`);
  return given === undefined ? profiles.synthetic(Number(choice.split(" ")[1])) : Promise.resolve(given);
}

function progressText({ profile, solved, failed }: { profile: Profile; solved: number; failed: number }): string {
  const of = trans.__("%1 of %2 steps", formatCount(solved), formatCount(profile.steps.length));
  return failed === 0 ? of : trans.__("%1, %2 without a solution", of, formatCount(failed));
}

/** Text of the live region: start and end only, not every step. */
function words({ seriesRun: { state } }: CaseSession): string {
  switch (state.kind) {
    case "none":
      return trans.__(
        "Each step of a demand profile is solved exactly. The profile replaces the demand of its buses; other edits stay.",
      );
    case "running":
      return trans.__("Solving\u2026");
    case "failed":
      return state.message;
    case "done": {
      const { series } = state;
      const [count, total] = [formatCount(series.length), formatCount(series.profile.steps.length)];
      const failed = series.failures.length;
      const took = formatDuration(series.ms);
      const solved =
        series.length < series.profile.steps.length
          ? trans.__("Cancelled after %1 of %2 steps, in %3.", count, total, took)
          : trans._n("%2 step solved in %3.", "%2 steps solved in %3.", series.length, count, took);
      return failed === 0
        ? trans.__("%1 Each is exact and certified.", solved)
        : trans._n("%2 %3 step has no solution.", "%2 %3 steps have no solution.", failed, solved, formatCount(failed));
    }
  }
}
