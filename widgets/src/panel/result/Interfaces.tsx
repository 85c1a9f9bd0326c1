import { type ReactElement, useId, useMemo, useState } from "react";
import { type InterfaceFlow, type InterfaceLimit, OPTIONS } from "@service/engine";
import { formatCount, formatMoney, formatMw, formatPower, parsePower, trans } from "../../text/index.ts";
import {
  type CaseSession,
  interfaceLines,
  InterfaceSlider,
  type IWorkspace,
  limitedInterfaces,
  type SessionChange,
} from "../../workspace/index.ts";
import { useSession } from "../../ui/useSignal.ts";
import { ElementLink } from "../sections/ElementLink.tsx";
import { SliderEntry } from "../sections/SliderEntry.tsx";
import { useAttempt } from "../sections/useAttempt.ts";

/** Excesses below this, MW, are rounding. */
export const LEAST_MW = 1e-6;

const FOLLOWED: readonly SessionChange[] = ["selection", "state"];

type TwoLimits = Pick<InterfaceLimit, "min_mw" | "max_mw">;
type Limit = keyof TwoLimits;

const LIMITS: readonly Limit[] = ["max_mw", "min_mw"];

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
  const limited = limitedInterfaces(options, state.edits);
  const solve = async (interfaces: readonly InterfaceLimit[]): Promise<void> => {
    const { limits, ...others } = options;
    // Limits of edits are those of the new options.
    const { interfaces: _edited, ...edits } = state.edits;
    await workspace.openOffer({
      opened: session.opened,
      formulation,
      options: interfaces.length === 0 ? others : { ...others, limits: { ...limits, interfaces: [...interfaces] } },
      edits,
    });
  };
  const flows = security?.interfaces ?? [];
  return (
    <>
      {flows.length === 0 ? null : <h4>{trans.__("Interfaces: %1", formatCount(flows.length))}</h4>}
      {flows.map((flow) => {
        const own = limited.find(({ name }) => name === flow.name);
        const change = (limits: { [One in Limit]?: number | undefined }): Promise<void> =>
          solve(limited.map((one) => (one === own ? { ...own, ...limits } : one)));
        return own === undefined ? null : (
          <div key={flow.name} className="wb-Interface">
            <button
              type="button"
              className="wb-Button wb-mod-link"
              onClick={() => void session.selectMany(interfaceLines(own, session.opened))}
            >
              {interfaceSentence(flow)}
            </button>
            {LIMITS.filter((limit) => own[limit] !== undefined).map((limit) => (
              <LimitRow
                key={limit}
                session={session}
                name={flow.name}
                limit={limit}
                clear={LIMITS.every((one) => own[one] !== undefined) ? () => change({ [limit]: undefined }) : undefined}
              />
            ))}
            <Limits
              session={session}
              label={trans.__("Limits of %1", flow.name)}
              limits={LIMITS.filter((limit) => own[limit] === undefined)}
              title={trans.__("Solve")}
              solve={change}
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
            session={session}
            label={trans.__("Limits of the new interface")}
            limits={LIMITS}
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

/** The slider of a limit with its entry, and its reset; an empty entry removes the limit. */
function LimitRow({
  session,
  name,
  limit,
  clear,
}: {
  session: CaseSession;
  name: string;
  limit: Limit;
  clear: (() => Promise<void>) | undefined;
}): ReactElement {
  const [moving, setMoving] = useState<number | null>(null);
  const { problem, start } = useAttempt(session.opened);
  const slider = useMemo(() => new InterfaceSlider(session, name, limit, setMoving), [session, name, limit]);
  const at = moving ?? slider.committed;
  const isUpper = limit === "max_mw";
  const disabled = !session.showsLive;
  const isEdited = session.live.edits.interfaces?.[name]?.[limit] !== undefined;
  return (
    <div className="wb-SliderEntry wb-Interface-limit">
      <span>
        {isUpper ? trans.__("At most") : trans.__("At least")} <span className="wb-unit">MW</span>
      </span>
      <SliderEntry
        slider={slider}
        moving={moving}
        label={isUpper ? trans.__("Upper limit of %1, MW", name) : trans.__("Lower limit of %1, MW", name)}
        disabled={disabled}
        shown={formatMw(at)}
        spoken={formatPower(at, "MW")}
        parse={(text) => parsePower(text, "MW")}
        clear={clear && (() => start(clear))}
      />
      <button
        type="button"
        className="wb-Button"
        disabled={disabled || !isEdited}
        aria-label={
          isUpper ? trans.__("Reset the upper limit of %1", name) : trans.__("Reset the lower limit of %1", name)
        }
        onClick={() => void session.setInterface(name, { [limit]: undefined }).catch(() => undefined)}
      >
        {trans.__("Reset")}
      </button>
      <p className="wb-mod-failed" role="status">
        {problem}
      </p>
    </div>
  );
}

/** Fields of limits of an interface, of which an empty one is no limit. */
function Limits({
  session,
  label,
  limits,
  title,
  solve,
  remove,
}: {
  session: CaseSession;
  label: string;
  limits: readonly Limit[];
  title: string;
  solve(limits: TwoLimits): Promise<void>;
  remove?(): Promise<void>;
}): ReactElement {
  const [max, setMax] = useState("");
  const [min, setMin] = useState("");
  const { busy, problem, start, refuse } = useAttempt(session.opened);
  const problemId = useId();
  const apply = (): void => {
    const [upper, lower] = [max, min].map((text) => (text.trim() === "" ? undefined : parsePower(text, "MW")));
    if (upper === null || lower === null) {
      refuse(trans.__("A limit is a number of MW, or empty for no limit."));
    } else {
      start(() =>
        solve({ ...(lower !== undefined && { min_mw: lower }), ...(upper !== undefined && { max_mw: upper }) }),
      );
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
      {limits.includes("max_mw") ? <Field label={trans.__("At most")} text={max} set={setMax} /> : null}
      {limits.includes("min_mw") ? <Field label={trans.__("At least")} text={min} set={setMin} /> : null}
      {limits.length === 0 ? null : (
        <button type="submit" className="wb-Button" disabled={busy}>
          {title}
        </button>
      )}
      {remove === undefined ? null : (
        <button type="button" className="wb-Button" disabled={busy} onClick={() => start(remove)}>
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

/** `B`: the first letter that no interface has as its name. */
function firstFree(names: readonly string[]): string {
  return [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !names.includes(letter)) ?? String(names.length + 1);
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
