/** Certificates in plain words. */

import type {
  Certificate,
  MessageValue,
  PowerFlowCertificate,
  PowerFlowReport,
  PowerFlowStart,
  Solution,
} from "@service/engine";
import { messageText } from "./messages.ts";
import { capitalised, formatCount, formatMoney, formatMw, formatResidual } from "./numbers.ts";
import type { Namer } from "./namer.ts";
import { trans } from "./translation.ts";

/** One line of a certificate in plain words. */
export interface CertificateLine {
  term: string;
  meaning: string;
}

/** The certificate of a result, of an optimum or of a power flow, in plain words. */
export function certificateLines(solution: Solution, namer: Namer): CertificateLine[] {
  const { certificate } = solution;
  return isOfPowerFlow(certificate)
    ? powerFlowLines(certificate, solution, namer)
    : optimumLines(certificate, solution.objective ?? NaN, namer);
}

/** Whether a certificate is that of a power flow. */
export function isOfPowerFlow(certificate: Solution["certificate"]): certificate is PowerFlowCertificate {
  return "mismatch_mw" in certificate;
}

/** What a status says of the accuracy of a result: `balance residual 1e-9 MW`, `mismatch 1e-9 MW`. */
export function residualText({ certificate }: Pick<Solution, "certificate">): string {
  return isOfPowerFlow(certificate)
    ? trans.__("mismatch %1 MW", formatResidual(certificate.mismatch_mw))
    : trans.__("balance residual %1 MW", formatResidual(certificate.primal_residual_mw));
}

/** What that number is of. */
export function residualMeaning({ certificate }: Pick<Solution, "certificate">): string {
  return isOfPowerFlow(certificate)
    ? trans.__("The mismatch is the largest difference between power in and power out at a bus.")
    : trans.__("The balance residual is the largest difference between power in and power out at a bus.");
}

function optimumLines(certificate: Certificate, objective: number, namer: Namer): CertificateLine[] {
  return [
    {
      term: trans.__("Objective"),
      meaning:
        certificate.cone_violation === undefined
          ? trans.__("%1 $/h, the least cost that meets the demand.", formatMoney(objective))
          : trans.__("%1 $/h, a lower bound of the cost of the AC optimal power flow.", formatMoney(objective)),
    },
    {
      term: trans.__("Balance"),
      meaning: told("certificate.balance", { residual: residual(certificate.primal_residual_mw, "MW") }, namer),
    },
    { term: trans.__("Limits"), meaning: violationText(certificate, namer) },
    {
      term: trans.__("Prices"),
      meaning: told(
        "certificate.stationarity",
        { residual: residual(certificate.stationarity_usd_per_mwh, "$/MWh") },
        namer,
      ),
    },
    {
      term: trans.__("Complementarity"),
      meaning: told(
        "certificate.complementarity",
        { residual: residual(certificate.complementarity_usd_per_h, "$/h") },
        namer,
      ),
    },
    {
      term: trans.__("Optimality"),
      meaning: told(
        "certificate.gap",
        {
          gap: residual(Math.abs(certificate.duality_gap_usd_per_h), "$/h"),
          share: residual(Math.abs(certificate.relative_gap), ""),
        },
        namer,
      ),
    },
    ...conicLines(certificate, namer),
  ];
}

/** What a relaxation is checked for besides. */
function conicLines(certificate: Certificate, namer: Namer): CertificateLine[] {
  const { mismatch_mvar, flow_error_mva, cone_violation, voltage_violation_pu, angle_violation_rad } = certificate;
  const line = (term: string, value: number | undefined, meaning: (size: number) => string): CertificateLine[] =>
    value === undefined ? [] : [{ term, meaning: meaning(value) }];
  return [
    ...line(trans.__("Reactive balance"), mismatch_mvar, (size) =>
      told("certificate.balance", { residual: residual(size, "MVAr") }, namer),
    ),
    ...line(trans.__("Flows"), flow_error_mva, (size) =>
      trans.__("Flows follow from the voltage products to %1 MVA.", formatResidual(size)),
    ),
    ...line(trans.__("Cones"), cone_violation, (size) =>
      size <= 0
        ? trans.__("No cone is exceeded.")
        : trans.__("No cone is exceeded by more than %1 of its size.", formatResidual(size)),
    ),
    ...line(trans.__("Voltage limits"), voltage_violation_pu, (size) =>
      size <= 0
        ? trans.__("No voltage limit is exceeded.")
        : trans.__("No voltage limit is exceeded by more than %1 p.u.", formatResidual(size)),
    ),
    ...line(trans.__("Angle limits"), angle_violation_rad, (size) =>
      size <= 0
        ? trans.__("No angle-difference limit is exceeded.")
        : trans.__("No angle-difference limit is exceeded by more than %1 rad.", formatResidual(size)),
    ),
  ];
}

