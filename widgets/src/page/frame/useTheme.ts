import { useEffect, useReducer, useState } from "react";
import { showTheme, storedTheme, storeTheme, type ThemeChoice, themeOf, watchSystem } from "./themeChoice.ts";

/** The chosen theme, the theme in use, and a function that changes the choice. */
export function useTheme() {
  const [choice, setChoice] = useState(storedTheme);
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => watchSystem(again), []);
  const shown = themeOf(choice);
  useEffect(() => showTheme(shown), [shown]);
  const choose = (next: ThemeChoice): void => {
    storeTheme(next);
    setChoice(next);
  };
  return { choice, shown, choose };
}
