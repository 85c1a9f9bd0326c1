import { errorText } from "./messages.ts";
import { trans } from "./translation.ts";

/** Names and messages of failed `import()`s: webpack's, Chromium's, Firefox's, Safari's. */
const UNLOADED = /^ChunkLoadError|dynamically imported module|Importing a module script failed/;

/**
 * Why something could not be shown. Code loaded on demand is missing once another release has been installed under an
 * open page: the remedy is to reload, so file names are not shown.
 */
export function whyNotShown(error: unknown): string {
  if (UNLOADED.test(String(error))) {
    return trans.__(
      "Wattbook's files have changed since this page was loaded, or cannot be reached. Save your work and reload the page.",
    );
  }
  return errorText(error);
}
