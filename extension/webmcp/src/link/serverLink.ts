import { codeOf, type IWorkspace, SESSION_ID, type ShownCase } from "@service/widgets/workspace";
import { runCall, type ToolContext } from "../call.ts";
import { CaseIds } from "../caseIds.ts";
import { runTool } from "../execute.ts";
import { PredictionBook } from "../predictions.ts";
import { openCases } from "../tools/cases.ts";
import { refused, ToolError } from "../answers.ts";
import { type PageMessage, serverMessage, type ServerMessage } from "./messages.ts";
import { SharedCases } from "./sharedCases.ts";

/** Prefix of this page's case ids, unique to the page and to each load of it. */
const PREFIX = `live-${SESSION_ID.slice(0, 8)}:`;

/** Largest number of cases that a page reports. */
const MOST_CASES = 64;

/** The link between a page and its Jupyter server. */
export interface Link {
  readonly workspace: IWorkspace;
  /** Whether MCP clients may use a case. */
  readonly shared: (shown: ShownCase) => boolean;
  send(text: string): void;
}

/**
 * Answers the calls of the Jupyter server's MCP clients on the live cases of this page, with the tools of the browser's
 * agents. Applying a proposal is always refused, because external callers do not see the panel.
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

  /** Sends the list of cases to the server if it has changed. */
  send(): void {
    const cases = openCases(this.#context).slice(0, MOST_CASES);
    const text = messageText({ kind: "cases", session_id: SESSION_ID, cases });
    if (text !== this.#sent) {
      this.#sent = text;
      this.#send(text);
    }
  }

  /** Handles a message of the server. Throws if it is invalid. */
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

  /** Cancels running calls; nothing is sent any more. */
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
