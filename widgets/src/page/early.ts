// Runs in the head. Sets the theme, so that a dark page does not flash white, and requests the server's data of the
// case in the address while the page's own code loads.
import { routeOf } from "./address/route.ts";
import { type PricedBody, pictureOf, type ViewedBody } from "./catalogue/firstPicture.ts";
import { partsOf } from "./catalogue/parts.ts";
import { showTheme, storedTheme, themeOf } from "./frame/themeChoice.ts";

showTheme(themeOf(storedTheme()));

const route = routeOf(location);
if (route.kind === "case") {
  askFor(route.id).catch(() => undefined); // the page requests it again and reports errors
}

/** Requests the server's data of a case as the page will, which then uses these answers. */
async function askFor(id: string): Promise<void> {
  window.wattbookCases = fetch("./api/cases", { credentials: "same-origin" });
  window.wattbookCases.catch(() => undefined); // the page reports the error
  const cases: unknown = await (await window.wattbookCases).clone().json();
  if (!Array.isArray(cases) || !cases.some((one) => one.id === id && one.unavailable_reason === null)) {
    return;
  }
  const [network, solution, module] = partsOf(id);
  const picture = Promise.all([bodyOf(network), bodyOf(solution)]).then(([view, base]) =>
    pictureOf(view as ViewedBody, base as PricedBody),
  );
  picture.catch(() => undefined); // the page requests it again
  window.wattbookPicture = { id, picture };
  await picture.catch(() => undefined);
  if (window.wattbookModule === undefined) {
    const answer = fetch(`./api/${module}`, { credentials: "same-origin" });
    answer.catch(() => undefined); // the page reports the error
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
