import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const LINK = /<(?:a|link|img|script|source)\b[^>]*?\s(?:href|src)="([^"]*)"/g;
const ID = /\s(?:id|name)="([^"]*)"/g;

/** Broken links of the site, each as `page: target`. External addresses are not checked. */
export function brokenLinks(folder) {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
  const texts = new Map(pages.map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]));
  const ids = new Map();
  const idsOf = (path) => {
    if (!ids.has(path)) ids.set(path, new Set([...texts.get(path).matchAll(ID)].map(([, id]) => decoded(id))));
    return ids.get(path);
  };
  const leadsSomewhere = (page, target) => {
    const [path, fragment] = target.split("#");
    const file = path === "" ? page : resolve(dirname(page), decodeURIComponent(path.split("?")[0]));
    if (!existsSync(file) || statSync(file).isDirectory()) return false;
    return !fragment || !texts.has(file) || idsOf(file).has(decodeURIComponent(fragment));
  };
  return [...texts].flatMap(([page, text]) => {
    const targets = new Set([...text.matchAll(LINK)].map(([, target]) => decoded(target)));
    const own = [...targets].filter((target) => !/^(\w+:|\/\/)/.test(target));
    return own.filter((one) => !leadsSomewhere(page, one)).map((one) => `${relative(folder, page)}: ${one}`);
  });
}

function decoded(text) {
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
