/**
 * An error that a client is told about: `{"error": "<sentence>", "code": "<STABLE.CODE>"}` with this status and these headers.
 * Constructors for each situation of docs/contract.md, section 1 follow.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly statusCode: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    statusCode: number,
    code: string,
    message: string,
    headers: Record<string, string> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.statusCode = statusCode;
    this.code = code;
    this.headers = headers;
  }
}

/** Seconds after which a client may try again when no solver was free in time. */
const RETRY_SECS = "5";

export const computeDisabled = () =>
  new ServiceError(
    403,
    "COMPUTE.DISABLED",
    "Solving is switched off on this server; SERVICE_SERVER_COMPUTE=1 enables it.",
  );

export const unknownCase = (id: string) => new ServiceError(404, "CASE.UNKNOWN", `There is no case ${quoted(id)}.`);

export const unknownBus = (key: string) => new ServiceError(404, "BUS.UNKNOWN", `The case has no bus ${quoted(key)}.`);

export const unknownBranch = (key: string) =>
  new ServiceError(404, "BRANCH.UNKNOWN", `The case has no branch ${quoted(key)}.`);

export const unknownRoute = () => new ServiceError(404, "ROUTE.UNKNOWN", "There is nothing at this address.");

export const methodNotAllowed = () =>
  new ServiceError(405, "METHOD.NOT_ALLOWED", "Only GET and HEAD exist here.", { allow: "GET, HEAD" });

export const unknownHost = (host: string) =>
  new ServiceError(
    421,
    "HOST.UNKNOWN",
    `This server does not answer to the host ${quoted(host)}; SERVICE_ALLOWED_HOSTS can name it.`,
  );

export const hostMissing = () => new ServiceError(400, "HOST.MISSING", "The request does not name its host.");

export const hostTwice = () => new ServiceError(400, "REQUEST.MALFORMED", "The request names its host twice.");

export const urlTooLong = () => new ServiceError(414, "REQUEST.TOO_LONG", "The address is longer than 8 KiB.");

export const badQuery = (code: string, message: string) => new ServiceError(400, code, message);

export const rateLimited = (seconds: number) =>
  new ServiceError(429, "RATE.LIMITED", `Too many requests: try again in ${seconds} s.`);

export const solveTimeout = (seconds: number) =>
  new ServiceError(503, "SOLVE.TIMEOUT", `The solve was not finished within ${seconds} s, waiting included.`, {
    "retry-after": RETRY_SECS,
  });

export const unavailableCase = (id: string, reason: string) =>
  new ServiceError(503, "CASE.UNAVAILABLE", `The case ${quoted(id)} is unavailable: ${reason}`);

export const stopping = () =>
  new ServiceError(503, "SERVICE.STOPPING", "The server is stopping.", { "retry-after": RETRY_SECS });

/** The line for solver threads is full. */
export const solverBusy = (waiting: number) =>
  new ServiceError(503, "SOLVE.TIMEOUT", `${waiting} solves are waiting already: try again in ${RETRY_SECS} s.`, {
    "retry-after": RETRY_SECS,
  });

/** `cause` is for the log only. */
export const internal = (cause?: unknown) =>
  new ServiceError(500, "INTERNAL", "The server failed on this request; its log says more.", {}, { cause });

/** An error of the engine as the client is told it. Codes that are the server's own fault become `INTERNAL`. */
export function fromEngine(error: { code: string; message: string }): ServiceError {
  const status = engineStatus(error.code);
  return status === 500 ? internal(error) : new ServiceError(status, error.code, error.message);
}

function engineStatus(code: string): number {
  if (code.startsWith("SOLVE.") || code.startsWith("PHYSICS.")) return 422;
  if (/^(DELTA|RATE|EDIT)\./.test(code)) return 400;
  if (code === "BUS.UNKNOWN" || code === "BRANCH.UNKNOWN") return 404;
  return 500;
}

/** A name from outside inside a sentence: shortened, without control characters. */
export function quoted(name: string): string {
  const clean = name.replace(/\p{C}/gu, "");
  return `"${clean.length > 64 ? `${clean.slice(0, 64)}...` : clean}"`;
}
