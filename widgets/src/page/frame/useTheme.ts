import { useEffect, useReducer, useState } from "react";
import { showTheme, storedTheme, storeTheme, type ThemeChoice, themeOf, watchSystem } from "./themeChoice.ts";

/** The theme that is chosen, the one that is shown, and how to choose another. */
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
