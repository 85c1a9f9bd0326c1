/** Why a basemap is not drawn: a code, and a sentence for the user. */
export class BasemapError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "BasemapError";
    this.code = code;
  }
}
