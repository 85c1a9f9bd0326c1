// Runs in the head. A page that is to be dark does not flash white; and what the server has of the case that the address names is on
// its way while the page's own code comes.
import { routeOf } from "./address/route.ts";
import { partsOf } from "./catalogue/parts.ts";
import { showTheme, storedTheme, themeOf } from "./frame/themeChoice.ts";

showTheme(themeOf(storedTheme()));

const route = routeOf(location);
if (route.kind === "case") {
  preload(route.id).catch(() => undefined); // the page asks again, and tells
}

/** Asks for the parts of a case that the server has, as the page will: it is then given these answers. */
async function preload(id: string): Promise<void> {
  window.wattbookCases = fetch("./api/cases", { credentials: "same-origin" });
  window.wattbookCases.catch(() => undefined); // told by the page
  const cases: unknown = await (await window.wattbookCases).clone().json();
  if (!Array.isArray(cases) || !cases.some((one) => one.id === id && one.unavailable_reason === null)) {
    return;
  }
  for (const path of partsOf(id)) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: `./api/${path}` });
    document.head.append(link);
  }
}
