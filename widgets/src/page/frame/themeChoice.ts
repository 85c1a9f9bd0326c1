/** What the user chooses; `system` follows the system's preferences. */
export const THEME_CHOICES = ["system", "light", "dark", "light-contrast", "dark-contrast"] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

/** A theme in use. */
export type PageTheme = Exclude<ThemeChoice, "system">;

const STORED = "wattbook:theme";

/** The choice of an earlier visit, if the browser allows storage. */
export function storedTheme(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORED);
    return THEME_CHOICES.find((choice) => choice === stored) ?? "system";
  } catch {
    return "system"; // storage is blocked
  }
}

export function storeTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(STORED, choice);
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}

const DARK = "(prefers-color-scheme: dark)";
const CONTRAST = "(prefers-contrast: more)";

/** The theme for a choice on this system. */
export function themeOf(choice: ThemeChoice): PageTheme {
  if (choice !== "system") {
    return choice;
  }
  const shade = matchMedia(DARK).matches ? "dark" : "light";
  return matchMedia(CONTRAST).matches ? `${shade}-contrast` : shade;
}

/** Calls `changed` when the system's preferences change. */
export function watchSystem(changed: () => void): void {
  for (const query of [DARK, CONTRAST]) {
    matchMedia(query).addEventListener("change", changed);
  }
}

/** Applies a theme to the page. The body has the attributes of JupyterLab's, which the views follow. */
export function showTheme(theme: PageTheme): void {
  document.documentElement.dataset["theme"] = theme;
  const { body } = document as { body: HTMLElement | null }; // null when called from the head
  if (body !== null) {
    body.dataset["jpThemeLight"] = String(theme.startsWith("light"));
    body.dataset["jpThemeName"] = theme;
  }
}
