/** Certificates in plain words. */

import type { Certificate, PowerFlowCertificate, Solution } from "@service/engine";
import { capitalised, formatMoney, formatMw, formatResidual } from "./numbers.ts";
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

function powerFlowLines(certificate: PowerFlowCertificate, { slack }: Solution, namer: Namer): CertificateLine[] {
  const { mismatch_mw, worst_bus } = certificate;
  const balance =
    worst_bus === undefined
      ? trans.__("At every bus, power in equals power out to %1 MW.", formatResidual(mismatch_mw))
      : trans.__(
          "At every bus, power in equals power out to %1 MW (worst: %2).",
          formatResidual(mismatch_mw),
          namer.nameOf("bus", worst_bus),
        );
  return [
    { term: trans.__("Balance"), meaning: balance },
    ...slackLines(slack, namer),
    {
      term: trans.__("Limits"),
      meaning: trans.__("A power flow keeps no ratings: see the loading of the lines."),
    },
  ];
}

/** What the reference of each island adds to the dispatch. */
function slackLines(slack: Solution["slack"] = [], namer: Namer): CertificateLine[] {
  const meaning = slack
    .map(({ bus, value }) =>
      trans.__("%1 adds %2 MW to its dispatch", namer.nameOf("bus", bus), formatMw(value, { signed: true })),
    )
    .join("; ");
  return meaning === "" ? [] : [{ term: trans.__("Slack"), meaning: `${capitalised(meaning)}.` }];
}
