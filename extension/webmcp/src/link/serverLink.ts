import { codeOf, type IWorkspace, SESSION_ID, type ShownCase } from "@service/widgets/workspace";
import { runCall, type ToolContext } from "../call.ts";
import { CaseIds } from "../caseIds.ts";
import { runTool } from "../execute.ts";
import { PredictionBook } from "../predictions.ts";
import { openCases } from "../tools/cases.ts";
import { refused, ToolError } from "../answers.ts";
import { type PageMessage, serverMessage, type ServerMessage } from "./messages.ts";
import { SharedCases } from "./sharedCases.ts";

/** Begins the ids of this page's cases: an id of a page that was closed or loaded again is never one of another page. */
const PREFIX = `live-${SESSION_ID.slice(0, 8)}:`;

/** Cases that a page tells of. */
const MOST_CASES = 64;

/** How a page and its Jupyter server are linked. */
export interface Link {
  readonly workspace: IWorkspace;
  /** Which cases MCP clients may work on. */
  readonly shared: (shown: ShownCase) => boolean;
  send(text: string): void;
}

/**
 * Answers the calls that MCP clients of the Jupyter server make on the live cases of this page, with the tools of the browser's agents.
 * Applying a proposal is refused whatever its state: who calls from outside does not see the panel.
 */
export class ServerLink {
  readonly #context: ToolContext;
  readonly #send: (text: string) => void;
  readonly #running = new Map<number, AbortController>();
  #sent = "";

  constructor({ workspace, shared, send }: Link) {
    const cases = new SharedCases(workspace, shared);
    this.#context = {
      workspace: cases,
      ids: new CaseIds(cases, PREFIX),
      predictions: new PredictionBook(),
      via: "mcp",
    };
    this.#send = send;
    workspace.changed.connect(this.send, this);
    this.send();
  }

  /** Tells the server of the cases where they have changed. */
  send(): void {
    const cases = openCases(this.#context).slice(0, MOST_CASES);
    const text = messageText({ kind: "cases", session_id: SESSION_ID, cases });
    if (text !== this.#sent) {
      this.#sent = text;
      this.#send(text);
    }
  }

  /** Takes a message of the server. Throws where it is none. */
  receive(text: unknown): void {
    const message = serverMessage(text);
    if (message.kind === "cancel") {
      this.#running.get(message.id)?.abort();
    } else if (this.#running.has(message.id)) {
      throw new TypeError("two calls of one id");
    } else {
      void this.#answer(message);
    }
  }

  /** Gives up what is running; nothing is sent any more. */
  dispose(): void {
    this.#context.workspace.changed.disconnect(this.send, this);
    const running = [...this.#running.values()];
    this.#running.clear();
    running.forEach((call) => call.abort());
  }

  async #answer({ id, tool, input }: ServerMessage & { kind: "call" }): Promise<void> {
    const call = new AbortController();
    this.#running.set(id, call);
    const answering =
      tool === "apply_capacity_plan"
        ? runCall(tool, refuseToApply, input, this.#context, call.signal)
        : runTool(tool, input, this.#context, call.signal);
    const answer = await answering.catch((error: unknown) => {
      return refused(codeOf(error), error instanceof Error ? error.message : String(error));
    });
    if (this.#running.delete(id)) {
      this.#send(messageText({ kind: "answer", id, answer }));
    }
  }
}

function refuseToApply(): Promise<never> {
  throw new ToolError(
    "APPLY.REFUSED",
    "A tool server applies no proposal: a person approves and applies it in the page.",
  );
}

function messageText(message: PageMessage): string {
  return JSON.stringify(message);
}
