import type { ServerConnection } from "@jupyterlab/services";
import type { ISettingRegistry } from "@jupyterlab/settingregistry";
import { trans } from "@service/widgets/translation";
import type { ShownCase } from "@service/widgets/workspace";
import type { ServerLink } from "@service/webmcp";
import type { IWorkspace } from "../tokens.ts";

/** The first message of the server; the tools are loaded when it arrives. */
const READY = '{"kind":"ready","version":1}';

/** Close codes after which the socket is not reopened: the server has no MCP, or one side sent an invalid message. */
const LASTING = [4400, 4501];

/** Waits between attempts, ms: from the first to the longest. */
const [FIRST_WAIT, LONGEST_WAIT] = [1_000, 60_000];

/**
 * Connects MCP clients of the Jupyter server to the live cases of the page: a web socket with Jupyter's own login, open
 * while at least one case is accessible to agents.
 */
export class ServerAgents {
  readonly #workspace: IWorkspace;
  readonly #server: ServerConnection.ISettings;
  /** "none" until the setting is loaded. */
  #which: "server" | "all" | "none" = "none";
  #socket: WebSocket | null = null;
  #link: ServerLink | null = null;
  #wait = FIRST_WAIT;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #refused = false;

  constructor(workspace: IWorkspace, server: ServerConnection.ISettings) {
    this.#workspace = workspace;
    this.#server = server;
    workspace.changed.connect(() => this.#sync());
  }

  /**
   * Follows the setting for the cases that agents may use; without settings, those of kernels and of the server's
   * files.
   */
  follow(settings: ISettingRegistry.ISettings | null): void {
    const read = (): void => {
      const setting = settings?.composite["liveCases"];
      this.#which = setting === "all" || setting === "none" ? setting : "server";
      this.#link?.send();
      this.#sync();
    };
    read();
    settings?.changed.connect(read);
  }

  readonly #shared = (shown: ShownCase): boolean =>
    this.#which === "all" || (this.#which === "server" && !this.#workspace.isLocal(shown));

  /** Whether a case is accessible to agents. */
  get #wanted(): boolean {
    const { sessions, networks } = this.#workspace;
    return sessions.some(this.#shared) || networks.some(this.#shared);
  }

  #sync(): void {
    if (this.#wanted && this.#socket === null && this.#waiting === undefined && !this.#refused) {
      this.#open();
    }
  }

  #open(): void {
    const { wsUrl, appendToken, token, WebSocket } = this.#server;
    const address = new URL("wattbook/mcp/page", wsUrl);
    if (appendToken && token !== "") {
      address.searchParams.set("token", token);
    }
    const socket = new WebSocket(address.href);
    this.#socket = socket;
    socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => void this.#receive(socket, data));
    socket.addEventListener("close", ({ code }) => this.#closed(code));
  }

  async #receive(socket: WebSocket, data: unknown): Promise<void> {
    try {
      if (this.#link !== null) {
        this.#link.receive(data);
        return;
      }
      if (data !== READY) {
        throw new TypeError("not the message that begins");
      }
      const { ServerLink } = await import("@service/webmcp");
      if (this.#socket === socket && socket.readyState === socket.OPEN) {
        this.#wait = FIRST_WAIT;
        const [workspace, shared] = [this.#workspace, this.#shared];
        this.#link = new ServerLink({ workspace, shared, send: (text) => socket.send(text) });
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#workspace.journal.tell(
        trans.__("MCP clients no longer reach this page: the Jupyter server sent no call (%1).", reason),
      );
      socket.close(4400);
    }
  }

  #closed(code: number): void {
    this.#link?.dispose();
    this.#link = null;
    this.#socket = null;
    if (LASTING.includes(code)) {
      this.#refused = true;
      return;
    }
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined;
      this.#sync();
    }, this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }
}
