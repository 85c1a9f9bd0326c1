import type { ReactElement } from "react";
import { THEME_CHOICES, type ThemeChoice } from "./themeChoice.ts";

const LABELS: Record<ThemeChoice, string> = {
  system: "As the system",
  light: "Light",
  dark: "Dark",
  "light-contrast": "High contrast, light",
  "dark-contrast": "High contrast, dark",
};

/** Chooses the theme of the page. */
export function ThemeSelect(props: { choice: ThemeChoice; choose: (choice: ThemeChoice) => void }): ReactElement {
  return (
    <label className="wb-Page-theme">
      <span>Theme</span>
      <select value={props.choice} onChange={({ target }) => props.choose(target.value as ThemeChoice)}>
        {THEME_CHOICES.map((choice) => (
          <option key={choice} value={choice}>
            {LABELS[choice]}
          </option>
        ))}
      </select>
    </label>
  );
}
