import type { Contents } from "@jupyterlab/services";
import type { IntakeFile } from "@service/widgets/workspace";

/** Extensions of the files that a case map can be opened with: the service's, in the order of its specification. */
const EXTENSIONS = [
  ".m",
  ".raw",
  ".rawx",
  ".aux",
  ".pwb",
  ".epc",
  ".cdf",
  ".uct",
  ".xiidm",
  ".iidm",
  ".zip",
  ".xml",
  ".dss",
  ".pwd",
  ".csv",
  ".json",
  ".geojson",
];

/** Whether a file with this name may be a case. */
export function mayOpen(name: string): boolean {
  return EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension));
}

/** A file of bytes that are already in memory. */
export function fileOfBytes(name: string, bytes: Uint8Array<ArrayBuffer>): IntakeFile {
  return { name, size: bytes.length, arrayBuffer: () => Promise.resolve(bytes.slice().buffer) };
}

/** The bytes of base64 text; null if the text is not base64. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** The base64 text of bytes. */
export function base64OfBytes(bytes: Uint8Array): string {
  const PIECE = 1 << 15; // arguments of one call
  let text = "";
  for (let from = 0; from < bytes.length; from += PIECE) {
    text += String.fromCharCode(...bytes.subarray(from, from + PIECE));
  }
  return btoa(text);
}

/** A file of the server, read only when its batch needs it. Rejects if it does not exist. */
export async function fileOfPath(
  contents: Contents.IManager,
  path: string,
  fetchBytes: (url: string) => Promise<ArrayBuffer>,
): Promise<IntakeFile> {
  const { name, size } = await contents.get(path, { content: false });
  return {
    name,
    size: size ?? 0,
    onServer: true,
    arrayBuffer: async () => fetchBytes(await contents.getDownloadUrl(path)),
  };
}
