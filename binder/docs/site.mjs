import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import katex from "@vscode/markdown-it-katex";
import { Application, Converter } from "typedoc";
import { SetupError } from "../lib/fail.mjs";
import { VENV, at } from "../lib/paths.mjs";
import { PUBLIC_MODULES } from "../lib/publicModules.mjs";
import { run } from "../lib/run.mjs";
import { httpReference } from "./httpReference.mjs";
import { drawPictures, readPictures } from "./pictures.mjs";

/** The pages by group, in the order of the navigation. */
const DOCUMENTS = [
  ["Guides", ["docs/guides/tutorial.md", "docs/guides/[!t]*.md"]],
  [
    "Explanation",
    ["docs/explanation/*.md", "docs/glossary.md", "docs/contract.md", "docs/architecture.md", "docs/conformance.md"],
  ],
  ["Reference", ["docs/reference/*.md", ".setup/docs/*.md"]], // the latter are generated below
  ["Methods", ["docs/method/*.md"]],
  ["Benchmarks", ["docs/benchmarks/*.md"]],
  ["Decisions", ["docs/decisions/*.md"]],
  ["Project", ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/dependencies.md"]],
];

/** Languages of code blocks; any other one is a warning, and thus an error. */
const LANGUAGES = (
  "bash sh css html ini javascript json jsonc julia markdown matlab mermaid nginx " +
  "python rust sql svelte toml tsx typescript xml yaml"
).split(" ");

/** Builds the site and returns the number of its pages in Markdown. */
export async function buildSite(out) {
  await writeReferences(at(".setup", "docs"));
  const app = await Application.bootstrap({
    name: "Wattbook",
    entryPoints: [...PUBLIC_MODULES.keys()].map((path) => at(`${path}.ts`)),
    tsconfig: at("binder", "docs", "tsconfig.json"),
    projectDocuments: DOCUMENTS.flatMap(([, patterns]) => patterns.map((pattern) => at(pattern))),
    readme: at("README.md"),
    out,
    basePath: at(),
    displayBasePath: at(),
    // Type checking is a separate step of lint.
    skipErrorChecking: true,
    treatWarningsAsErrors: true,
    // Types behind the public ones are only in the sources; every other check of typedoc is an error.
    validation: { notExported: false, invalidLink: true, invalidPath: true, rewrittenLink: true, notDocumented: false },
    excludePrivate: true,
    excludeInternal: true,
    searchInDocuments: true,
    searchInComments: true,
    highlightLanguages: LANGUAGES,
    customCss: at("binder", "docs", "style.css"),
    // Names of files are not addresses.
    markdownItOptions: { html: true, linkify: false },
    markdownItLoader: (parser) => {
      readFormulas(parser);
      readPictures(parser);
    },
    disableGit: true,
    sourceLinkTemplate: "https://github.com/wattbook/wattbook/blob/main/{path}#L{line}",
    includeVersion: false,
    includeHierarchySummary: false,
    hideGenerator: true,
    navigation: { includeGroups: true, includeCategories: false, includeFolders: false },
    groupOrder: [...DOCUMENTS.map(([group]) => group), "Modules", "*"],
    sort: ["documents-first", "alphabetical-ignoring-documents"],
    logLevel: "Warn",
  });
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => present(app, document));
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => nameModules(app, project));
  drawPictures(app);
  const project = await app.convert();
  if (project === undefined) throw new SetupError("The sources could not be read; the reason is above.");
  app.validate(project);
  await app.generateDocs(project, out);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new SetupError("Warnings of typedoc are errors.");
  return project.documents?.length ?? 0;
}

/**
 * The references not generated from TypeScript: HTTP from the server's own description, Python and its command from the
 * package.
 */
async function writeReferences(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "http.md"), await httpReference());
  for (const [script, page] of [
    ["pythonReference.py", "python.md"],
    ["commandLine.py", "command-line.md"],
  ])
    await run(join(VENV, "bin", "python"), [at("binder", "docs", script), join(folder, page)]);
}

/**
 * Formulas as MathML, which browsers draw without bundled fonts. A dollar before a slash is the currency, as in $/MWh.
 */
function readFormulas(parser) {
  parser.use(katex.default ?? katex, { output: "mathml", throwOnError: true });
  parser.inline.ruler.before("escape", "currency", (state) => {
    if (!state.src.startsWith("$/", state.pos)) return false;
    state.pending += "$";
    state.pos += 1;
    return true;
  });
}

/** Names a module by its import specifier. */
function nameModules(app, project) {
  for (const module of project.children ?? []) {
    const path = app.files.getReflectionPath(module);
    const name = PUBLIC_MODULES.get(path.slice(at().length + 1).replace(/\.\w+$/, ""));
    if (name === undefined) throw new SetupError(`${path} is no public module.`);
    module.name = name;
  }
}

/** Titles a page by its first heading, and puts it into its group. */
function present(app, document) {
  const path = app.files.getReflectionPath(document);
  const [heading] = readFileSync(path, "utf8").match(/^# .*$/m) ?? [];
  if (heading === undefined) throw new SetupError(`${path} has no heading.`);
  document.name = heading.slice(2).replaceAll("`", "");
  const relative = path.slice(at().length + 1);
  const group = DOCUMENTS.find(([, patterns]) =>
    patterns.some(
      (pattern) =>
        relative === pattern ||
        (pattern.includes("*") && relative.startsWith(pattern.slice(0, pattern.lastIndexOf("/") + 1))),
    ),
  );
  document.frontmatter.group = group[0];
}
