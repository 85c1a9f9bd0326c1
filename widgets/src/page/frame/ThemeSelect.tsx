import type { ReactElement } from "react";
import { THEME_CHOICES, type ThemeChoice } from "./themeChoice.ts";
import { trans } from "../../text/index.ts";

function themeName(choice: ThemeChoice): string {
  switch (choice) {
    case "system":
      return trans.__("As the system");
    case "light":
      return trans.__("Light");
    case "dark":
      return trans.__("Dark");
    case "light-contrast":
      return trans.__("High contrast, light");
    case "dark-contrast":
      return trans.__("High contrast, dark");
  }
}

/** Chooses the theme of the page. */
export function ThemeSelect(props: { choice: ThemeChoice; choose: (choice: ThemeChoice) => void }): ReactElement {
  return (
    <label className="wb-Page-theme">
      <span>{trans.__("Theme")}</span>
      <select value={props.choice} onChange={({ target }) => props.choose(target.value as ThemeChoice)}>
        {THEME_CHOICES.map((choice) => (
          <option key={choice} value={choice}>
            {themeName(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}
