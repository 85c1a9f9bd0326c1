/** Certificates in plain words. */

import type { Certificate, PowerFlowCertificate, PowerFlowReport, PowerFlowStart, Solution } from "@service/engine";
import { capitalised, formatCount, formatMoney, formatMw, formatResidual } from "./numbers.ts";
import { elementName, type Namer } from "./sentences.ts";
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
  const worst = certificate.worst_element;
  const exceeded =
    certificate.worst_violation_mw <= 0
      ? trans.__("No limit is exceeded.")
      : worst
        ? trans.__(
            "No limit is exceeded by more than %1 MW (worst: %2).",
            formatResidual(certificate.worst_violation_mw),
            elementName(worst, namer),
          )
        : trans.__("No limit is exceeded by more than %1 MW.", formatResidual(certificate.worst_violation_mw));
  return [
    {
      term: trans.__("Objective"),
      meaning: trans.__("%1 $/h, the least cost that meets the demand.", formatMoney(objective)),
    },
    {
      term: trans.__("Balance"),
      meaning: trans.__(
        "At every bus, power in equals power out to %1 MW.",
        formatResidual(certificate.primal_residual_mw),
      ),
    },
    { term: trans.__("Limits"), meaning: exceeded },
    {
      term: trans.__("Prices"),
      meaning: trans.__(
        "Marginal costs and prices agree to %1 $/MWh.",
        formatResidual(certificate.stationarity_usd_per_mwh),
      ),
    },
    {
      term: trans.__("Complementarity"),
      meaning: trans.__(
        "Complementary slackness residual: %1 $/h.",
        formatResidual(certificate.complementarity_usd_per_h),
      ),
    },
    {
      term: trans.__("Optimality"),
      meaning: trans.__(
        "No dispatch is cheaper by more than %1 $/h (%2 of the objective).",
        formatResidual(Math.abs(certificate.duality_gap_usd_per_h)),
        formatResidual(Math.abs(certificate.relative_gap)),
      ),
    },
  ];
}

function powerFlowLines(certificate: PowerFlowCertificate, solution: Solution, namer: Namer): CertificateLine[] {
  const { slack, power_flow: report } = solution;
  return [
    { term: trans.__("Balance"), meaning: balanceText(certificate, namer) },
    ...acLines(certificate),
    ...slackLines(slack, namer),
    ...(report === undefined ? [] : reportLines(report)),
    {
      term: trans.__("Limits"),
      meaning: trans.__("A power flow does not keep ratings: lines may be loaded above theirs."),
    },
  ];
}

function balanceText({ mismatch_mw, mismatch_mvar, worst_bus }: PowerFlowCertificate, namer: Namer): string {
  const mw = formatResidual(mismatch_mw);
  const accuracy =
    mismatch_mvar === undefined
      ? trans.__("%1 MW", mw)
      : trans.__("%1 MW and %2 MVAr", mw, formatResidual(mismatch_mvar));
  return worst_bus === undefined
    ? trans.__("At every bus, power in equals power out to %1.", accuracy)
    : trans.__("At every bus, power in equals power out to %1 (worst: %2).", accuracy, namer.nameOf("bus", worst_bus));
}

/** What an AC power flow is checked for besides. */
function acLines(certificate: PowerFlowCertificate): CertificateLine[] {
  const { flow_error_mva, set_point_error_pu, reactive_violation_mvar } = certificate;
  const known: [term: string, value: number | undefined, meaning: (size: string) => string][] = [
    [
      trans.__("Flows"),
      flow_error_mva,
      (size) => trans.__("Flows follow from the voltages at both ends to %1 MVA.", size),
    ],
    [
      trans.__("Set-points"),
      set_point_error_pu,
      (size) => trans.__("Voltages that generators hold are at their set-points to %1 p.u.", size),
    ],
    [
      trans.__("Reactive limits"),
      reactive_violation_mvar,
      (size) => trans.__("No reactive limit is exceeded by more than %1 MVAr.", size),
    ],
  ];
  return known.flatMap(([term, value, meaning]) =>
    value === undefined ? [] : [{ term, meaning: meaning(formatResidual(value)) }],
  );
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
