import { trans } from "../../text/index.ts";
import { BasemapError } from "./basemapError.ts";
import { serverOf } from "./basemapChoice.ts";

/** Time to wait for the event of a policy violation, which follows the failed request, ms. */
const VIOLATION_MS = 100;

/** Whether an error is that of a request without a readable response. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof TypeError;
}

/**
 * Why a request had no readable response, found by repeating it: the policy of the page forbids it, nobody answers, or
 * the server does not permit this page to read the answer.
 */
export async function unanswered(url: string): Promise<BasemapError> {
  const server = serverOf(url) ?? url;
  let isForbidden = false;
  const heard = ({ blockedURI, disposition }: SecurityPolicyViolationEvent): void => {
    isForbidden ||= disposition === "enforce" && serverOf(blockedURI) === server;
  };
  document.addEventListener("securitypolicyviolation", heard);
  try {
    await fetch(url, { mode: "no-cors", credentials: "omit", cache: "no-store" });
    return new BasemapError(
      "BASEMAP.CORS",
      trans.__("%1 does not let other sites read it (no CORS header in its answers).", server),
    );
  } catch (cause) {
    await new Promise((resolve) => setTimeout(resolve, VIOLATION_MS));
    return isForbidden
      ? new BasemapError(
          "BASEMAP.POLICY",
          trans.__(
            "This page may not ask %1: the operator of its server must name %1 in SERVICE_BASEMAP_ORIGINS.",
            server,
          ),
          { cause },
        )
      : new BasemapError("BASEMAP.UNREACHABLE", trans.__("%1 cannot be reached.", server), { cause });
  } finally {
    document.removeEventListener("securitypolicyviolation", heard);
  }
}
