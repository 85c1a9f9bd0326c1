// Files as a person drops or chooses them, and a record of everything that leaves the page.
import type { Locator, Page, Request } from "playwright-core";
import type { Workspace } from "@service/widgets/workspace";

/** A file as the browser passes it. */
export interface DroppedFile {
  name: string;
  bytes: Uint8Array;
}

/** Drops files on an element, with the events of a real drag. */
export async function dropFiles(target: Locator, files: readonly DroppedFile[]): Promise<void> {
  const content = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString("base64") }));
  const transfer = await target.page().evaluateHandle(async (list) => {
    const data = new DataTransfer();
    for (const { name, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    return data;
  }, content);
  for (const type of ["dragenter", "dragover", "drop"]) {
    await target.dispatchEvent(type, { dataTransfer: transfer });
  }
}

/** Drops files of given sizes whose content is never read. */
export async function dropSizes(target: Locator, sizes: readonly number[]): Promise<void> {
  const transfer = await target.page().evaluateHandle((list) => {
    const data = new DataTransfer();
    list.forEach((size, k) => data.items.add(new File([new Uint8Array(size)], `case${k}.m`)));
    return data;
  }, sizes);
  for (const type of ["dragenter", "dragover", "drop"]) {
    await target.dispatchEvent(type, { dataTransfer: transfer });
  }
}

/** JupyterLab's own requests, which contain nothing of a file. */
const OWN_PATHS =
  /\/(api\/(settings|workspaces|sessions|kernels|terminals|me|contents\/untitled)|lab\/api\/(settings|workspaces|translations))/;

/** Collects every request with a body, except JupyterLab's saving of its own layout and settings. */
export function watchUploads(page: Page): { uploads: string[]; bodies(): string[] } {
  const uploads: string[] = [];
  const bodies: string[] = [];
  page.on("request", (request: Request) => {
    const body = request.postData();
    if (body !== null) {
      bodies.push(body);
      if (!OWN_PATHS.test(new URL(request.url()).pathname)) {
        uploads.push(`${request.method()} ${request.url()}`);
      }
    }
  });
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) =>
      bodies.push(typeof payload === "string" ? payload : payload.toString("latin1")),
    );
  });
  return { uploads, bodies: () => bodies };
}

/** Map positions and drawing positions of the case in front, by row. */
export function positionsInFront(page: Page): Promise<{ lon: number[]; lat: number[]; x: number[] }> {
  return page.evaluate(async () => {
    interface Module {
      IWorkspace: unknown;
    }
    const page = window as unknown as {
      _JUPYTERLAB: Record<string, { get(name: string): Promise<() => Module> }>;
      jupyterapp: { resolveRequiredService(token: unknown): Promise<Workspace> };
    };
    const extension = await page._JUPYTERLAB["@service/jupyterlab"]?.get("./index");
    const workspace = await page.jupyterapp.resolveRequiredService(extension?.().IWorkspace);
    const geography = workspace.active?.opened.geography;
    const { map = null, drawing = null } = geography ?? {};
    return { lon: [...(map?.x ?? [])], lat: [...(map?.y ?? [])], x: [...(drawing?.positions.x ?? [])] };
  });
}

/**
 * Problems for screen readers inside an element: visible controls without a name, images without a text, duplicate ids,
 * and the lack of any live region.
 */
export function accessibilityProblems(root: Locator): Promise<string[]> {
  return root.evaluate((element: HTMLElement) => {
    const problems: string[] = [];
    const named = (control: HTMLElement): boolean =>
      [
        control.getAttribute("aria-label"),
        control.textContent,
        control.title,
        control.closest("label")?.textContent,
      ].some((name) => name?.trim());
    const controls = element.querySelectorAll<HTMLElement>("button, input, canvas, select, progress, [role]");
    for (const control of controls) {
      const needs = control.getAttribute("role") !== "status";
      if (control.checkVisibility() && needs && !named(control)) {
        problems.push(`no name: ${control.outerHTML.slice(0, 120)}`);
      }
    }
    for (const picture of element.querySelectorAll("svg:not([aria-hidden], [aria-label]), img:not([alt])")) {
      problems.push(`no text: ${picture.outerHTML.slice(0, 120)}`);
    }
    if (element.querySelector("[aria-live], [role=status]") === null) {
      problems.push("no live region");
    }
    return problems;
  });
}
