/** Format tokens of the case files, by extension. The engine's own table is the same; a test compares them. */
const FORMATS: Readonly<Record<string, string>> = {
  m: "matpower",
  raw: "psse",
  aux: "powerworld",
  pwb: "pwb",
  epc: "pslf",
  dss: "dss",
};

/**
 * Format token of a case file by its name (any letter case), undefined if unsupported. `dss` is for `ingestDistribution`, the
 * others are for `ingestCase`; JSON goes by content to `ingestJsonDrop`.
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
