// `npm run docs`: every page and every public module, without a network and without a broken link.
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { test } from "tap";
// @ts-expect-error plain JavaScript
import { brokenLinks } from "../../binder/docs/links.mjs";
// @ts-expect-error plain JavaScript
import { findChromium } from "../../binder/steps/chromium.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const html = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));

test("the site", async (t) => {
  const folder = t.testdir({});
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, "binder/docs/main.mjs"), folder], {
    cwd: ROOT,
  });
  t.match(stdout, /: \d+ documents and the reference/);
  const pages = html(folder);
  const headings = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => /^# (.*)$/m.exec(readFileSync(join(ROOT, "docs", name), "utf8"))?.[1]?.replaceAll("`", "") ?? name);
  const titles = new Set(
    pages.map((name) => /<title>(.*?) \| Wattbook<\/title>/.exec(readFileSync(join(folder, name), "utf8"))?.[1]),
  );
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("'", "&#39;");
  t.strictSame(
    headings.filter((heading) => !titles.has(heading) && !titles.has(escaped(heading))),
    [],
    "every page of docs",
  );
  for (const name of [
    "@service/engine",
    "@service/webmcp",
    "@service/svelte",
    "@service/server",
    "Changelog",
    "Security",
    "Python reference",
    "HTTP reference",
    "Command-line reference",
    "Formulations",
    "Formats",
    "Events",
    "Environment variables",
  ]) {
    t.ok(titles.has(name), name);
  }
  t.ok(existsSync(join(folder, "assets/search.js")), "the index of the search lies beside the pages");
  const loading = /<(?:script|img|link rel="stylesheet")\b[^>]*(?:src|href)="(?:https?:)?\/\//;
  t.strictSame(
    pages.filter((name) => loading.test(readFileSync(join(folder, name), "utf8"))),
    [],
    "nothing is loaded from elsewhere",
  );
  const page = pages.find((name) => readFileSync(join(folder, name), "utf8").includes("<title>Architecture |")) ?? "";
  const browser = await chromium.launch({ executablePath: findChromium() as string, args: ["--no-sandbox"] });
  t.teardown(() => browser.close());
  const shown = await browser.newPage();
  await shown.goto(pathToFileURL(join(folder, page)).href);
  await shown.locator("pre.mermaid svg").waitFor();
  t.match(await shown.locator("pre.mermaid svg").textContent(), /widgets\/src.*workspace/s, "the picture is drawn");
});

test("broken links are found", async (t) => {
  const folder = t.testdir({
    "a.html":
      '<h1 id="here"></h1><a href="b.html#there">x</a><a href="#here">x</a><a href="https://example.org/x">x</a>',
    "b.html": '<p id="there"></p><a href="a.html#gone">x</a><img src="no.png"><a href="c%20d.html">x</a>',
    "c d.html": "",
  });
  t.strictSame(brokenLinks(folder), ["b.html: a.html#gone", "b.html: no.png"]);
});
