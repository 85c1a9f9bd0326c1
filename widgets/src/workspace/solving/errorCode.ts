/** The stable code of an error, `INTERNAL` when it carries none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "INTERNAL";
}
