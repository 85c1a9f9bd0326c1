import { h, svg } from "../../ui/index.ts";
import { trans } from "../../text/index.ts";
import { deviceName, type ViewedNetwork } from "../../workspace/index.ts";
import { conductorsOf } from "./bundles.ts";
import { type Phase, phaseOrder } from "./phases.ts";
import { type SymbolName, symbolPath } from "./symbols.ts";

/** The meaning of the strokes and symbols that a feeder uses. */
export function oneLineLegend(network: ViewedNetwork): HTMLElement {
  const phases = new Map<Phase, string>();
  for (const { phase, name } of conductorsOf(network.edges).flat()) {
    if (!phases.has(phase)) {
      phases.set(phase, phase === "neutral" ? trans.__("neutral") : (name.split("\u2013")[0] ?? name));
    }
  }
  const ordered = [...phases].sort(([a], [b]) => phaseOrder(a) - phaseOrder(b));
  const conductors = ordered.map(([phase, name]) => {
    const stroke = `wb-mod-phase-${phase === "neutral" ? "neutral" : phase + 1}`;
    return h("span", { class: "wb-Legend-line" }, h("i", { class: `wb-mod-conductor ${stroke}` }), name);
  });
  const symbols = symbolsOf(network).map(([name, words]) =>
    h("span", { class: "wb-Legend-line" }, symbolPicture(name), words),
  );
  return h(
    "details",
    { class: "wb-OneLineLegend" },
    h("summary", { text: trans.__("Conductors and symbols") }),
    h("div", { class: "wb-Legend-lines" }, ...conductors),
    h("div", { class: "wb-Legend-lines" }, ...symbols),
  );
}

/** The symbols that a network uses, in words. */
function symbolsOf({ buses, edges }: ViewedNetwork): [SymbolName, string][] {
  const devices = [...new Set(buses.flatMap((bus) => bus.devices.map(({ kind }) => kind)))];
  const has = (kind: string, closed: boolean, regulated = false): boolean =>
    edges.some((edge) => edge.kind === kind && edge.closed === closed && edge.regulated === regulated);
  const inLines: [SymbolName, string, boolean][] = [
    ["transformer", trans.__("transformer"), has("transformer", true)],
    ["regulator", trans.__("regulator"), has("transformer", true, true)],
    ["switch-closed", trans.__("closed switch"), has("switch", true)],
    ["switch-open", trans.__("open switch"), has("switch", false)],
    ["out", trans.__("out of service"), has("line", false)],
  ];
  return [
    ...inLines.flatMap(([name, words, there]): [SymbolName, string][] => (there ? [[name, words]] : [])),
    ...devices.map((kind): [SymbolName, string] => [
      kind,
      kind === "load" ? trans.__("load") : uncapitalised(deviceName(kind)),
    ]),
  ];
}

/** A symbol as a small picture. */
function symbolPicture(name: SymbolName): SVGSVGElement {
  const { body, strokes, solid } = symbolPath(name);
  const picture = svg("svg", { viewBox: "-1.6 -1.6 3.2 3.2", class: "wb-Symbol", "aria-hidden": "true" });
  const add = (path: string | undefined, kind: string): void => {
    if (path !== undefined) {
      picture.append(svg("path", { d: path, class: kind }));
    }
  };
  add(name.startsWith("switch") ? undefined : body, "wb-mod-stroke");
  add(strokes, "wb-mod-stroke");
  add(solid, "wb-mod-solid");
  return picture;
}

const uncapitalised = (text: string): string => text.charAt(0).toLocaleLowerCase() + text.slice(1);
