/** Certificates in plain words. */

import type {
  Certificate,
  MessageValue,
  PowerFlowCertificate,
  PowerFlowReport,
  PowerFlowStart,
  Solution,
} from "@service/engine";
import { messageText } from "../messages.ts";
import { formatMoney, formatMw, formatResidual } from "../numbers.ts";
import type { Namer } from "../namer.ts";
import { trans } from "../translation.ts";

/** One line of a certificate in plain words. */
export interface CertificateLine {
  term: string;
  meaning: string;
}

/** The certificate of an optimum or of a power flow, in plain words. */
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

/** The accuracy of a result in a status, as short as possible: `residual 1e-9 MW`, `mismatch 1e-9 MW`. */
export function residualText({ certificate }: Pick<Solution, "certificate">): string {
  return isOfPowerFlow(certificate)
    ? trans.__("mismatch %1 MW", formatResidual(certificate.mismatch_mw))
    : trans.__("residual %1 MW", formatResidual(certificate.primal_residual_mw));
}

/** The meaning of that number. */
export function residualMeaning({ certificate }: Pick<Solution, "certificate">): string {
  return isOfPowerFlow(certificate)
    ? trans.__("The mismatch is the largest difference between power in and power out at a bus.")
    : trans.__("The residual is the largest difference between power in and power out at a bus.");
}

