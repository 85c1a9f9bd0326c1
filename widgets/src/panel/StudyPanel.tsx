import { type ReactElement, useEffect, useMemo, useRef } from "react";
import { chooseFiles } from "../files/chooseFiles.ts";
import { DropZone } from "../files/dropZone.ts";
import { InspectionMark, listenUndoKeys, SeriesMark } from "../ui/index.ts";
import { type CaseSession, does, type IWorkspace, type SessionChange } from "../workspace/index.ts";
import { ActivitySection } from "./history/ActivitySection.tsx";
import { AgentSection } from "./agents/AgentSection.tsx";
import { ProposalSection } from "./agents/ProposalSection.tsx";
import { CaseSection } from "./CaseSection.tsx";
import { ChartsSection } from "./charts/ChartsSection.tsx";
import { CompareSection } from "./history/CompareSection.tsx";
import { EditSection } from "./edit/EditSection.tsx";
import { FilesSection } from "./FilesSection.tsx";
import { HistorySection } from "./history/HistorySection.tsx";
import type { OpenLarge } from "./sections/largeView.ts";
import { LoadabilitySection } from "./loadability/LoadabilitySection.tsx";
import { NetworkPanel } from "./NetworkPanel.tsx";
import { OpenSections, OpenSectionsContext, type PanelStorage } from "./sections/openSections.ts";
import { PlanSection } from "./plan/PlanSection.tsx";
import { OutageSection } from "./outages/OutageSection.tsx";
import { PriceSection } from "./price/PriceSection.tsx";
import { ResultSection } from "./result/ResultSection.tsx";
import { SeriesSection } from "./series/SeriesSection.tsx";
import { Section } from "./sections/Section.tsx";
import { TablesSection } from "./TablesSection.tsx";
import { useSession, useSignal, useSignalLater } from "../ui/useSignal.ts";
import { trans } from "../text/index.ts";

const STATE: readonly SessionChange[] = ["state"];

/** Props of the panel. */
export interface StudyPanelProps {
  workspace: IWorkspace;
  /** Opens a table large, for instance in a tab; without it tables stay in the panel. */
  openLarge?: OpenLarge;
  /** Stores which sections are open; by default the local storage of the page. */
  storage?: PanelStorage;
}

/** The Study panel: files, and the sections for the case map in front. Files can be dropped on it. */
export function StudyPanel({ workspace, openLarge, storage }: StudyPanelProps): ReactElement {
  useSignal(workspace.changed);
  const root = useRef<HTMLDivElement>(null);
  const sections = useMemo(() => new OpenSections(storage), [storage]);
  const { intake, active: session, network } = workspace;
  useEffect(() => {
    if (root.current === null) {
      return undefined;
    }
    const zone = new DropZone(root.current, (files) => void intake.take(files));
    return () => zone.dispose();
  }, [intake]);
  useEffect(
    () => (root.current === null ? undefined : listenUndoKeys(root.current, () => workspace.active)),
    [workspace],
  );
  return (
    <OpenSectionsContext.Provider value={sections}>
      <div className="wb-Panel-root" ref={root}>
        <FilesSection intake={intake} />
        {session !== null ? (
          <SessionPanel key={session.caseId} session={session} workspace={workspace} openLarge={openLarge} />
        ) : network !== null ? (
          <NetworkPanel network={network} workspace={workspace} />
        ) : (
          <EmptyPanel workspace={workspace} />
        )}
      </div>
    </OpenSectionsContext.Provider>
  );
}

function SessionPanel({
  session,
  workspace,
  openLarge,
}: {
  session: CaseSession;
  workspace: IWorkspace;
  openLarge?: OpenLarge | undefined;
}): ReactElement {
  useSession(session, STATE); // the sections depend on the formulation
  return (
    <div className="wb-Panel wb-mod-sections">
      <PanelHead session={session} />
      <ResultSection session={session} workspace={workspace} />
      <CaseSection session={session} workspace={workspace} />
      {session.capabilities.has("edits") ? <EditSection session={session} /> : null}
      {session.capabilities.has("lmp_components") ? <PriceSection session={session} /> : null}
      <CompareSection session={session} openLarge={openLarge} />
      <ProposalSection session={session} />
      {does(session.live.solution.formulation, "plans") ? <PlanSection session={session} /> : null}
      <HistorySection session={session} />
      <TablesSection session={session} openLarge={openLarge} />
      <ChartsSection session={session} />
      {session.capabilities.has("loadability") ? (
        <Section id="loadability" title={trans.__("Where voltages collapse")}>
          <LoadabilitySection session={session} />
        </Section>
      ) : null}
      {solvesSeries(session) ? (
        <Section id="series" title={trans.__("Series")}>
          <SeriesSection session={session} />
        </Section>
      ) : null}
      {session.capabilities.has("outages") ? (
        <Section id="outages" title={trans.__("N-1 outages")}>
          <OutageSection session={session} workspace={workspace} />
        </Section>
      ) : null}
      <ActivitySection session={session} />
      <AgentSection journal={workspace.journal} />
    </div>
  );
}

/** Whether series can be solved: in every formulation whose states can be edited. */
function solvesSeries({ live }: CaseSession): boolean {
  return does(live.solution.formulation, "edits");
}

/** The marks of a saved state or a step of a series that is displayed in place of the live state. */
function Inspecting({ session }: { session: CaseSession }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const marks = [new InspectionMark(session), new SeriesMark(session)];
    place.current?.append(...marks.map(({ node }) => node));
    return () => marks.forEach((mark) => mark.dispose());
  }, [session]);
  return <div ref={place} className="wb-Panel-inspecting" />;
}

/** Names the map that the panel follows, and its revision. */
function PanelHead({ session }: { session: CaseSession }): ReactElement {
  useSignalLater(session.history.changed);
  const { revision } = session.state;
  const { name, event } = session.history.current;
  const label = session.stepText(event);
  const title = revision === 0 ? (name ?? label) : trans.__("Revision %1: %2", revision, name ?? label);
  return (
    <header className="wb-Panel-head" data-case={session.caseId} data-revision={revision}>
      <h2>{session.caseName}</h2>
      <p title={title}>{title}</p>
      <Inspecting session={session} />
    </header>
  );
}

function EmptyPanel({ workspace }: { workspace: IWorkspace }): ReactElement {
  const open = async (): Promise<void> => {
    const files = await chooseFiles();
    if (files.length > 0) {
      await workspace.intake.take(files);
    }
  };
  return (
    <div className="wb-Panel wb-Panel-empty">
      <p>{trans.__("No map is open. Run a cell that ends with a study\u2019s map, or drop case files here.")}</p>
      <button type="button" className="wb-Button" onClick={() => void open()}>
        {trans.__("Open case files\u2026")}
      </button>
      <AgentSection journal={workspace.journal} />
    </div>
  );
}
