// Runs in the head. A page that is to be dark does not flash white; and what the server has of the case that the address names comes
// and is read while the page's own code comes.
import { routeOf } from "./address/route.ts";
import { type PricedBody, pictureOf, type ViewedBody } from "./catalogue/firstPicture.ts";
import { partsOf } from "./catalogue/parts.ts";
import { showTheme, storedTheme, themeOf } from "./frame/themeChoice.ts";

showTheme(themeOf(storedTheme()));

const route = routeOf(location);
if (route.kind === "case") {
  askFor(route.id).catch(() => undefined); // the page asks again, and tells
}

/** Asks for what the server has of a case, as the page will: it is then given these answers. */
async function askFor(id: string): Promise<void> {
  window.wattbookCases = fetch("./api/cases", { credentials: "same-origin" });
  window.wattbookCases.catch(() => undefined); // told by the page
  const cases: unknown = await (await window.wattbookCases).clone().json();
  if (!Array.isArray(cases) || !cases.some((one) => one.id === id && one.unavailable_reason === null)) {
    return;
  }
  const [network, solution, module] = partsOf(id);
  const picture = Promise.all([bodyOf(network), bodyOf(solution)]).then(([view, base]) =>
    pictureOf(view as ViewedBody, base as PricedBody),
  );
  picture.catch(() => undefined); // the page asks again
  window.wattbookPicture = { id, picture };
  await picture.catch(() => undefined);
  if (window.wattbookModule === undefined) {
    const answer = fetch(`./api/${module}`, { credentials: "same-origin" });
    answer.catch(() => undefined); // told by the page
    window.wattbookModule = { id, answer };
  }
}

async function bodyOf(path: string): Promise<unknown> {
  const response = await fetch(`./api/${path}`, { credentials: "same-origin" });
  if (!response.ok) {
    throw new Error(`${path}: ${response.status}`);
  }
  return response.json();
}
