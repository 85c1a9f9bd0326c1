import type { ReactElement } from "react";
import { downloadFile } from "../../files/download.ts";
import { formatMoney, formatPrice, trans, visibleJson } from "../../text/index.ts";
import type { AgentJournal, JournalRecord, PredictionCheck } from "../../workspace/index.ts";
import { Section } from "../sections/Section.tsx";
import { useSignalLater } from "../../ui/useSignal.ts";

/** The calls of agents in this page, and why tools could not be offered; empty if there is neither. */
export function AgentSection({ journal }: { journal: AgentJournal }): ReactElement | null {
  useSignalLater(journal.changed);
  const { records, problems, dropped } = journal;
  if (records.length === 0 && problems.length === 0) {
    return null;
  }
  return (
    <Section id="agents" title={trans.__("Agents")} open={problems.length > 0}>
      {problems.map((problem) => (
        <p key={problem} role="alert" className="wb-mod-failed">
          {problem}
        </p>
      ))}
      <ol className="wb-Activity" reversed tabIndex={0} aria-label={trans.__("Calls of agents, the latest first")}>
        {records.toReversed().map((record) => (
          <Call key={record.id} record={record} />
        ))}
      </ol>
      {dropped === 0 ? null : <p>{trans._n("%1 older call discarded", "%1 older calls discarded", dropped)}</p>}
      <button type="button" className="wb-Button" onClick={() => download(journal)}>
        {trans.__("Download the journal")}
      </button>
    </Section>
  );
}

function download(journal: AgentJournal): void {
  const text = `${visibleJson(journal.export())}\n`;
  downloadFile({ name: "wattbook-journal.json", bytes: new TextEncoder().encode(text) });
}

function Call({ record }: { record: JournalRecord }): ReactElement {
  const { tool, via, response, started_at: at, prediction_check: check } = record;
  return (
    <li data-kind="agent" data-failed={!response.ok}>
      <time dateTime={at}>{new Date(at).toTimeString().slice(0, 8)}</time>
      <span className="wb-Activity-label">{via === undefined ? tool : trans.__("%1, over MCP", tool)}</span>
      {response.ok ? null : (
        <span className="wb-Activity-result wb-mod-failed">
          {response.error.code}: {response.error.message}
        </span>
      )}
      {check === undefined ? null : <span className="wb-Activity-result">{checkText(check)}</span>}
    </li>
  );
}

/** A prediction beside the exact result. */
function checkText({ objective_change: cost, price_change: price }: PredictionCheck): string {
  const parts = [];
  if (cost !== undefined) {
    const [predicted, exact, error] = [cost.predicted, cost.exact, cost.absolute_error].map((usd) => formatMoney(usd));
    parts.push(trans.__("Cost: predicted %1, exact %2 $/h, error %3.", predicted ?? "", exact ?? "", error ?? ""));
  }
  if (price !== undefined) {
    const { predicted, exact, absolute_error: error, bus } = price;
    const [estimate, found, off] = [predicted, exact, error].map((usd) => formatPrice(usd));
    parts.push(
      trans.__("LMP at bus %4: predicted %1, exact %2 $/MWh, error %3.", estimate ?? "", found ?? "", off ?? "", bus),
    );
  }
  return parts.join(" ");
}
