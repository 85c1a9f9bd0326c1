const svg = (path: string): string =>
  `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor" ` +
  `stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${path}</svg>`;

/** Icons of the bar, drawn in the colour of the text. */
export const ICONS = {
  fit: svg('<rect x="5" y="5" width="6" height="6" rx="1"/><path d="M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3"/>'),
  fullScreen: svg('<path d="M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5l-4.5 4.5M2.5 13.5L7 9"/>'),
  table: svg('<rect x="2" y="3" width="12" height="10" rx="1"/><path d="M2 6.5h12M2 9.8h12M6.5 6.5V13"/>'),
  menu: svg('<path d="M3 4h10M3 8h10M3 12h10"/>'),
};
