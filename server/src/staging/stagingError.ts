/** What keeps a staging from being made and its operator can change: a stable code, and a sentence that names the file. */
export class StagingError extends Error {
  override readonly name = "StagingError";
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error about a file that cannot be read. */
export function unreadable(path: string, error: unknown): StagingError {
  const code = (error as NodeJS.ErrnoException).code === "ENOENT" ? "INPUT.NOT_FOUND" : "INPUT.UNREADABLE";
  return new StagingError(code, `${path} ${fileReason(error)}.`, { cause: error });
}

/** The reason of a failed file operation, for a sentence. */
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
