import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { ConfigError } from "../config.ts";

const SHORTEST = 32;
const LONGEST = 1024;

/** The result of checking `x-service-secret`: the secret of the Jupyter proxy, the key of the kernels, or neither. */
export type Shown = "proxy" | "kernel" | undefined;

/** Checks the headers of a request. */
export type Recognise = (headers: IncomingHttpHeaders) => Shown;

/**
 * The first line of standard input. The secret is not passed in the environment, because every process of the same user
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

/**
 * The key of the kernels, with which they are answered but cannot name a client. It is derived from the secret
 * (HMAC-SHA256 of `kernels`), so that it does not reveal the secret.
 */
export const kernelKey = (secret: string): string => createHmac("sha256", secret).update("kernels").digest("hex");

/** Recognises secret and key in constant time; without a secret nothing is recognised. */
export function recognising(secret: string | undefined): Recognise {
  if (secret === undefined) return () => undefined;
  const known = [
    ["proxy", digest(secret)],
    ["kernel", digest(kernelKey(secret))],
  ] as const;
  return ({ "x-service-secret": given }) => {
    if (typeof given !== "string") return undefined;
    const shown = digest(given);
    return known.filter(([, wanted]) => timingSafeEqual(shown, wanted))[0]?.[0];
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
