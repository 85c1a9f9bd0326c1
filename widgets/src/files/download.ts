import type { MadeFile } from "../workspace/index.ts";

/** Passes a file made in the page to the browser's downloads. Nothing leaves the machine. */
export function downloadFile({ name, bytes }: Pick<MadeFile, "name" | "bytes">): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has started when the click returns, but some browsers open the address later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
