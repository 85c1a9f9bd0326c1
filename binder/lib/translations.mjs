// Collects the texts of the user interface from the calls of `trans` in the sources and from the settings schemas, as a
// gettext template. JupyterLab's own tool, jupyterlab-translate, finds the same calls.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { ROOT, at } from "./paths.mjs";

/** The sentences of the engine, which the page translates too. */
const CATALOGUE = at("engine", "messages", "en.json");
/** Folders with texts. */
const SOURCES = [at("widgets", "src"), at("extension", "src")];
const SCHEMAS = at("extension", "schema");

/** The role of each argument of a call. */
const CALLS = {
  __: { text: 0, values: 1 },
  _n: { text: 0, plural: 1, values: 3 },
  _p: { context: 0, text: 1, values: 2 },
};

/** The parts of a schema that JupyterLab translates, with their contexts. */
const SCHEMA_TEXTS = [
  [/^\/(title|description)$/, "schema"],
  [/^(\/definitions\/.*)?\/properties\/.*\/(title|description)$/, "settings"],
  [/^\/jupyter\.lab\.setting-icon-label$/, "settings"],
  [/^\/jupyter\.lab\.menus\/.*\/label$/, "menu"],
  [/^\/jupyter\.lab\.toolbars\/.*\/label$/, "toolbar"],
];

/**
 * All texts: `[{ context, text, plural, places }]`, sorted by file and line, each text of a context once. Throws with
 * every place where a call cannot be collected or its placeholders do not match its values.
 */
export function collectTexts() {
  const found = new Map();
  const problems = [];
  const add = ({ context = "", text, plural = "", place }) => {
    const key = `${context}\u0004${text}`;
    const known = found.get(key) ?? { context, text, plural, places: [] };
    if (known.plural !== plural) {
      problems.push(`${place}: "${text}" stands with another plural, or without one, at ${known.places[0]}`);
    }
    known.places.push(place);
    found.set(key, known);
  };
  for (const file of SOURCES.flatMap(filesIn).sort()) {
    collectCalls(file, add, problems);
  }
  for (const entry of Object.values(JSON.parse(readFileSync(CATALOGUE, "utf8")))) {
    const [text, plural] = typeof entry === "string" ? [entry, ""] : [entry.one, entry.other];
    add({ text, plural, place: relative(ROOT, CATALOGUE) });
  }
  for (const name of readdirSync(SCHEMAS).sort()) {
    const path = join(SCHEMAS, name);
    collectSchema(JSON.parse(readFileSync(path, "utf8")), "", relative(ROOT, path), add);
  }
  if (problems.length > 0) {
    throw new Error(problems.join("\n"));
  }
  return [...found.values()];
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function collectCalls(file, add, problems) {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, kind);
  const visit = (node) => {
    const method = ts.isCallExpression(node) && /(?:^|\.)#?trans\.(__|_n|_p)$/.exec(node.expression.getText())?.[1];
    if (method) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      collectCall(node.arguments, CALLS[method], `${relative(ROOT, file)}:${line}`, add, problems);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

function collectCall(args, { context, text, plural, values }, place, add, problems) {
  const parts = { context, text, plural };
  const entry = { place };
  for (const [name, index] of Object.entries(parts)) {
    if (index !== undefined) {
      entry[name] = literal(args[index]);
    }
  }
  if (Object.keys(parts).some((name) => parts[name] !== undefined && !entry[name])) {
    problems.push(`${place}: the text is no literal, it cannot be collected`);
    return;
  }
  const given = args.slice(values);
  const count = given.some(ts.isSpreadElement) ? null : given.length + (plural === undefined ? 0 : 1);
  const named = [entry.text, entry.plural ?? ""].flatMap((one) =>
    [...one.matchAll(/%(\d+)/g)].map(([, k]) => Number(k)),
  );
  const unused = [...Array(count ?? 0).keys()].map((k) => k + 1).filter((k) => !named.includes(k));
  if (count !== null && (named.some((k) => k < 1 || k > count) || unused.some((k) => plural === undefined || k > 1))) {
    problems.push(`${place}: the placeholders of "${entry.text}" do not fit its ${count} values`);
  }
  add(entry);
}

/** The text of a literal, or of literals joined by plus signs; null for anything else. */
function literal(node) {
  if (node === undefined) {
    return null;
  }
  if (ts.isStringLiteralLike(node)) {
    return node.text;
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [literal(node.left), literal(node.right)];
    return left === null || right === null ? null : left + right;
  }
  return null;
}

function collectSchema(value, path, place, add) {
  if (typeof value === "string") {
    const context = SCHEMA_TEXTS.find(([pattern]) => pattern.test(path))?.[1];
    if (context !== undefined) {
      add({ context, text: value, place });
    }
  } else if (typeof value === "object" && value !== null) {
    Object.entries(value).forEach(([key, inner]) => collectSchema(inner, `${path}/${key}`, place, add));
  }
}

/** Texts as a gettext template (.pot). */
export function potOf(texts, version) {
  const head = [
    'msgid ""',
    'msgstr ""',
    `"Project-Id-Version: wattbook ${version}\\n"`,
    '"MIME-Version: 1.0\\n"',
    '"Content-Type: text/plain; charset=UTF-8\\n"',
    '"Content-Transfer-Encoding: 8bit\\n"',
    '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"',
  ];
  const entries = texts.map(({ context, text, plural, places }) =>
    [
      ...places.map((place) => `#: ${place}`),
      ...(context === "" ? [] : [`msgctxt ${quoted(context)}`]),
      `msgid ${quoted(text)}`,
      ...(plural === "" ? ['msgstr ""'] : [`msgid_plural ${quoted(plural)}`, 'msgstr[0] ""', 'msgstr[1] ""']),
    ].join("\n"),
  );
  return `${[head.join("\n"), ...entries].join("\n\n")}\n`;
}

function quoted(text) {
  return `"${text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n")}"`;
}
