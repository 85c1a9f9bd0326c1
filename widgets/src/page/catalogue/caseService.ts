import type { Message } from "@service/engine";
import { isMessage, messageText, numbered, trans } from "../../text/index.ts";
import { takeEarlyAnswer, takeEarlyModule, takeEarlyPicture } from "./earlyAnswer.ts";
import { type FirstPicture, pictureOf, type PricedBody, type ViewedBody } from "./firstPicture.ts";
import { partsOf } from "./parts.ts";

/** One case of the server's list (contract.md, section 1). Fields of newer servers may be absent. */
export interface CaseSummary {
  id: string;
  name: string;
  n_bus: number;
  n_branch: number;
  n_gen: number;
  description: string;
  /** Why the case cannot be opened; null for one that can. */
  unavailable_reason: string | null;
  /** The sentence of the catalogue that this is the English of. */
  unavailable_sentence?: Message | null;
  /** SHA-256 of the module text. */
  sha256?: string;
  /** Whether the network was made up and no surveyed infrastructure. */
  synthetic?: boolean;
}

/** Why a case cannot be opened, in the language of the page; null for one that can. */
export function unavailableText({
  unavailable_reason: reason,
  unavailable_sentence: sentence,
}: CaseSummary): string | null {
  return isMessage(sentence) ? messageText(sentence, numbered) : reason;
}

/** A refusal of the server, or that there is none, in words. */
export class ServiceError extends Error {
  /** The server's stable code; `SERVICE.UNREACHABLE` when nothing answered. */
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

/** The data routes of the companion server that this page came from. */
export class CaseService {
  readonly #root: URL;
  readonly #pictures = new Map<string, FirstPicture>();

  /** `page` is the address of the page: the routes lie beside it, whatever is before them. */
  constructor(page: string) {
    this.#root = new URL("api/", page);
  }

  /** The cases that the server has, those that cannot be opened included. Rejects with ServiceError. */
  async cases(): Promise<CaseSummary[]> {
    const body: unknown = await this.#json(await this.#get("cases", {}, takeEarlyAnswer()));
    if (!Array.isArray(body)) {
      throw new ServiceError("SERVICE.ANSWER", trans.__("Not a Wattbook server."));
    }
    return body as CaseSummary[];
  }

  /**
   * The module of a case: the hash that it must have is known before its text. Without a hash the text could be anything, so
   * an answer that has none is refused. A `fresh` one is not taken from the browser's store, where a damaged one would stay.
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
    const early = await takeEarlyPicture(id)?.catch(() => undefined); // asked for again, and told
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

  /** `early` is the answer where it was asked for already. */
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
    await nextTask(); // bodies of large cases arrive together: between them the page gets its turn
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new ServiceError("SERVICE.ANSWER", trans.__("Not a Wattbook server."), cause);
    }
  }
}

/** Resolves in a task of its own, after input and frames that wait. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** A body that breaks off is a server that went away. */
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
