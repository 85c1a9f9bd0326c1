/** Format tokens of the case files by extension. A test compares the table with that of the engine. */
const FORMATS: Readonly<Record<string, string>> = {
  m: "matpower",
  raw: "psse",
  rawx: "psse-rawx",
  aux: "powerworld",
  pwb: "pwb",
  epc: "pslf",
  cdf: "ieee-cdf",
  uct: "ucte",
  xiidm: "xiidm",
  iidm: "xiidm",
  zip: "cgmes",
  xml: "cgmes",
  dss: "dss",
};

/**
 * The format token of a case file by its name, ignoring letter case; undefined if the format is not supported. `dss` is
 * for `ingestDistribution`, all others are for `ingestCase`. JSON is classified by content in `ingestJsonDrop`.
 */
export function formatOf(name: string): string | undefined {
  const extension = extensionOf(name);
  return extension !== undefined && Object.hasOwn(FORMATS, extension) ? FORMATS[extension] : undefined;
}

/** Whether a file holds drawing positions (.pwd). */
export function isDisplayFile(name: string): boolean {
  return extensionOf(name) === "pwd";
}

function extensionOf(name: string): string | undefined {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : undefined;
}
