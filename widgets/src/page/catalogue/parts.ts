/** Addresses of the map view, base solution and module of a case, below `api/`. */
export function partsOf(id: string): [network: string, solution: string, module: string] {
  const path = `cases/${encodeURIComponent(id)}`;
  return [`${path}/network`, `${path}/solution`, `${path}/case`];
}
