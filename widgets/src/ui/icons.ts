const svg = (path: string): string =>
  `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor" ` +
  `stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${path}</svg>`;

/** Icons of the bar, drawn in the colour of the text. */
export const ICONS = {
  fit: svg('<rect x="5" y="5" width="6" height="6" rx="1"/><path d="M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3"/>'),
  fullScreen: svg('<path d="M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5l-4.5 4.5M2.5 13.5L7 9"/>'),
  undo: svg('<path d="M5.5 3L2.5 6l3 3M2.5 6h6.8a3.7 3.7 0 0 1 0 7.4H6"/>'),
  redo: svg('<path d="M10.5 3l3 3-3 3M13.5 6H6.7a3.7 3.7 0 0 0 0 7.4H10"/>'),
  table: svg('<rect x="2" y="3" width="12" height="10" rx="1"/><path d="M2 6.5h12M2 9.8h12M6.5 6.5V13"/>'),
  search: svg('<circle cx="7" cy="7" r="4.2"/><path d="M10.2 10.2L14 14"/>'),
  colours: svg(
    '<path d="M8 2a6 6 0 1 0 0 12c1.3 0 1.6-.8 1.2-1.6-.5-1.1.1-2.1 1.4-2.1H12a2 2 0 0 0 2-2C14 4.8 11.3 2 8 2z"/>' +
      '<circle cx="5.2" cy="7" r=".7"/><circle cx="8" cy="5" r=".7"/><circle cx="10.9" cy="6.6" r=".7"/>',
  ),
  play: svg('<path d="M5 3.2v9.6L13 8z" fill="currentColor"/>'),
  pause: svg('<path d="M5.5 3.5v9M10.5 3.5v9" stroke-width="2.4"/>'),
  menu: svg('<path d="M3 4h10M3 8h10M3 12h10"/>'),
  /** Icons to collapse or expand a legend. */
  less: svg('<path d="M4 6.5l4 4 4-4"/>'),
  more: svg('<path d="M4 9.5l4-4 4 4"/>'),
  /** Smaller than the others, for use within a line of text. */
  needle:
    '<svg viewBox="0 0 10 12" width="10" height="12" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1" ' +
    'stroke-linejoin="round"><path d="M5 .8L7.8 6H2.2z" fill="currentColor"/><path d="M2.2 6h5.6L5 11.2z"/></svg>',
};
