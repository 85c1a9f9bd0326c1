// Runs in the head, before anything is painted: a page that is to be dark does not flash white.
import { showTheme, storedTheme, themeOf } from "./frame/themeChoice.ts";

showTheme(themeOf(storedTheme()));
