/** What the address of the page names. */
export type Route =
  | { kind: "home" }
  /** A case of the server. */
  | { kind: "case"; id: string }
  /** Something opened from files of this computer, by its number in this page. It does not outlive the page. */
  | { kind: "file"; key: string; name: string };

export const HOME: Route = { kind: "home" };

/** Reads the address: `?case=texas` (or `#case=texas`) is a case of the server, `#file=local-1&name=...` a file. */
export function routeOf({ search, hash }: { search: string; hash: string }): Route {
  const inHash = new URLSearchParams(hash.replace(/^#/, ""));
  const id = new URLSearchParams(search).get("case") ?? inHash.get("case");
  if (id !== null && id !== "") {
    return { kind: "case", id };
  }
  const key = inHash.get("file");
  return key === null ? HOME : { kind: "file", key, name: inHash.get("name") ?? "" };
}

/** The address of a route, relative to the page, so that it holds under every prefix. */
export function hrefOf(route: Route): string {
  switch (route.kind) {
    case "home":
      return "./";
    case "case":
      return `./?case=${encodeURIComponent(route.id)}`;
    case "file":
      return `./#file=${encodeURIComponent(route.key)}&name=${encodeURIComponent(route.name)}`;
  }
}

export function sameRoute(a: Route, b: Route): boolean {
  return hrefOf(a) === hrefOf(b);
}