function powerFlowLines(certificate: PowerFlowCertificate, solution: Solution, namer: Namer): CertificateLine[] {
  const { slack, power_flow: report } = solution;
  return [
    { term: trans.__("Balance"), meaning: balanceText(certificate, namer) },
    ...acLines(certificate, namer),
    ...slackLines(slack, namer),
    ...(report === undefined ? [] : reportLines(report)),
    {
      term: trans.__("Limits"),
      meaning: trans.__("A power flow does not keep ratings: lines may be loaded above theirs."),
    },
  ];
}

function violationText({ worst_violation_mw: size, worst_element: element }: Certificate, namer: Namer): string {
  if (size <= 0) {
    return told("certificate.no_violation", {}, namer);
  }
  const violation = residual(size, "MW");
  return element
    ? told("certificate.violation_worst", { violation, element: { element } }, namer)
    : told("certificate.violation", { violation }, namer);
}

function balanceText({ mismatch_mw, mismatch_mvar, worst_bus }: PowerFlowCertificate, namer: Namer): string {
  const active = residual(mismatch_mw, "MW");
  const bus = worst_bus === undefined ? null : { element: { kind: "bus", id: worst_bus } };
  if (mismatch_mvar === undefined) {
    return bus === null
      ? told("certificate.balance", { residual: active }, namer)
      : told("certificate.balance_worst", { residual: active, bus }, namer);
  }
  const reactive = residual(mismatch_mvar, "MVAr");
  return bus === null
    ? told("certificate.balances", { active, reactive }, namer)
    : told("certificate.balances_worst", { active, reactive, bus }, namer);
}

/** A sentence of the engine's catalogue, which Python tells as well. */
function told(key: string, values: Record<string, MessageValue>, namer: Namer): string {
  return messageText({ key, values }, namer);
}

function residual(value: number, unit: string): MessageValue {
  return { number: { value, text: `${formatResidual(value)} ${unit}`.trimEnd() } };
}

/** What an AC power flow is checked for besides. */
function acLines(certificate: PowerFlowCertificate, namer: Namer): CertificateLine[] {
  const { flow_error_mva, set_point_error_pu, reactive_violation_mvar } = certificate;
  const line = (term: string, key: string, name: string, value: number | undefined, unit: string): CertificateLine[] =>
    value === undefined ? [] : [{ term, meaning: told(key, { [name]: residual(value, unit) }, namer) }];
  return [
    ...line(trans.__("Flows"), "certificate.flows", "residual", flow_error_mva, "MVA"),
    ...line(trans.__("Set-points"), "certificate.set_points", "residual", set_point_error_pu, "p.u."),
    ...line(trans.__("Reactive limits"), "certificate.reactive_limits", "violation", reactive_violation_mvar, "MVAr"),
  ];
}

/** How an AC power flow was solved, and what of its limits was watched. */
function reportLines({ start, steps, dispatch, reactive_limits }: PowerFlowReport): CertificateLine[] {
  const solved = trans._n(
    "%2 Newton step from %3",
    "%2 Newton steps from %3",
    steps,
    formatCount(steps),
    STARTS[start](),
  );
  return [
    { term: trans.__("Solution"), meaning: `${solved}.` },
    {
      term: trans.__("Dispatch"),
      meaning: dispatch === "file" ? trans.__("That of the file.") : trans.__("That of the DC OPF of the base case."),
    },
    ...(reactive_limits === "kept"
      ? []
      : [
          {
            term: trans.__("Reactive limits"),
            meaning:
              reactive_limits === "ignored"
                ? trans.__("Not kept: generators hold their voltages whatever reactive power that takes.")
                : trans.__("No solution within the reactive limits was found; this one exceeds them."),
          },
        ]),
  ];
}

const STARTS: Record<PowerFlowStart, () => string> = {
  stored: () => trans.__("the voltages of the file"),
  harmonic: () => trans.__("the angles of a DC power flow"),
  held_magnitudes: () => trans.__("a solution with all magnitudes held"),
  reactive_continuation: () => trans.__("a path along which magnitudes are released"),
  load_continuation: () => trans.__("a path from an unloaded network"),
  base: () => trans.__("the solution of the base case"),
};

/** What the reference of each island adds to the dispatch. */
function slackLines(slack: Solution["slack"] = [], namer: Namer): CertificateLine[] {
  const meaning = slack
    .map(({ bus, value }) =>
      trans.__("%1 adds %2 MW to its dispatch", namer.nameOf("bus", bus), formatMw(value, { signed: true })),
    )
    .join("; ");
  return meaning === "" ? [] : [{ term: trans.__("Slack"), meaning: `${capitalised(meaning)}.` }];
}
