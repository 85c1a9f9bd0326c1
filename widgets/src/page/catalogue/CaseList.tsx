import { DEFAULT_FORMULATION } from "@service/engine";
import type { ReactElement } from "react";
import { FilesSection } from "../../panel/FilesSection.tsx";
import { useSignal } from "../../ui/useSignal.ts";
import { formatCount, formulationName, trans } from "../../text/index.ts";
import type { FileIntake } from "../../workspace/index.ts";
import type { Catalogue } from "./catalogue.ts";
import { type CaseService, type CaseSummary, unavailableText } from "./caseService.ts";
import { FirstPictureView } from "../documents/FirstPictureView.tsx";
import { StoredStudyList } from "../storage/StoredStudyList.tsx";
import type { StoredStudies } from "../storage/storedStudies.ts";
import type { Navigation } from "../address/navigation.ts";
import { PageLink } from "../address/PageLink.tsx";
import type { PageTheme } from "../frame/themeChoice.ts";

/** Licences of the bundled software and data; the build puts the file beside the page. */
const NOTICES = "./THIRD-PARTY-NOTICES.txt";

/** Properties of the case list. */
export interface CaseListProps {
  service: CaseService;
  catalogue: Catalogue;
  stored: StoredStudies;
  navigation: Navigation;
  intake: FileIntake;
  theme: PageTheme;
  open: (summary: CaseSummary) => void;
  openFiles: () => void;
}

/** The start of the page: the cases of the server, stored Studies, and a button for files. */
export function CaseList(props: CaseListProps): ReactElement {
  useSignal(props.catalogue.changed);
  useSignal(props.navigation.changed);
  const { problem } = props.navigation;
  return (
    <div className="wb-Page-list">
      <div className="wb-Page-column">
        <h1>{trans.__("Where does a price come from?")}</h1>
        <p className="wb-Page-lead">
          {trans.__(
            "Open a grid and see its locational prices. Click a bus, drag its demand, and every price follows; let go, and the exact optimum is solved in this page.",
          )}
        </p>
        {problem !== null && (
          <p className="wb-Page-problem" role="alert">
            {problem}
          </p>
        )}
        <div className="wb-Panel-root wb-Page-report">
          <FilesSection intake={props.intake} />
        </div>
        <StoredStudyList stored={props.stored} />
        <ServedCases {...props} />
        <section className="wb-Page-own" aria-labelledby="own-files">
          <h2 id="own-files">{trans.__("Your own files")}</h2>
          <p>
            {trans.__(
              "Drop them anywhere on this page: cases (.m, .raw, .rawx, .aux, .pwb, .epc, .cdf, .uct, .xiidm, .zip and .xml of CGMES, .json), feeders (.dss), Studies (.study.json), coordinates (.csv, .json, .geojson), drawings (.pwd) and lists of outages (.con, .sub, .mon, .aux, .csv), in any order. They are read and solved in this page and never uploaded.",
            )}
          </p>
          <button type="button" className="wb-Button" onClick={props.openFiles}>
            {trans.__("Open case files\u2026")}
          </button>
        </section>
        <p className="wb-Page-legal">
          <a href={NOTICES} target="_blank" rel="noreferrer">
            {trans.__("Third-party licences")}
          </a>
        </p>
      </div>
    </div>
  );
}

function ServedCases(props: CaseListProps): ReactElement {
  const { state } = props.catalogue;
  return (
    <section aria-labelledby="served-cases" aria-busy={state.kind === "loading"}>
      <h2 id="served-cases">{trans.__("Cases of this server")}</h2>
      {state.kind === "loading" && <p role="status">{trans.__("Asking the server for its cases\u2026")}</p>}
      {state.kind === "failed" && (
        <div className="wb-Page-problem" role="alert">
          <p>
            {state.message}{" "}
            {state.code === "SERVICE.UNREACHABLE"
              ? trans.__(
                  "Start it with wattbook-server serve, or check the connection. Open cases and your own files keep working.",
                )
              : trans.__("You can still open your own files.")}
          </p>
          <button type="button" className="wb-Button" onClick={() => void props.catalogue.load()}>
            {trans.__("Try again")}
          </button>
        </div>
      )}
      {state.kind === "ready" &&
        (state.cases.length === 0 ? (
          <p>{trans.__("This server has no cases. Open a file of your own below.")}</p>
        ) : (
          <ul className="wb-Page-cases">
            {state.cases.map((summary) => (
              <CaseCard key={summary.id} summary={summary} {...props} />
            ))}
          </ul>
        ))}
    </section>
  );
}

function CaseCard({ summary, service, theme, open }: CaseListProps & { summary: CaseSummary }): ReactElement {
  const { id, name, description, synthetic } = summary;
  const reason = unavailableText(summary);
  return (
    <li className="wb-Page-case" data-case={id} data-available={reason === null}>
      {reason === null && <FirstPictureView service={service} id={id} theme={theme} />}
      <div className="wb-Page-case-words">
        <h3>
          {reason === null ? (
            <PageLink to={{ kind: "case", id }} go={() => open(summary)}>
              {name}
            </PageLink>
          ) : (
            name
          )}
        </h3>
        <p className="wb-Page-case-sizes">
          {trans.__(
            "%1 buses, %2 lines, %3 generators",
            formatCount(summary.n_bus),
            formatCount(summary.n_branch),
            formatCount(summary.n_gen),
          )}
        </p>
        <p>{description}</p>
        {reason !== null && <p className="wb-Page-case-reason">{trans.__("Cannot be opened: %1", reason)}</p>}
        <p className="wb-Page-case-marks">
          {reason === null && <span>{formulationName(DEFAULT_FORMULATION)}</span>}
          {synthetic === true && <span>{trans.__("Synthetic network")}</span>}
        </p>
      </div>
    </li>
  );
}
