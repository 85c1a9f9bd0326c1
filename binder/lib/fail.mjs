/** A failure reported by its own message, without a stack trace. */
export class SetupError extends Error {}

/** Runs a script's main function; a SetupError ends the process with its message and exit code 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    process.stderr.write(error instanceof SetupError ? `\n${error.message}\n` : `\n${error?.stack ?? error}\n`);
    process.exitCode = 1;
  }
}
