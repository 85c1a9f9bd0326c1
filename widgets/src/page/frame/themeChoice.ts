/** What the user chooses; `system` follows the system's preferences. */
export const THEME_CHOICES = ["system", "light", "dark", "light-contrast", "dark-contrast"] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

/** A theme that is shown. */
export type PageTheme = Exclude<ThemeChoice, "system">;

const STORED = "wattbook:theme";

/** The choice of an earlier visit, where the browser lets the page keep it. */
export function storedTheme(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORED);
    return THEME_CHOICES.find((choice) => choice === stored) ?? "system";
  } catch {
    return "system"; // storage is blocked: nothing was kept
  }
}

export function storeTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(STORED, choice);
  } catch {
    // storage is blocked: the choice lasts as long as the page
  }
}

const DARK = "(prefers-color-scheme: dark)";
const CONTRAST = "(prefers-contrast: more)";

/** The theme of a choice on this system. */
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

/** Puts a theme on the page; the attributes of the body are those of JupyterLab, which the views follow. */
export function showTheme(theme: PageTheme): void {
  document.documentElement.dataset["theme"] = theme;
  const { body } = document as { body: HTMLElement | null }; // not there yet when called from the head
  if (body !== null) {
    body.dataset["jpThemeLight"] = String(theme.startsWith("light"));
    body.dataset["jpThemeName"] = theme;
  }
}
