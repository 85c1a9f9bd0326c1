// The built page at `/`.
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyError, FastifyInstance } from "fastify";
import { asset, sharedFiles } from "../assets.ts";
import { ConfigError } from "../config.ts";
import { ServiceError, unknownRoute } from "./errors.ts";

/** A name with a hash of the content in it, as bundlers write them: `page-3FJ2K7QA.js`, `style.0123abcd.css`. */
const HASHED = /[.-]([A-Z2-7]{8}|(?=[0-9A-Za-z_]*\d)[0-9A-Za-z_]{8,64})\.[0-9a-z]+$/;

/** The page that was built with the server, if it was built. */
export function builtPage(): string | undefined {
  const index = asset("page/index.html");
  return existsSync(index) ? fileURLToPath(new URL(".", index)) : undefined;
}

/**
 * Serves the folder of SERVICE_CONTENT. Files with a hash in their name are cached for good; all others are revalidated
 * on each request (with an entity tag). `FILE.br` and `FILE.gz` beside a file are sent instead of it to clients that
 * accept them.
 */
export async function servePage(fastify: FastifyInstance, path: string): Promise<void> {
  const root = contentFolder(path);
  // Files that the built page stores elsewhere, by their addresses.
  const elsewhere = root === resolve(builtPage() ?? "") ? [...sharedFiles()] : [];
  await fastify.register(async (page) => {
    // A path that no file can have (`//x`, `/x%00`, `/../x`) is rejected as if it existed and were forbidden.
    page.setErrorHandler((error: FastifyError) => {
      const isOurs = error instanceof ServiceError;
      throw !isOurs && [400, 403, 404].includes(error.statusCode ?? 500) ? unknownRoute() : error;
    });
    await page.register(fastifyStatic, {
      root,
      preCompressed: true,
      dotfiles: "ignore",
      cacheControl: false,
      setHeaders: (reply, file) =>
        void reply.header("cache-control", isHashed(file) ? "public, max-age=31536000, immutable" : "no-cache"),
    });
    for (const [name, file] of elsewhere) {
      const url = name.replace(/^page/, "");
      page.get(url, { schema: { hide: true } }, (_request, reply) => reply.sendFile(basename(file), dirname(file)));
    }
  });
}

/** Whether a file name contains a hash of the content. */
export function isHashed(file: string): boolean {
  return HASHED.test(file.replace(/\.(br|gz)$/, ""));
}

/** The folder of SERVICE_CONTENT. Throws with a message if it cannot be served. */
export function contentFolder(path: string): string {
  const folder = resolve(path);
  if (!existsSync(folder)) throw new ConfigError(`SERVICE_CONTENT names ${folder}, which does not exist.`);
  if (!existsSync(join(folder, "index.html"))) {
    throw new ConfigError(`SERVICE_CONTENT names ${folder}, which holds no page (index.html).`);
  }
  return folder;
}
