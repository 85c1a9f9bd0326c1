/** The configuration from the environment, read and checked once at the start. */
export interface ServerConfig {
  host: string;
  port: number;
  /** Unix socket to listen on instead of host and port. */
  socket: string | undefined;
  /** Group that may open the socket in addition to its owner: a name or a number. */
  socketGroup: string | undefined;
  /** Host names of the server in lower case, besides `localhost` and IP addresses. */
  allowedHosts: readonly string[];
  /** Folder of staged cases. */
  data: string | undefined;
  /** Serve the bundled public benchmark cases when no data is staged. */
  allowFallback: boolean;
  /** Folder of the built page, served at `/`. */
  content: string | undefined;
  /** Origins from which maps of the page may load basemaps. */
  basemapOrigins: readonly string[];
  /** Whether the compute routes answer. */
  serverCompute: boolean;
  solverConcurrency: number;
  /** Time limit for waiting and solving together. */
  solverTimeoutSecs: number;
  /** Requests per window and client; 0 is unlimited. */
  solveRateLimitEvents: number;
  sensitivityRateLimitEvents: number;
  rateLimitWindowSecs: number;
  logLevel: LogLevel;
  /** Stop when standard input ends (set by the process that started this one and holds the other end of the pipe). */
  exitWithStdin: boolean;
  /** The first line of standard input is the secret of the Jupyter proxy; on a port every request needs it. */
  secretFromStdin: boolean;
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** An error that prevents the start and that the operator can correct: a variable, or the files that it names. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Variables with their meaning, for `--help`. */
export const VARIABLES: ReadonlyArray<readonly [name: string, meaning: string]> = [
  ["SERVICE_HOST", "address to listen on (127.0.0.1)"],
  ["SERVICE_PORT", "port to listen on (8000)"],
  ["SERVICE_SOCKET", "unix socket to listen on instead"],
  ["SERVICE_SOCKET_GROUP", "name or number of a group that may open the socket too, such as that of a proxy"],
  ["SERVICE_ALLOWED_HOSTS", "allowed host names, comma-separated, besides localhost and IP addresses"],
  ["SERVICE_DATA", "folder of staged cases"],
  ["SERVICE_ALLOW_FALLBACK", "1 serves two public benchmark cases if no data is staged"],
  ["SERVICE_CONTENT", "folder of the built page, served at /"],
  ["SERVICE_BASEMAP_ORIGINS", "origins that maps of the page may ask for basemaps, comma-separated"],
  ["SERVICE_SERVER_COMPUTE", "1 enables the sensitivity routes and the solve stream"],
  ["SERVICE_SOLVER_CONCURRENCY", "concurrent solves (2)"],
  ["SERVICE_SOLVER_TIMEOUT_SECS", "deadline of a solve, including its time in the queue (30)"],
  ["SERVICE_SOLVE_RATE_LIMIT_EVENTS", "solve requests per client and window, 0 for unlimited (5)"],
  ["SERVICE_SENSITIVITY_RATE_LIMIT_EVENTS", "sensitivity requests per client and window, 0 for unlimited (25)"],
  ["SERVICE_RATE_LIMIT_WINDOW_SECS", "length of the window (10)"],
  ["SERVICE_LOG_LEVEL", `${LOG_LEVELS.join(", ")} (info)`],
  ["SERVICE_EXIT_WITH_STDIN", "1 stops the server when its standard input ends"],
  ["SERVICE_SECRET_FROM_STDIN", "1 reads a secret from standard input, which every request on a port needs"],
];

type Env = Readonly<Record<string, string | undefined>>;

/** Reads the configuration, or throws a {@link ConfigError} that names the first malformed variable. */
export function readConfig(env: Env): ServerConfig {
  return {
    host: text(env, "SERVICE_HOST") ?? "127.0.0.1",
    port: integer(env, "SERVICE_PORT", 8000, 0, 65535),
    socket: text(env, "SERVICE_SOCKET"),
    socketGroup: text(env, "SERVICE_SOCKET_GROUP"),
    allowedHosts: hostNames(env, "SERVICE_ALLOWED_HOSTS"),
    data: text(env, "SERVICE_DATA"),
    allowFallback: flag(env, "SERVICE_ALLOW_FALLBACK"),
    content: text(env, "SERVICE_CONTENT"),
    basemapOrigins: origins(env, "SERVICE_BASEMAP_ORIGINS"),
    serverCompute: flag(env, "SERVICE_SERVER_COMPUTE"),
    solverConcurrency: integer(env, "SERVICE_SOLVER_CONCURRENCY", 2, 1, 256),
    solverTimeoutSecs: seconds(env, "SERVICE_SOLVER_TIMEOUT_SECS", 30),
    solveRateLimitEvents: integer(env, "SERVICE_SOLVE_RATE_LIMIT_EVENTS", 5, 0, 1_000_000),
    sensitivityRateLimitEvents: integer(env, "SERVICE_SENSITIVITY_RATE_LIMIT_EVENTS", 25, 0, 1_000_000),
    rateLimitWindowSecs: seconds(env, "SERVICE_RATE_LIMIT_WINDOW_SECS", 10),
    logLevel: logLevel(env, "SERVICE_LOG_LEVEL"),
    exitWithStdin: flag(env, "SERVICE_EXIT_WITH_STDIN"),
    secretFromStdin: flag(env, "SERVICE_SECRET_FROM_STDIN"),
  };
}

/** A text; an empty one counts as unset. */
function text(env: Env, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

/** Host names without ports. No pattern matches all names, because that would disable the check. */
function hostNames(env: Env, name: string): string[] {
  const names = (text(env, name)?.toLowerCase().split(",") ?? []).map((host) => host.trim().replace(/\.$/, ""));
  const wrong = names.find((host) => !/^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/.test(host));
  if (wrong === undefined) return names;
  throw new ConfigError(`${name} must be a comma-separated list of host names without ports, not "${wrong}".`);
}

/** Origins as browsers write them, without a path. */
function origins(env: Env, name: string): string[] {
  const named =
    text(env, name)
      ?.split(",")
      .map((origin) => origin.trim()) ?? [];
  const wrong = named.find(
    (origin) => !/^https?:\/\//.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin,
  );
  if (wrong === undefined) return named;
  throw new ConfigError(
    `${name} must be a comma-separated list of origins such as https://tiles.example.org, not "${wrong}".`,
  );
}

function flag(env: Env, name: string): boolean {
  const value = text(env, name)?.toLowerCase() ?? "0";
  if (["1", "true", "yes", "on"].includes(value)) return true;
  if (["0", "false", "no", "off"].includes(value)) return false;
  throw new ConfigError(`${name} must be 1, true, yes or on (or 0, false, no, off), not "${value}".`);
}

function integer(env: Env, name: string, standard: number, least: number, most: number): number {
  const value = text(env, name);
  if (value === undefined) return standard;
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (number >= least && number <= most) return number;
  throw new ConfigError(`${name} must be a whole number from ${least} to ${most}, not "${value}".`);
}

/** Longest time span in seconds; timers cannot hold more. */
const MOST_SECONDS = 86_400;

function seconds(env: Env, name: string, standard: number): number {
  const value = text(env, name);
  if (value === undefined) return standard;
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  if (number > 0 && number <= MOST_SECONDS) return number;
  throw new ConfigError(`${name} must be a number of seconds above 0 and up to ${MOST_SECONDS}, not "${value}".`);
}

function logLevel(env: Env, name: string): LogLevel {
  const value = text(env, name) ?? "info";
  const level = LOG_LEVELS.find((known) => known === value);
  if (level) return level;
  throw new ConfigError(`${name} must be one of ${LOG_LEVELS.join(", ")}, not "${value}".`);
}
