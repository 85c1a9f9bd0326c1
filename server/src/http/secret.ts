import type { Readable } from "node:stream";
import { ConfigError } from "../config.ts";

const SHORTEST = 32;
const LONGEST = 1024;

/**
 * The first line of standard input. The secret comes this way, and not by the environment, because every process of the same user
 * can read the environment of another.
 */
export function readSecret(input: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = "";
    const refuse = (): void =>
      reject(
        new ConfigError(
          `SERVICE_SECRET_FROM_STDIN: the first line of standard input must be a secret of ${SHORTEST} to ${LONGEST} characters.`,
        ),
      );
    const take = (chunk: Buffer): void => {
      read += chunk.toString("latin1");
      const end = read.indexOf("\n");
      if (end < 0 && read.length <= LONGEST) return;
      input.off("data", take).off("end", refuse).off("error", refuse).pause();
      const secret = read.slice(0, Math.max(end, 0)).trim();
      if (secret.length < SHORTEST || secret.length > LONGEST) refuse();
      else resolve(secret);
    };
    input.on("data", take).once("end", refuse).once("error", refuse);
  });
}
