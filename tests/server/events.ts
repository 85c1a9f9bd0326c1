// A client of server-sent events, which parses the bytes of a real connection.

/** One event, or a heartbeat comment. */
export interface StreamEvent {
  id?: string;
  event: string;
  data: Record<string, unknown>;
}

/** Yields the events of a response as they arrive; heartbeats are events named `:`. */
export async function* events(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.body) throw new Error("no body");
  let pending = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    pending += decoder.decode(chunk, { stream: true });
    for (let end = pending.indexOf("\n\n"); end >= 0; end = pending.indexOf("\n\n")) {
      yield parsed(pending.slice(0, end));
      pending = pending.slice(end + 2);
    }
  }
  if (pending !== "") throw new Error(`the stream broke off in "${pending}"`);
}

function parsed(block: string): StreamEvent {
  if (block.startsWith(":")) return { event: ":", data: {} };
  const fields = Object.fromEntries(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const { id, event = "message", data = "null" } = fields;
  return { ...(id !== undefined && { id }), event, data: JSON.parse(data) as Record<string, unknown> };
}

/** All events of a stream that ends by itself. */
export async function all(response: Response): Promise<StreamEvent[]> {
  const found: StreamEvent[] = [];
  for await (const event of events(response)) found.push(event);
  return found;
}
