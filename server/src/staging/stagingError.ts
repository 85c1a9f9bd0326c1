/**
 * An error that prevents a staging and that the operator can correct: a stable code, and a message that names the file.
 */
export class StagingError extends Error {
  override readonly name = "StagingError";
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error for a file that cannot be read. */
export function unreadable(path: string, error: unknown): StagingError {
  const code = (error as NodeJS.ErrnoException).code === "ENOENT" ? "INPUT.NOT_FOUND" : "INPUT.UNREADABLE";
  return new StagingError(code, `${path} ${fileReason(error)}.`, { cause: error });
}

/** The reason of a failed file operation, for a message. */
export function fileReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Record<string, string> = {
    ENOENT: "does not exist",
    EISDIR: "is a folder",
    ENOTDIR: "is not a folder",
    EACCES: "may not be opened (EACCES)",
    EPERM: "may not be opened (EPERM)",
    EROFS: "lies on a read-only file system",
    ENOSPC: "has no space left",
  };
  return (code !== undefined && known[code]) || `cannot be used (${code ?? message})`;
}
