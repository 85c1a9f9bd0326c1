// Runs in a page in one file: assigns an address to each packed file, and starts the page's code. Modules import each
// other through an import map, because the addresses of packed files are known only here and some modules import each
// other in cycles.
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
  /** The start of the page's code, a module, or a file that modules refer to. */
  readonly role: string;
  readonly blob: Blob;
}

async function unpacked(node: HTMLScriptElement): Promise<Packed> {
  const { name = "", role = "" } = node.dataset;
  const packed = await fetch(`data:application/octet-stream;base64,${node.text.trim()}`);
  node.remove();
  const plain = packed.body?.pipeThrough(new DecompressionStream("gzip")) ?? null;
  const type = TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  return { name, role, blob: new Blob([await new Response(plain).arrayBuffer()], { type }) };
}

async function start(): Promise<void> {
  const nodes = document.querySelectorAll<HTMLScriptElement>("script[data-name]");
  const files = await Promise.all([...nodes].map(unpacked));
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
  window.wattbookMap = { study: addresses.get("map.study.json.gz") ?? "", view: addresses.get("view.json") ?? "" };
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
