import { englishMessage, type ErrorBody, type Message, SERVICE_MESSAGES, type ValuesOf } from "@service/engine/node";

import type { ErrorReply } from "./schemas.ts";

/**
 * An error for a client: `{"error", "code", "sentence"}` with this status and these headers. `error` is the English
 * text of `sentence`, a message of the engine's catalogue that a page can translate.
 * Constructors for each situation of docs/contract.md, section 1, follow.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly statusCode: number;
  readonly code: string;
  readonly sentence: Message;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    statusCode: number,
    code: string,
    sentence: Message,
    headers: Record<string, string> = {},
    options?: ErrorOptions,
  ) {
    super(englishMessage(sentence), options);
    this.statusCode = statusCode;
    this.code = code;
    this.sentence = sentence;
    this.headers = headers;
  }

  /** The body of the answer. */
  toBody(): ErrorReply {
    return { error: this.message, code: this.code, sentence: this.sentence };
  }
}

type ServiceKey = keyof typeof SERVICE_MESSAGES;

/** A message of the server. */
export function serviceMessage<K extends ServiceKey>(key: K, values: ValuesOf<(typeof SERVICE_MESSAGES)[K]>): Message {
  return Object.keys(values).length === 0 ? { key } : { key, values };
}

/** Seconds after which a client may try again when no solver was free in time. */
const RETRY_SECS = 5;
const RETRY = { "retry-after": String(RETRY_SECS) };

export const computeDisabled = () =>
  new ServiceError(403, "COMPUTE.DISABLED", serviceMessage("service.compute_disabled", {}));

export const forbidden = () => new ServiceError(403, "SERVICE.FORBIDDEN", serviceMessage("service.forbidden", {}));

export const unknownCase = (id: string) =>
  new ServiceError(404, "CASE.UNKNOWN", serviceMessage("service.unknown_case", { case: { text: quoted(id) } }));

/** The key, in the path of a request or in its edits, matches no bus. */
export const unknownBus = (key: string, status = 404, code = "BUS.UNKNOWN") =>
  new ServiceError(status, code, { key: "edit.unknown_bus", values: { key: { text: quoted(key) } } });

/** The key matches no branch. */
export const unknownBranch = (key: string, status = 404, code = "BRANCH.UNKNOWN") =>
  new ServiceError(status, code, { key: "edit.unknown_branch", values: { key: { text: quoted(key) } } });

export const unknownRoute = () => new ServiceError(404, "ROUTE.UNKNOWN", serviceMessage("service.unknown_route", {}));

export const methodNotAllowed = () =>
  new ServiceError(405, "METHOD.NOT_ALLOWED", serviceMessage("service.method", {}), { allow: "GET, HEAD" });

export const unknownHost = (host: string) =>
  new ServiceError(421, "HOST.UNKNOWN", serviceMessage("service.unknown_host", { host: { text: quoted(host) } }));

export const hostMissing = () => new ServiceError(400, "HOST.MISSING", serviceMessage("service.no_host", {}));

export const hostTwice = () => new ServiceError(400, "REQUEST.MALFORMED", serviceMessage("service.host_twice", {}));

export const urlTooLong = () => new ServiceError(414, "REQUEST.TOO_LONG", serviceMessage("service.url_too_long", {}));

export const headTooLong = () => new ServiceError(431, "REQUEST.TOO_LONG", serviceMessage("service.head_too_long", {}));

export const requestTimeout = () =>
  new ServiceError(408, "REQUEST.TIMEOUT", serviceMessage("service.request_timeout", {}));

export const notHttp = () => new ServiceError(400, "REQUEST.MALFORMED", serviceMessage("service.not_http", {}));

/** An error that the framework raises, in its own words. */
export const refused = (status: number, cause: string) =>
  new ServiceError(status, "REQUEST.MALFORMED", serviceMessage("service.refused", { cause: { text: cause } }));

export const badQuery = (code: string, sentence: Message) => new ServiceError(400, code, sentence);

export const rateLimited = (seconds: number) =>
  new ServiceError(429, "RATE.LIMITED", serviceMessage("service.rate_limited", { seconds: { count: seconds } }));

export const solveTimeout = (seconds: number) =>
  new ServiceError(
    503,
    "SOLVE.TIMEOUT",
    serviceMessage("service.solve_timeout", { seconds: { text: String(seconds) } }),
    RETRY,
  );

export const unavailableCase = (id: string, reason: Message) =>
  new ServiceError(
    503,
    "CASE.UNAVAILABLE",
    serviceMessage("service.case_unavailable", { case: { text: quoted(id) }, reason: { message: reason } }),
  );

export const stopping = () => new ServiceError(503, "SERVICE.STOPPING", serviceMessage("service.stopping", {}), RETRY);

/** The queue for solver threads is full. */
export const solverBusy = (waiting: number) =>
  new ServiceError(
    503,
    "SOLVE.TIMEOUT",
    serviceMessage("service.busy", { waiting: { count: waiting }, seconds: { count: RETRY_SECS } }),
    RETRY,
  );

/** `cause` is for the log only. */
export const internal = (cause?: unknown) =>
  new ServiceError(500, "INTERNAL", serviceMessage("service.internal", {}), {}, { cause });

/** An error of the engine as the client sees it. Codes that are the server's own fault become `INTERNAL`. */
export function fromEngine(error: ErrorBody): ServiceError {
  const status = engineStatus(error.code);
  return status === 500 ? internal(error) : new ServiceError(status, error.code, error.sentence);
}

function engineStatus(code: string): number {
  if (code.startsWith("SOLVE.") || code.startsWith("PHYSICS.")) return 422;
  if (/^(DELTA|RATE|EDIT)\./.test(code)) return 400;
  if (code === "BUS.UNKNOWN" || code === "BRANCH.UNKNOWN") return 404;
  return 500;
}

/** A name from outside for use in a message: shortened, without control characters. */
export function quoted(name: string): string {
  const clean = name.replace(/\p{C}/gu, "");
  return `"${clean.length > 64 ? `${clean.slice(0, 64)}...` : clean}"`;
}
