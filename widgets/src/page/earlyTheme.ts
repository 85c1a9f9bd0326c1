// Runs in the head, before anything is painted: a page that is to be dark does not flash white.
import { showTheme, storedTheme, themeOf } from "./themeChoice.ts";

showTheme(themeOf(storedTheme()));
