import { type ReactElement, useId, useState } from "react";
import { type InterfaceFlow, type InterfaceLimit, OPTIONS } from "@service/engine";
import { errorText, formatCount, formatMoney, formatMw, parsePower, trans } from "../../text/index.ts";
import {
  type CaseSession,
  isCancelled,
  type IWorkspace,
  type Selection,
  type SessionChange,
} from "../../workspace/index.ts";
import { useSession } from "../../ui/useSignal.ts";
import { ElementLink } from "../sections/ElementLink.tsx";

/** Excesses below this, MW, are rounding. */
export const LEAST_MW = 1e-6;

const FOLLOWED: readonly SessionChange[] = ["selection", "state"];

interface InterfacesProps {
  session: CaseSession;
  workspace: IWorkspace;
}

/** The interfaces with their flows and limits, and a form for a new one over the selected lines; empty where a formulation has none. */
export function Interfaces({ session, workspace }: InterfacesProps): ReactElement | null {
  useSession(session, FOLLOWED);
  const { state, options } = session;
  const { formulation, security } = state.solution;
  if (!OPTIONS[formulation].includes("limits")) {
    return null;
  }
  const limited = options.limits?.interfaces ?? [];
  const solve = async (interfaces: readonly InterfaceLimit[]): Promise<void> => {
    const { limits, ...others } = options;
    await workspace.openOffer({
      opened: session.opened,
      formulation,
      options: interfaces.length === 0 ? others : { ...others, limits: { ...limits, interfaces: [...interfaces] } },
      edits: state.edits,
    });
  };
  const flows = security?.interfaces ?? [];
  return (
    <>
      {flows.length === 0 ? null : <h4>{trans.__("Interfaces: %1", formatCount(flows.length))}</h4>}
      {flows.map((flow) => {
        const own = limited.find(({ name }) => name === flow.name);
        return own === undefined ? null : (
          <div key={flow.name} className="wb-Interface">
            <button
              type="button"
              className="wb-Button wb-mod-link"
              onClick={() => void session.selectMany(linesOf(own, session))}
            >
              {interfaceSentence(flow)}
            </button>
            <Limits
              label={trans.__("Limits of %1", flow.name)}
              limits={own}
              title={trans.__("Solve")}
              solve={(changed) => solve(limited.map((one) => (one === own ? { ...own, ...changed } : one)))}
              remove={() => solve(limited.filter((one) => one !== own))}
            />
          </div>
        );
      })}
      <NewInterface
        session={session}
        names={limited.map(({ name }) => name)}
        solve={(added) => solve([...limited, added])}
      />
    </>
  );
}

/** A form for an interface over the selected lines, each in the direction of its flow unless it is reversed. */
function NewInterface({
  session,
  names,
  solve,
}: {
  session: CaseSession;
  names: readonly string[];
  solve(added: InterfaceLimit): Promise<void>;
}): ReactElement {
  const [reversed, setReversed] = useState<ReadonlySet<number>>(new Set());
  const [wanted, setName] = useState<string | null>(null);
  const { opened, selected, store } = session;
  const flows = store.columns.values("flow_mw");
  const lines = selected.flatMap(({ kind, id }) => {
    const row = kind === "branch" ? opened.branchRow(id) : -1;
    const flow = row < 0 ? NaN : (flows?.[row] ?? NaN);
    const weight = flow < 0 === reversed.has(id) ? 1 : -1;
    return Number.isFinite(flow) ? [{ id, row, weight, flow }] : [];
  });
  const usual = firstFree(names);
  const name = wanted ?? usual;
  const sum = lines.reduce((total, { weight, flow }) => total + weight * flow, 0);
  const turn = (id: number): void => {
    const now = new Set(reversed);
    if (!now.delete(id)) {
      now.add(id);
    }
    setReversed(now);
  };
  return (
    <details className="wb-Interface">
      <summary>{trans.__("Limit the flow over several lines")}</summary>
      {lines.length === 0 ? (
        <p>{trans.__("Select the lines of the interface on the map.")}</p>
      ) : (
        <>
          <ul className="wb-Panel-binding">
            {lines.map(({ id, row, weight, flow }) => {
              const { from = 0, to = 0 } = opened.branches[row] ?? {};
              const [sending, receiving] = weight > 0 ? [from, to] : [to, from];
              return (
                <li key={id}>
                  <ElementLink
                    session={session}
                    element={{ kind: "branch", id }}
                    text={trans.__(
                      "Line %1 from %2 to %3: %4 MW",
                      id,
                      opened.nameOf("bus", sending),
                      opened.nameOf("bus", receiving),
                      formatMw(weight * flow),
                    )}
                  />{" "}
                  <button type="button" className="wb-Button" onClick={() => turn(id)}>
                    {trans.__("Reverse")}
                  </button>
                </li>
              );
            })}
          </ul>
          <p>{trans.__("The flow over the interface is %1 MW.", formatMw(sum))}</p>
          <label className="wb-Interface-name">
            {trans.__("Name")}
            <input
              type="text"
              className="wb-Entry"
              value={name}
              aria-invalid={name.trim() === "" || names.includes(name)}
              onChange={({ target }) => setName(target.value)}
            />
          </label>
          <Limits
            label={trans.__("Limits of the new interface")}
            limits={{}}
            title={trans.__("Solve with this limit")}
            solve={(limits) =>
              solve({
                name: name.trim(),
                branches: lines.map(({ id, weight }) => ({ branch: id, weight })),
                ...limits,
              })
            }
          />
        </>
      )}
    </details>
  );
}

