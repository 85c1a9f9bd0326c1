/** The documents that an address of the page can name. */
export type Route =
  | { kind: "home" }
  /** A case of the server. */
  | { kind: "case"; id: string }
  /** A document from files of this computer, by its number in this page. It ends with the page. */
  | { kind: "file"; key: string; name: string }
  /** A Study stored in this browser, by the id of its document. */
  | { kind: "study"; key: string; name: string }
  /** A large view of the Study panel. It ends with the page. */
  | { kind: "view"; key: string; name: string };

export const HOME: Route = { kind: "home" };

/**
 * Parses the address: `?case=texas` (or `#case=texas`) names a case of the server, `#file=local-1&name=...` a file,
 * `#study=...` a stored Study, `#view=...` a large view.
 */
export function routeOf({ search, hash }: { search: string; hash: string }): Route {
  const inHash = new URLSearchParams(hash.replace(/^#/, ""));
  const id = new URLSearchParams(search).get("case") ?? inHash.get("case");
  if (id !== null && id !== "") {
    return { kind: "case", id };
  }
  for (const kind of ["file", "study", "view"] as const) {
    const key = inHash.get(kind);
    if (key !== null && key !== "") {
      return { kind, key, name: inHash.get("name") ?? "" };
    }
  }
  return HOME;
}

/** The address of a route, relative to the page, so that it works under every prefix. */
export function hrefOf(route: Route): string {
  switch (route.kind) {
    case "home":
      return "./";
    case "case":
      return `./?case=${encodeURIComponent(route.id)}`;
    case "file":
    case "study":
    case "view":
      return `./#${route.kind}=${encodeURIComponent(route.key)}&name=${encodeURIComponent(route.name)}`;
  }
}

/** Whether two routes name the same document, ignoring names for display. */
export function sameRoute(a: Route, b: Route): boolean {
  return a.kind === "study" && b.kind === "study" ? a.key === b.key : hrefOf(a) === hrefOf(b);
}
