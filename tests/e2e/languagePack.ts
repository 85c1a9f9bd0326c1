// A language pack in the pseudo-language, made from the template of `npm run translations`, for one JupyterLab only.
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
// @ts-expect-error plain JavaScript, as all of the set-up
import { collectTexts } from "../../binder/lib/translations.mjs";
import { pseudo } from "../fixtures/pseudo.ts";
import { ENVIRONMENT } from "./lab.ts";

/** Esperanto, because no installed language pack conflicts with it. */
const LANGUAGE = "eo";
const PLURALS = "nplurals=2; plural=(n != 1);";

interface Text {
  context: string;
  text: string;
  plural: string;
}

/**
 * The compiled catalogue with which the server translates settings; JupyterLab's language packs ship it beside the JSON
 * of the pages.
 */
const WRITE_MO = `
import json, sys
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
catalog = Catalog(locale="${LANGUAGE}")
for entry in json.load(sys.stdin):
    catalog.add(entry["id"], entry["string"], context=entry["context"] or None)
with open(sys.argv[1], "wb") as file:
    write_mo(file, catalog)
`;

/**
 * Installs the pack in a home folder and selects its language. The texts are stored in the two ways packages may ship
 * them: as a package's own locale (\`jupyterlab.locale\`), and the settings in a pack of the language
 * (\`jupyterlab.languagepack\`).
 */
export async function pseudoLanguage(home: string): Promise<Record<string, string>> {
  const site = join(home, "site");
  const own = join(site, "wattbook_pseudo");
  const pack = join(site, `jupyterlab_language_pack_${LANGUAGE}`);
  const messages = (module: string): string => join(module, "locale", LANGUAGE, "LC_MESSAGES");
  const metadata = join(site, "wattbook_pseudo-0.1.0.dist-info");
  const settings = join(home, "settings", "@jupyterlab", "translation-extension");
  await Promise.all(
    [messages(own), messages(pack), metadata, settings].map((path) => mkdir(path, { recursive: true })),
  );
  const texts = collectTexts() as Text[];
  const head = (domain: string) => ({ domain, language: LANGUAGE, plural_forms: PLURALS, version: "0.1.0" });
  const table = Object.fromEntries(
    texts.map(({ context, text, plural }) => [
      context === "" ? text : `${context}\u0004${text}`,
      plural === "" ? [pseudo(text)] : [pseudo(text), pseudo(plural)],
    ]),
  );
  await Promise.all([
    writeFile(join(own, "__init__.py"), ""),
    writeFile(join(messages(own), "wattbook.json"), JSON.stringify({ "": head("wattbook"), ...table })),
    writeFile(join(pack, "__init__.py"), ""),
    writeFile(join(messages(pack), "jupyterlab.json"), JSON.stringify({ "": head("jupyterlab") })),
    writeFile(join(metadata, "METADATA"), "Metadata-Version: 2.1\nName: wattbook-pseudo\nVersion: 0.1.0\n"),
    writeFile(
      join(metadata, "entry_points.txt"),
      `[jupyterlab.locale]\nwattbook = wattbook_pseudo\n[jupyterlab.languagepack]\n${LANGUAGE} = jupyterlab_language_pack_${LANGUAGE}\n`,
    ),
    writeFile(join(settings, "plugin.jupyterlab-settings"), JSON.stringify({ locale: LANGUAGE })),
  ]);
  const entries = texts.map(({ context, text, plural }) => ({
    context,
    id: plural === "" ? text : [text, plural],
    string: plural === "" ? pseudo(text) : [pseudo(text), pseudo(plural)],
  }));
  execFileSync(join(ENVIRONMENT, "bin", "python"), ["-c", WRITE_MO, join(messages(pack), "wattbook.mo")], {
    input: JSON.stringify(entries),
  });
  return { PYTHONPATH: site };
}