function optimumLines(certificate: Certificate, objective: number, namer: Namer): CertificateLine[] {
  return [
    {
      term: trans.__("Objective"),
      meaning:
        certificate.cone_violation === undefined
          ? trans.__("%1 $/h, the least cost that meets the demand.", formatMoney(objective))
          : trans.__("%1 $/h, a lower bound on the cost of AC optimal power flow.", formatMoney(objective)),
    },
    { term: trans.__("Balance"), meaning: balanceText(certificate.primal_residual_mw, certificate, namer) },
    { term: trans.__("Limits"), meaning: violationText(certificate, namer) },
    {
      term: trans.__("Prices"),
      meaning: formatted(
        "certificate.stationarity",
        { residual: residual(certificate.stationarity_usd_per_mwh, "$/MWh") },
        namer,
      ),
    },
    {
      term: trans.__("Complementarity"),
      meaning: formatted(
        "certificate.complementarity",
        { residual: residual(certificate.complementarity_usd_per_h, "$/h") },
        namer,
      ),
    },
    {
      term: trans.__("Optimality"),
      meaning: formatted(
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

/** Further checks of a relaxation. */
function conicLines(certificate: Certificate, namer: Namer): CertificateLine[] {
  const { flow_error_mva, cone_violation, voltage_violation_pu, angle_violation_rad } = certificate;
  const within = (term: string, size: number | undefined, unit: string, met: string, key: string): CertificateLine[] =>
    size === undefined
      ? []
      : [
          {
            term,
            meaning: size <= 0 ? formatted(met, {}, namer) : formatted(key, { violation: residual(size, unit) }, namer),
          },
        ];
  return [
    ...(flow_error_mva === undefined
      ? []
      : [
          {
            term: trans.__("Flows"),
            meaning: formatted("certificate.products", { residual: residual(flow_error_mva, "MVA") }, namer),
          },
        ]),
    ...within(trans.__("Cones"), cone_violation, "", "certificate.no_cone", "certificate.cone"),
    ...within(trans.__("Voltage limits"), voltage_violation_pu, "pu", "certificate.no_voltage", "certificate.voltage"),
    ...within(trans.__("Angle limits"), angle_violation_rad, "rad", "certificate.no_angle", "certificate.angle"),
  ];
}

function powerFlowLines(certificate: PowerFlowCertificate, solution: Solution, namer: Namer): CertificateLine[] {
  const { slack, power_flow: report } = solution;
  return [
    { term: trans.__("Balance"), meaning: balanceText(certificate.mismatch_mw, certificate, namer) },
    ...acLines(certificate, namer),
    ...slackLines(slack, namer),
    ...(report === undefined ? [] : reportLines(report, namer)),
    { term: trans.__("Limits"), meaning: formatted("power_flow.ratings", {}, namer) },
  ];
}

function violationText({ worst_violation_mw: size, worst_element: element }: Certificate, namer: Namer): string {
  if (size <= 0) {
    return formatted("certificate.no_violation", {}, namer);
  }
  const violation = residual(size, "MW");
  return element
    ? formatted("certificate.violation_worst", { violation, element: { element } }, namer)
    : formatted("certificate.violation", { violation }, namer);
}

function balanceText(
  imbalance: number,
  { mismatch_mvar, worst_bus }: Pick<PowerFlowCertificate, "mismatch_mvar" | "worst_bus">,
  namer: Namer,
): string {
  const active = residual(imbalance, "MW");
  const bus = worst_bus === undefined ? null : { element: { kind: "bus", id: worst_bus } };
  if (mismatch_mvar === undefined) {
    return bus === null
      ? formatted("certificate.balance", { residual: active }, namer)
      : formatted("certificate.balance_worst", { residual: active, bus }, namer);
  }
  const reactive = residual(mismatch_mvar, "MVAr");
  return bus === null
    ? formatted("certificate.balances", { active, reactive }, namer)
    : formatted("certificate.balances_worst", { active, reactive, bus }, namer);
}

/** A message of the engine's catalogue, which Python uses as well. */
function formatted(key: string, values: Record<string, MessageValue>, namer: Namer): string {
  return messageText({ key, values }, namer);
}

function residual(value: number, unit: string): MessageValue {
  return { number: { value, text: `${formatResidual(value)} ${unit}`.trimEnd() } };
}

/** Further checks of an AC power flow. */
function acLines(certificate: PowerFlowCertificate, namer: Namer): CertificateLine[] {
  const { flow_error_mva, set_point_error_pu, reactive_violation_mvar, wrong_side_pu } = certificate;
  const line = (term: string, key: string, name: string, value: number | undefined, unit: string): CertificateLine[] =>
    value === undefined ? [] : [{ term, meaning: formatted(key, { [name]: residual(value, unit) }, namer) }];
  return [
    ...line(trans.__("Flows"), "certificate.flows", "residual", flow_error_mva, "MVA"),
    ...line(trans.__("Set-points"), "certificate.set_points", "residual", set_point_error_pu, "pu"),
    ...line(trans.__("Reactive limits"), "certificate.reactive_limits", "violation", reactive_violation_mvar, "MVAr"),
    ...line(trans.__("Voltages"), "certificate.set_point_sides", "residual", wrong_side_pu, "pu"),
  ];
}

/** How an AC power flow was solved, and which of its limits were enforced. */
function reportLines(report: PowerFlowReport, namer: Namer): CertificateLine[] {
  const { start, steps, dispatch, reactive_limits, limited_buses } = report;
  const values = { count: { count: steps }, start: { message: { key: STARTS[start] } } };
  const limited: Record<string, MessageValue> =
    reactive_limits === "kept" ? { count: { count: limited_buses.length } } : {};
  return [
    { term: trans.__("Solution"), meaning: formatted("power_flow.solved", values, namer) },
    { term: trans.__("Dispatch"), meaning: formatted(DISPATCHES[dispatch], {}, namer) },
    { term: trans.__("Reactive limits"), meaning: formatted(REACTIVE_LIMITS[reactive_limits], limited, namer) },
  ];
}

const STARTS: Record<PowerFlowStart, string> = {
  stored: "power_flow.start_stored",
  harmonic: "power_flow.start_harmonic",
  dc_angles: "power_flow.start_dc_angles",
  flat: "power_flow.start_flat",
  held_magnitudes: "power_flow.start_held_magnitudes",
  reactive_continuation: "power_flow.start_reactive_continuation",
  load_continuation: "power_flow.start_load_continuation",
  base: "power_flow.start_base",
};

const DISPATCHES: Record<PowerFlowReport["dispatch"], string> = {
  file: "power_flow.dispatch_file",
  dcopf: "power_flow.dispatch_dcopf",
};

const REACTIVE_LIMITS: Record<PowerFlowReport["reactive_limits"], string> = {
  ignored: "power_flow.limits_ignored",
  kept: "power_flow.limits_kept",
  not_kept: "power_flow.limits_not_kept",
};

/** The power that the reference of each island adds to the dispatch. */
function slackLines(slack: Solution["slack"] = [], namer: Namer): CertificateLine[] {
  const sentences = slack.map(({ bus, value }) => {
    const added = { number: { value, text: `${formatMw(value, { signed: true })} MW` } };
    return formatted("power_flow.slack", { bus: { element: { kind: "bus", id: bus } }, added }, namer);
  });
  return sentences.length === 0 ? [] : [{ term: trans.__("Slack"), meaning: sentences.join(" ") }];
}
