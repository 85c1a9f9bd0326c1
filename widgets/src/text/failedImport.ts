import { errorText } from "./messages.ts";
import { trans } from "./translation.ts";

/** Names and words of the failures of `import()`: webpack's, Chromium's, Firefox's, Safari's. */
const UNLOADED = /^ChunkLoadError|dynamically imported module|Importing a module script failed/;

/**
 * Why something could not be shown. Code that loads when it is first needed is not found any more once another release has been
 * installed under an open page: reloading helps, the names of files do not.
 */
export function whyNotShown(error: unknown): string {
  if (UNLOADED.test(String(error))) {
    return trans.__(
      "Wattbook's files have changed since this page was loaded, or cannot be reached. Save your work and reload the page.",
    );
  }
  return errorText(error);
}
