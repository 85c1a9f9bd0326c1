// Runs in a page in one file: assigns an address to each packed file, and starts the page's code. Modules import each
// other through an import map, because the addresses of packed files are known only here and some modules import each
// other in cycles.
import { ZSTDDecoder } from "zstddec";
import { bytesOf } from "./characters.ts";
import "./packed.ts";

const TYPES: Record<string, string> = {
  js: "text/javascript",
  css: "text/css",
  json: "application/json",
  wasm: "application/wasm",
};
const PREFIX = "wattbook/";

interface Packed {
  readonly name: string;
  /** The start of the page's code, a module, a style sheet, or a file that modules refer to. */
  readonly role: string;
  readonly blob: Blob;
}

/** The files that an element contains, one after the other in one stream. */
function unpacked(node: HTMLScriptElement, decoder: ZSTDDecoder): Packed[] {
  const { bytes, files = "[]" } = node.dataset;
  const table = JSON.parse(files) as { name: string; role: string; bytes: number }[];
  const whole = decoder.decode(bytesOf(node.text, Number(bytes))) as Uint8Array<ArrayBuffer>;
  node.remove();
  let end = 0;
  return table.map(({ name, role, bytes }) => {
    end += bytes;
    const type = TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
    return { name, role, blob: new Blob([whole.subarray(end - bytes, end)], { type }) };
  });
}

async function start(): Promise<void> {
  const decoder = new ZSTDDecoder();
  await decoder.init();
  const nodes = document.querySelectorAll<HTMLScriptElement>("script[data-files]");
  const files = [...nodes].flatMap((node) => unpacked(node, decoder));
  const isModule = ({ role }: Packed): boolean => role === "module" || role === "main";
  const addresses = new Map(
    files.filter((file) => !isModule(file)).map(({ name, blob }) => [name, URL.createObjectURL(blob)]),
  );
  const modules = files.filter(isModule);
  const specifiers = new Map(modules.map(({ name }) => [name, `${PREFIX}${name}`]));
  const imports: Record<string, string> = {};
  for (const { name, blob } of modules) {
    const code = (await blob.text()).replaceAll(/"\.\/([\w.-]+)"/g, (whole, named: string) =>
      JSON.stringify(specifiers.get(named) ?? addresses.get(named) ?? JSON.parse(whole)),
    );
    imports[`${PREFIX}${name}`] = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  }
  for (const { name, role } of files) {
    if (role === "style") {
      const link = document.createElement("link");
      Object.assign(link, { rel: "stylesheet", href: addresses.get(name) });
      document.head.append(link);
    }
  }
  const map = document.createElement("script");
  Object.assign(map, { type: "importmap", nonce: own?.nonce, text: JSON.stringify({ imports }) });
  document.head.append(map);
  window.wattbookMap = { study: addresses.get("map.study.json") ?? "", view: addresses.get("view.json") ?? "" };
  await import(`${PREFIX}${modules.find(({ role }) => role === "main")?.name}`);
}

/** No translation is loaded yet. */
function showProblem(error: unknown): void {
  const problem = document.createElement("p");
  problem.setAttribute("role", "alert");
  problem.textContent = `This browser cannot open the map: ${String(error)}. A current Chrome, Edge, Firefox or Safari can.`;
  document.getElementById("page")?.append(problem);
}

const own = document.currentScript;
start().catch(showProblem);
