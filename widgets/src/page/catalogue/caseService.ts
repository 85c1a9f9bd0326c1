import type { Message } from "@service/engine";
import { isMessage, messageText, numbered, trans } from "../../text/index.ts";
import { takeEarlyAnswer, takeEarlyModule, takeEarlyPicture } from "./earlyAnswer.ts";
import { type FirstPicture, pictureOf, type PricedBody, type ViewedBody } from "./firstPicture.ts";
import { partsOf } from "./parts.ts";

/** One case of the server's list (contract.md, section 1). Older servers may lack fields. */
export interface CaseSummary {
  id: string;
  name: string;
  n_bus: number;
  n_branch: number;
  n_gen: number;
  description: string;
  /** Why the case cannot be opened; null if it can. */
  unavailable_reason: string | null;
  /** The message of the catalogue of which `unavailable_reason` is the English text. */
  unavailable_sentence?: Message | null;
  /** SHA-256 of the module text. */
  sha256?: string;
  /** Whether the network was generated and not surveyed. */
  synthetic?: boolean;
}

/** Why a case cannot be opened, in the language of the page; null if it can. */
export function unavailableText({
  unavailable_reason: reason,
  unavailable_sentence: sentence,
}: CaseSummary): string | null {
  return isMessage(sentence) ? messageText(sentence, numbered) : reason;
}

/** An error of the server, or of the connection to it, with a message for the user. */
export class ServiceError extends Error {
  /** The server's stable code; `SERVICE.UNREACHABLE` without an answer. */
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ServiceError";
    this.code = code;
  }
}

interface ErrorBody {
  error?: unknown;
  code?: unknown;
  sentence?: unknown;
}

/** The data routes of the server from which this page was loaded. */
export class CaseService {
  readonly #root: URL;
  readonly #pictures = new Map<string, FirstPicture>();

  /** `page` is the address of the page. The routes are relative to it, whatever its prefix. */
  constructor(page: string) {
    this.#root = new URL("api/", page);
  }

  /** The cases of the server, including those that cannot be opened. Rejects with ServiceError. */
  async cases(): Promise<CaseSummary[]> {
    const body: unknown = await this.#json(await this.#get("cases", {}, takeEarlyAnswer()));
    if (!Array.isArray(body)) {
      throw new ServiceError("SERVICE.ANSWER", trans.__("Not a Wattbook server."));
    }
    return body as CaseSummary[];
  }

  /**
   * The module of a case, with its expected hash before its text. An answer without a hash is rejected, because nothing
   * could verify its text. A `fresh` module bypasses the browser's cache, where a damaged one would stay.
   */
  async module(summary: CaseSummary, fresh = false): Promise<{ sha256: string; text: () => Promise<string> }> {
    const [, , path] = partsOf(summary.id);
    const response = await this.#get(path, fresh ? { cache: "reload" } : {}, takeEarlyModule(summary.id));
    const tag = /^(?:W\/)?"([0-9a-f]{64})"$/.exec(response.headers.get("etag") ?? "")?.[1];
    const sha256 = tag ?? summary.sha256;
    if (sha256 === undefined) {
      throw new ServiceError(
        "SERVICE.ANSWER",
        trans.__("The server sent the case without its hash, so it cannot be checked."),
      );
    }
    return { sha256, text: () => read(response.text()) };
  }

  /** Positions, lines and base prices of a case. */
  async firstPicture(id: string, signal: AbortSignal): Promise<FirstPicture> {
    const early = await takeEarlyPicture(id)?.catch(() => undefined); // requested again below, where errors are reported
    const picture = this.#pictures.get(id) ?? early ?? (await this.#picture(id, signal));
    this.#pictures.set(id, picture);
    return picture;
  }

  async #picture(id: string, signal: AbortSignal): Promise<FirstPicture> {
    const [view, base] = partsOf(id);
    const bodies = [view, base].map(async (path) => this.#json(await this.#get(path, { signal })));
    const [network, solution] = (await Promise.all(bodies)) as [ViewedBody, PricedBody];
    await nextTask();
    return pictureOf(network, solution);
  }

  /** `early` is the answer if the request was already made. */
  async #get(path: string, options: RequestInit = {}, early?: Promise<Response>): Promise<Response> {
    let response: Response;
    try {
      response = await (early ?? fetch(new URL(path, this.#root), { credentials: "same-origin", ...options }));
    } catch (cause) {
      throw unreachable(cause);
    }
    if (!response.ok) {
      const { error, code, sentence } = (await response.json().catch(() => ({}))) as ErrorBody;
      const own = isMessage(sentence) ? messageText(sentence, numbered) : error;
      const message = typeof own === "string" ? own : trans.__("The server answered with status %1.", response.status);
      throw new ServiceError(typeof code === "string" ? code : `HTTP.${response.status}`, message);
    }
    return response;
  }

  async #json(response: Response): Promise<unknown> {
    const text = await read(response.text());
    await nextTask(); // Bodies of large cases arrive together; the page continues in between
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new ServiceError("SERVICE.ANSWER", trans.__("Not a Wattbook server."), cause);
    }
  }
}

/** Resolves in a new task, after pending input and frames. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** The text of a body. A body that ends early counts as a server that cannot be reached. */
async function read(body: Promise<string>): Promise<string> {
  try {
    return await body;
  } catch (cause) {
    throw unreachable(cause);
  }
}

function unreachable(cause: unknown): ServiceError {
  return new ServiceError("SERVICE.UNREACHABLE", trans.__("The server does not answer."), cause);
}