type TwoLimits = Pick<InterfaceLimit, "min_mw" | "max_mw">;

/** Fields of the two limits of an interface, of which an empty one is no limit. */
function Limits({
  label,
  limits,
  title,
  solve,
  remove,
}: {
  label: string;
  limits: TwoLimits;
  title: string;
  solve(limits: TwoLimits): Promise<void>;
  remove?(): Promise<void>;
}): ReactElement {
  const [max, setMax] = useState(String(limits.max_mw ?? ""));
  const [min, setMin] = useState(String(limits.min_mw ?? ""));
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const problemId = useId();
  const run = (work: () => Promise<void>): void => {
    setBusy(true);
    setProblem("");
    work()
      .catch((error: unknown) => {
        if (!isCancelled(error)) {
          setProblem(errorText(error));
        }
      })
      .finally(() => setBusy(false));
  };
  const apply = (): void => {
    const [upper, lower] = [max, min].map((text) => (text.trim() === "" ? undefined : parsePower(text, "MW")));
    if (upper === null || lower === null) {
      setProblem(trans.__("A limit is a number of MW, or empty for no limit."));
    } else {
      run(() => solve({ min_mw: lower, max_mw: upper }));
    }
  };
  return (
    <form
      className="wb-Interface-limits"
      aria-label={label}
      aria-describedby={problem === "" ? undefined : problemId}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Field label={trans.__("At most")} text={max} set={setMax} />
      <Field label={trans.__("At least")} text={min} set={setMin} />
      <button type="submit" className="wb-Button" disabled={busy}>
        {title}
      </button>
      {remove === undefined ? null : (
        <button type="button" className="wb-Button" disabled={busy} onClick={() => run(remove)}>
          {trans.__("Remove")}
        </button>
      )}
      <p id={problemId} className="wb-mod-failed" role="status">
        {problem}
      </p>
    </form>
  );
}

function Field({ label, text, set }: { label: string; text: string; set(text: string): void }): ReactElement {
  const isWrong = text.trim() !== "" && parsePower(text, "MW") === null;
  return (
    <label className="wb-MwEntry">
      {label}
      <input
        type="text"
        inputMode="decimal"
        className="wb-Entry"
        aria-invalid={isWrong}
        value={text}
        onChange={({ target }) => set(target.value)}
      />
      <span className="wb-unit">MW</span>
    </label>
  );
}

/** `Interface 2`: the first number that no interface has. */
function firstFree(names: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = trans.__("Interface %1", formatCount(number));
    if (!names.includes(name)) {
      return name;
    }
  }
}

/** The lines of an interface. */
function linesOf({ branches }: InterfaceLimit, { opened }: CaseSession): Selection[] {
  return branches.flatMap(({ branch }): Selection[] => {
    const line = opened.branches[opened.keyRow("branch", String(branch))];
    return line === undefined ? [] : [{ kind: "branch", id: line.id }];
  });
}

/** `North: 350.0 MW, at most 400.0 MW.`, `North: 400.0 MW, at most 400.0 MW; shadow price 35.70 $/MWh.` */
function interfaceSentence({ name, flow_mw, min_mw, max_mw, excess_mw, shadow_usd_per_mwh }: InterfaceFlow): string {
  const limits = [
    ...(min_mw === undefined ? [] : [trans.__("at least %1 MW", formatMw(min_mw))]),
    ...(max_mw === undefined ? [] : [trans.__("at most %1 MW", formatMw(max_mw))]),
  ].join(", ");
  const price = formatMoney(Math.abs(shadow_usd_per_mwh));
  const flow = formatMw(flow_mw);
  if (excess_mw >= LEAST_MW) {
    return trans.__(
      "%1: %2 MW, %3; exceeded by %4 MW, shadow price %5 $/MWh.",
      name,
      flow,
      limits,
      formatMw(excess_mw),
      price,
    );
  }
  return shadow_usd_per_mwh === 0
    ? trans.__("%1: %2 MW, %3.", name, flow, limits)
    : trans.__("%1: %2 MW, %3; shadow price %4 $/MWh.", name, flow, limits, price);
}
