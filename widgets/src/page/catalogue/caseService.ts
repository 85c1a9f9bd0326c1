import { isMessage, messageText, numbered, trans } from "../../text/index.ts";
import { takeEarlyAnswer } from "./earlyAnswer.ts";
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
  /** SHA-256 of the module text. */
  sha256?: string;
  /** Whether the network was made up and no surveyed infrastructure. */
  synthetic?: boolean;
}

/** Where a case is drawn and its base prices: the first picture, before the engine has solved anything. */
export interface FirstPicture {
  buses: readonly { lon: number; lat: number; lmp: number }[];
  /** Lines as pairs of longitude and latitude. */
  lines: readonly (readonly (readonly [number, number])[])[];
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

/** The network view and the base solution, as far as the first picture needs them. */
interface NetworkBody {
  buses: { id: number; lon: number; lat: number }[];
  branches: { from: number; to: number; status: 0 | 1; path?: [number, number][] }[];
}

interface SolutionBody {
  prices: { bus: number; value: number }[];
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
    const response = await this.#get(path, fresh ? { cache: "reload" } : {});
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
    const [view, base] = partsOf(id);
    const bodies = [view, base].map(async (path) => this.#json(await this.#get(path, { signal })));
    const [network, solution] = (await Promise.all(bodies)) as [NetworkBody, SolutionBody];
    await nextTask();
    const prices = new Map(solution.prices.map(({ bus, value }) => [bus, value]));
    const places = new Map(network.buses.map(({ id: bus, lon, lat }) => [bus, [lon, lat] as const]));
    const lines = network.branches
      .filter(({ status }) => status === 1)
      .map(
        ({ from, to, path: route }) => route ?? [places.get(from), places.get(to)].filter((end) => end !== undefined),
      );
    await nextTask();
    const buses = network.buses.map(({ id: bus, lon, lat }) => ({ lon, lat, lmp: prices.get(bus) ?? NaN }));
    const picture = { buses, lines: lines.filter(({ length }) => length >= 2) };
    this.#pictures.set(id, picture);
    return picture;
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
