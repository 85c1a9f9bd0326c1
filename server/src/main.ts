// The process: command line, environment, signals. Everything else is the app.
import { createServer } from "./app.ts";
import { ConfigError, readConfig, VARIABLES, type ServerConfig } from "./config.ts";
import { listen } from "./listen.ts";
import { findCases } from "./sources.ts";
import { VERSION } from "./version.ts";

const HELP = `wattbook-server ${VERSION}: bundled power-flow cases over HTTP.

Usage:
  wattbook-server serve      serve the cases (see the variables below)
  wattbook-server --help     this text
  wattbook-server --version  the version

Without staged data the server exits, unless SERVICE_ALLOW_FALLBACK=1.

Environment:
${VARIABLES.map(([name, meaning]) => `  ${name.padEnd(38)} ${meaning}`).join("\n")}
`;

async function main(args: readonly string[]): Promise<void> {
  const [command = "--help", ...rest] = args;
  if (rest.length === 0) {
    if (command === "serve") return serve(readConfig(process.env));
    if (command === "--help" || command === "-h" || command === "help") return void process.stdout.write(HELP);
    if (command === "--version") return void process.stdout.write(`${VERSION}\n`);
  }
  process.stderr.write(`wattbook-server: "${args.join(" ")}" is not a command; try wattbook-server --help.\n`);
  process.exitCode = 2;
}

async function serve(config: ServerConfig): Promise<void> {
  const { catalogue, fallback } = await findCases(config);
  const server = createServer({ config, catalogue });
  if (fallback) server.log.warn("no staged data: serving two public benchmark cases with synthetic coordinates");
  stopWith(config, () => server.close());
  await listen(server, config);
}

/** Stops gracefully on the first signal (or the end of standard input), at once on the second. */
function stopWith(config: ServerConfig, close: () => PromiseLike<unknown>): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    close().then(() => process.exit(0), fail);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  if (config.exitWithStdin) process.stdin.once("end", stop).once("error", stop).resume();
}

function fail(error: unknown): void {
  const { message, stack } = error as Error;
  const known = error instanceof ConfigError || (error as NodeJS.ErrnoException).syscall !== undefined;
  process.stderr.write(`wattbook-server: ${known ? message : stack}\n`);
  process.exit(1);
}

main(process.argv.slice(2)).catch(fail);
