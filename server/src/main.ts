// The process: command line, environment, signals. Everything else is the app.
import { parseArgs } from "node:util";
import { createServer } from "./app.ts";
import { ConfigError, readConfig, VARIABLES, type ServerConfig } from "./config.ts";
import { builtPage } from "./http/content.ts";
import { listen } from "./http/listen.ts";
import { readSecret } from "./http/secret.ts";
import { findCases } from "./cases/sources.ts";
import { stageData, StagingError, type StagedCase } from "./staging/staging.ts";
import { VERSION } from "./version.ts";

const HELP = `wattbook-server ${VERSION}: bundled power-flow cases over HTTP.

Usage:
  wattbook-server serve                 serve the cases (see the variables below)
  wattbook-server stage-data DIR        write the bundled grids into DIR, for SERVICE_DATA
  wattbook-server stage-data DIR --from CASE[,COORDS[,ROUTES]] ...
                                        the same with cases of your own: case file, places of its buses
                                        (CSV, JSON, GeoJSON or .aux), routes of its branches (JSON)
  wattbook-server --help                this text
  wattbook-server --version             the version

stage-data solves every case. DIR is absent, empty, or staged before. Exit codes: 0 every case is served,
2 bad input and nothing written, 3 written, but some case has no solution and is catalogued as unavailable.

Without staged data the server exits, unless SERVICE_ALLOW_FALLBACK=1.

Environment:
${VARIABLES.map(([name, meaning]) => `  ${name.padEnd(38)} ${meaning}`).join("\n")}
`;

const BAD_INPUT = 2;
const UNAVAILABLE = 3;
/** A stop that takes longer is cut short. */
const STOP_MS = 10_000;

async function main(args: readonly string[]): Promise<void> {
  const [command = "help", ...rest] = args;
  if (command === "help" || args.includes("--help") || args.includes("-h")) return void process.stdout.write(HELP);
  if (command === "stage-data") return stage(rest);
  if (rest.length === 0) {
    if (command === "serve") return serve(readConfig(process.env));
    if (command === "--version") return void process.stdout.write(`${VERSION}\n`);
  }
  refuse(`"${args.join(" ")}" is not a command; try wattbook-server --help.`);
}

async function serve(config: ServerConfig): Promise<void> {
  const secret = config.secretFromStdin ? await readSecret(process.stdin) : undefined;
  const { catalogue, bases, fallback } = await findCases(config);
  const content = config.content ?? builtPage();
  const server = createServer({ config: { ...config, content }, catalogue, bases, secret });
  if (fallback) server.log.warn("no staged data: serving two public benchmark cases with synthetic coordinates");
  stopWith(config, () => server.close());
  const address = await listen(server, config);
  // The system chose the port. The parent process, which holds the other ends of both pipes, reads it here whatever the
  // log level.
  if (secret !== undefined && config.socket === undefined) {
    process.stdout.write(`${JSON.stringify({ listening: address })}\n`);
  }
}

/** Stops gracefully on the first signal (or the end of standard input), and at once on the second. */
function stopWith(config: ServerConfig, close: () => PromiseLike<unknown>): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    close().then(() => process.exit(0), fail);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  if (config.exitWithStdin) process.stdin.once("end", stop).once("error", stop).resume();
}

async function stage(args: readonly string[]): Promise<void> {
  const found = stageArguments(args);
  if (typeof found === "string") return refuse(found);
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());
  try {
    const staged = await stageData(found.dir, { from: found.from, signal: stopped.signal, report });
    if (staged.some(({ objective }) => objective === null)) process.exitCode = UNAVAILABLE;
  } catch (error) {
    if (stopped.signal.aborted) refuse("stopped; nothing was written.", 1);
    else if (error instanceof StagingError) refuse(`${error.message} [${error.code}]`);
    else throw error;
  }
}

/** Folder and pairs of `stage-data`, or an error message. */
function stageArguments(args: readonly string[]): { dir: string; from: string[] } | string {
  try {
    const options = { from: { type: "string", multiple: true } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [dir, ...more] = positionals;
    if (dir === undefined) return "stage-data needs a folder; try wattbook-server --help.";
    if (more.length > 0 && !values.from) return `stage-data takes one folder, not also "${more.join(" ")}".`;
    // `--from A B`: the shell has expanded a pattern.
    return { dir, from: [...(values.from ?? []), ...more] };
  } catch (error) {
    return (error as Error).message;
  }
}

/** Prints one line per case on standard output, and notes before it on standard error. */
function report({ entry, objective, notes }: StagedCase): void {
  const { id, n_bus, n_branch, unavailable_reason } = entry;
  for (const note of notes) process.stderr.write(`note ${id}: ${note}\n`);
  process.stdout.write(
    objective === null
      ? `unavailable ${id}: ${unavailable_reason}\n`
      : `staged ${id}: ${n_bus} buses, ${n_branch} branches, ${objective.toFixed(2)} $/h\n`,
  );
}

function refuse(sentence: string, exitCode = BAD_INPUT): void {
  process.stderr.write(`wattbook-server: ${sentence}\n`);
  process.exitCode = exitCode;
}

function fail(error: unknown): void {
  const { message, stack } = error as Error;
  const known = error instanceof ConfigError || (error as NodeJS.ErrnoException).syscall !== undefined;
  process.stderr.write(`wattbook-server: ${known ? message : stack}\n`);
  process.exit(1);
}

main(process.argv.slice(2)).catch(fail);
