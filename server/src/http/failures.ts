// Every failure, including those of the framework, is answered as {"error", "code", "sentence"}.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { LogController } from "fastify";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from "fastify";
import type { ServerConfig } from "../config.ts";
import type { Admits } from "./admission.ts";
import {
  badQuery,
  forbidden,
  headTooLong,
  internal,
  methodNotAllowed,
  notHttp,
  refused,
  requestTimeout,
  serviceMessage,
  ServiceError,
  stopping,
  unknownRoute,
  urlTooLong,
} from "./errors.ts";
import { checkingHosts } from "./hosts.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const LONGEST_URL = 8192;
/** Largest size of request line and headers together; Node itself answers larger ones. */
const LONGEST_HEAD = 16_384;
/** How long a request may take to arrive. */
const ARRIVAL_SECS = 30;
/** Interval of the check for requests that have not arrived in time. */
const CHECK_MS = 1000;
/** How long a connection may be silent beyond the deadline of a solve. */
const SILENCE_SECS = 60;

/** Options of the Fastify instance: limits, and handlers for errors that arise before a route is found. */
export function instanceOptions(
  config: ServerConfig,
  admits: Admits = () => true,
): FastifyServerOptions & {
  http: {
    maxHeaderSize: number;
    requireHostHeader: boolean;
    headersTimeout: number;
    connectionsCheckingInterval: number;
  };
} {
  return {
    logger: config.logLevel === "silent" ? false : { level: config.logLevel },
    requestTimeout: ARRIVAL_SECS * 1000,
    // Longer than any answer takes, so that a client that neither sends nor receives is disconnected.
    connectionTimeout: (Math.ceil(config.solverTimeoutSecs) + SILENCE_SECS) * 1000,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    // Solving the base states of large cases takes long.
    pluginTimeout: 0,
    // `answerErrors` answers during shutdown.
    return503OnClosing: false,
    // Node would answer a request without a host with an empty body; `checkingHosts` gives the reason.
    http: {
      maxHeaderSize: LONGEST_HEAD,
      requireHostHeader: false,
      // By default Node allows a minute for headers, and checks only every half minute.
      headersTimeout: ARRIVAL_SECS * 1000,
      connectionsCheckingInterval: CHECK_MS,
    },
    routerOptions: { maxParamLength: LONGEST_URL },
    // Unknown query names are errors and must not be dropped.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
    // No hook runs before these.
    frameworkErrors: (error, request, reply) => answer(admits(request.headers) ? error : forbidden(), request, reply),
    clientErrorHandler: answerSocket,
  };
}

/**
 * Installs the answers for errors, unadmitted clients, unknown hosts and addresses, wrong methods, overlong addresses,
 * and for requests during shutdown.
 */
export function answerErrors(fastify: FastifyInstance, config: ServerConfig, admits: Admits): void {
  const checkHost = checkingHosts(config);
  let closing = false;
  fastify.addHook("preClose", async () => void (closing = true));
  fastify.addHook("onRequest", async (request) => {
    if (!admits(request.headers)) throw forbidden();
    if (closing) throw stopping();
    checkHost(request);
    if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed();
    if (request.raw.url !== undefined && request.raw.url.length > LONGEST_URL) throw urlTooLong();
  });
  // No hook runs before these two, to which Node would send an empty answer.
  const admitted = ({ headers }: IncomingMessage, error: ServiceError) => (admits(headers) ? error : forbidden());
  fastify.server.on("connect", (request: IncomingMessage, socket: Socket) =>
    endSocket(socket, admitted(request, methodNotAllowed())),
  );
  fastify.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const answered = admitted(request, refused(417, "The header Expect may be 100-continue only."));
    response.writeHead(answered.statusCode, {
      "content-type": JSON_TYPE,
      "cache-control": "no-store",
      connection: "close",
    });
    response.end(JSON.stringify(answered.toBody()));
  });
  fastify.setNotFoundHandler((request, reply) => answer(unknownRoute(), request, reply));
  fastify.setErrorHandler((error: FastifyError, request, reply) => answer(error, request, reply));
}

function answer(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const answered = asServiceError(error);
  if (answered.code === "INTERNAL")
    request.log.error({ err: error, route: request.routeOptions.url }, "request failed");
  reply.errorCode = answered.code;
  void reply
    .code(answered.statusCode)
    .header("cache-control", "no-store")
    .headers(answered.headers)
    .type(JSON_TYPE)
    .send(JSON.stringify(answered.toBody()));
}

/** Converts any error to one for the client. */
export function asServiceError(error: Error): ServiceError {
  if (error instanceof ServiceError) return error;
  const { code, validation, statusCode = 500 } = error as FastifyError;
  if (validation) return queryError(validation[0]);
  if (code === "FST_ERR_BAD_URL") return unknownRoute();
  if (statusCode >= 400 && statusCode < 500) return refused(statusCode, error.message);
  return internal();
}

/** Error codes for repeated query names. */
const TWICE: Readonly<Record<string, string>> = { d: "DELTA.MALFORMED", rates: "RATE.MALFORMED" };

type Violation = NonNullable<FastifyError["validation"]>[number];

/**
 * The error for a query that its schema rejects: an unknown name, a value outside the enumeration, or a repeated name.
 */
function queryError(violation: Violation | undefined): ServiceError {
  if (violation?.keyword === "additionalProperties") {
    const unknown = `"${String(violation.params["additionalProperty"])}"`;
    return badQuery("QUERY.UNKNOWN", serviceMessage("service.unknown_parameter", { name: { text: unknown } }));
  }
  const name = violation?.instancePath.slice(1) ?? "";
  if (violation?.keyword === "enum") {
    const choices = (violation.params["allowedValues"] as string[]).join(", ");
    return badQuery(
      "QUERY.MALFORMED",
      serviceMessage("service.parameter_choice", { name: { text: name }, choices: { text: choices } }),
    );
  }
  return badQuery(
    TWICE[name] ?? "QUERY.MALFORMED",
    serviceMessage("service.parameter_twice", { name: { text: name } }),
  );
}

const SOCKET_ANSWERS: Readonly<Record<string, () => ServiceError>> = {
  HPE_HEADER_OVERFLOW: headTooLong,
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout,
};

/** Answers what Node's parser rejects, before a request object exists. */
function answerSocket(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  endSocket(socket, (SOCKET_ANSWERS[error.code ?? ""] ?? notHttp)());
}

function endSocket(socket: Socket, answered: ServiceError): void {
  const body = JSON.stringify(answered.toBody());
  const headers = Object.entries(answered.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${answered.statusCode} ${STATUS_CODES[answered.statusCode]}\r\ncontent-type: ${JSON_TYPE}\r\n${headers.join("")}` +
      `cache-control: no-store\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
