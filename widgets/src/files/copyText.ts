import { trans } from "../text/index.ts";

/**
 * Puts a text on the clipboard. Pages of plain-http hubs lack the Clipboard API, so the older command is used there.
 * Rejects when neither works.
 */
export async function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as { clipboard?: Clipboard };
  if (clipboard !== undefined) {
    await clipboard.writeText(text);
    return;
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) {
    throw new Error(trans.__("The browser did not allow copying."));
  }
}
