/** Random bytes of an identifier. */
const BYTES = 16;

/** A random identifier, 32 hexadecimal digits. Pages on plain http have no `crypto.randomUUID`, but this. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Names this page load: what was approved or proposed in another one has no effect here. */
export const SESSION_ID = randomId();
