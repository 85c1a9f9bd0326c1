const ROOMS = ["workspace", "map", "panel", "diagram", "tables", "charts", "files", "text", "ui", "notebook", "page"];

/** The public modules of every package by the file that exports them, without its extension. */
export const PUBLIC_MODULES = new Map([
  ["engine/src/index", "@service/engine"],
  ["engine/src/node", "@service/engine/node"],
  ["server/src/index", "@service/server"],
  ["extension/webmcp/src/index", "@service/webmcp"],
  ["extension/src/index", "@service/jupyterlab"],
  ["widgets/svelte/src/props", "@service/svelte"],
  ...ROOMS.map((room) => [`widgets/src/${room}/index`, `@service/widgets/${room}`]),
]);
