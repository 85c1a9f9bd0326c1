/** A tool that a page offers to browser agents (WebMCP, a draft of the W3C's Web Machine Learning group). */
export interface ModelContextTool {
  name: string;
  description: string;
  inputSchema: object;
  annotations: { readOnlyHint: boolean; untrustedContentHint: boolean };
  /** Called with the agent's input, unchecked; its answer is sent as JSON. */
  execute(input: unknown, client?: ToolClient): Promise<unknown>;
}

/** Details of a call besides its input; older browsers send none. */
export interface ToolClient {
  /** Fires when the agent cancels the call. */
  signal?: AbortSignal;
}

/** Registers tools; a tool lives until its signal fires. */
export interface ModelContext {
  registerTool(tool: ModelContextTool, options: { signal: AbortSignal }): Promise<void> | void;
}

/** The browser's registry of tools; null where it has none, as in most browsers and on all pages on plain http. */
export function modelContextOf(document: Document): ModelContext | null {
  const { modelContext } = document as { modelContext?: Partial<ModelContext> };
  return typeof modelContext?.registerTool === "function" ? (modelContext as ModelContext) : null;
}
