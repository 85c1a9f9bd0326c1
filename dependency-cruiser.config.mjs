// Permitted imports between the parts of the TypeScript, and no import cycles; types count as well.
const between = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: to },
});

export default {
  forbidden: [
    {
      name: "no-circles",
      comment: "What both need goes into a module below them.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    between("engine-below-all", "The engine knows nobody.", "^engine/src/", "^(server|widgets|extension)/"),
    between("server-on-engine", "The server stands on the engine alone.", "^server/src/", "^(widgets|extension)/"),
    between(
      "server-http-below-routes",
      "What HTTP adds knows no case, no solve and no grid.",
      "^server/src/http/",
      "^server/src/(routes|cases|solver|staging|grids)/",
    ),
    between(
      "server-cases-below-routes",
      "Cases and solves know no route.",
      "^server/src/(cases|solver)/",
      "^server/src/(routes|staging|grids)/",
    ),
    between(
      "server-grids-apart",
      "The generator of the grids is a program of its own.",
      "^server/src/grids/",
      "^server/src/(?!grids/)",
    ),
    between("widgets-below-extension", "The widgets run without JupyterLab.", "^widgets/src/", "^(server|extension)/"),
    between(
      "agents-through-the-workspace",
      "The tools of agents see the workspace and its words; their page starts the stand-alone one.",
      "^extension/webmcp/src/(?!page\\.ts$)",
      "^(server|extension/src|widgets/src/(?!workspace/|text/))",
    ),
    between("extension-beside-server", "The extension talks to the server by HTTP.", "^extension/src/", "^server/"),
    between(
      "text-below-all",
      "Words and numbers know the engine only.",
      "^widgets/src/text/",
      "^widgets/src/(?!text/)",
    ),
    between(
      "workspace-without-views",
      "Cases and sessions know no view.",
      "^widgets/src/workspace/",
      "^widgets/src/(?!workspace/|text/)",
    ),
    between(
      "ui-below-views",
      "What views share knows none of them.",
      "^widgets/src/ui/",
      "^widgets/src/(?!ui/|workspace/|text/)",
    ),
    between(
      "views-below-frames",
      "Map, diagram, tables, charts and files know neither panel nor page nor notebook.",
      "^widgets/src/(map|diagram|tables|charts|files)/",
      "^widgets/src/(panel|page|notebook)/",
    ),
    between(
      "panel-beside-map",
      "What panel and map share is in ui.",
      "^widgets/src/panel/",
      "^widgets/src/(map|diagram)/",
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(engine|server|widgets|extension|extension/webmcp)/(lib|dist|wasm)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { conditionNames: ["wattbook-source", "types", "import"], exportsFields: ["exports"] },
  },
};
