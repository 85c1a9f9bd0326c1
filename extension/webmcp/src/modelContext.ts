/** A tool as a page offers it to browser agents (WebMCP, a draft of the W3C's Web Machine Learning group). */
export interface ModelContextTool {
  name: string;
  description: string;
  inputSchema: object;
  annotations: { readOnlyHint: boolean; untrustedContentHint: boolean };
  /** Called with what the agent sent, unchecked; its answer is sent as JSON. */
  execute(input: unknown, client?: ToolClient): Promise<unknown>;
}

/** What a browser says of a call besides its input; older ones say nothing. */
export interface ToolClient {
  /** Fires when the agent gives the call up. */
  signal?: AbortSignal;
}

/** Where tools are offered; a tool lives until its signal fires. */
export interface ModelContext {
  registerTool(tool: ModelContextTool, options: { signal: AbortSignal }): Promise<void> | void;
}

/** The browser's place for tools; null where it has none, as most browsers and all pages on plain http. */
export function modelContextOf(document: Document): ModelContext | null {
  const { modelContext } = document as { modelContext?: Partial<ModelContext> };
  return typeof modelContext?.registerTool === "function" ? (modelContext as ModelContext) : null;
}
