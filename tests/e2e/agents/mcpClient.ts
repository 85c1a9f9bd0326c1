// An MCP client of a Jupyter server: the official SDK's, in a separate process.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENVIRONMENT } from "../lab.ts";

/** The answer of a tool; fields are compared one by one. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Answer = { ok: boolean; data: any; error: { code: string; message: string } };

/** A connected client. Calls are answered in their order. */
export interface McpClient {
  ask(tool: string, input?: object): Promise<Answer>;
  stop(): void;
}

/** Connects to the MCP server of a JupyterLab at `url` with a token. */
export async function startMcpClient(url: string, token: string): Promise<McpClient> {
  const script = fileURLToPath(new URL("mcpClient.py", import.meta.url));
  const child = spawn(join(ENVIRONMENT, "bin", "python"), [script, `${url}wattbook/mcp`, token], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the MCP client has ended");
    return value;
  };
  if ((await next()) !== "ready") throw new Error("the MCP client did not connect");
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask: (tool, input = {}) => {
      child.stdin.write(`${JSON.stringify([tool, input])}\n`);
      const answer = last.then(next).then((line) => JSON.parse(line) as Answer);
      last = answer;
      return answer;
    },
    stop: () => child.stdin.end(),
  };
}
