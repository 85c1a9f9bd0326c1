// Builds the documentation site into dist/docs: guides, methods, decisions and benchmarks as pages, and the reference
// of every package. `npm run docs [-- OUT]`. Warnings of typedoc and broken links are errors. The site needs no
// network: it has a local search index.
import { rmSync } from "node:fs";
import { relative } from "node:path";
import { main, SetupError } from "../lib/fail.mjs";
import { ROOT, at } from "../lib/paths.mjs";
import { brokenLinks } from "./links.mjs";
import { buildSite } from "./site.mjs";

await main(async () => {
  const out = process.argv[2] ?? at("dist", "docs");
  rmSync(out, { recursive: true, force: true });
  const pages = await buildSite(out);
  const broken = brokenLinks(out);
  if (broken.length > 0) throw new SetupError(`These links lead nowhere:\n${broken.join("\n")}`);
  console.log(`${relative(ROOT, out)}: ${pages} documents and the reference`);
});
