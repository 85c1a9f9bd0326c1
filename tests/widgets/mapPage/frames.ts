// Frames of a map while hands move on it, for the benchmark.
import { Camera, type CaseMap, colourScale, type Frame, NetworkLayer } from "@service/widgets/map";
import type { CaseSession } from "@service/widgets/workspace";

/** What the hand does: nothing, the slider, the map from side to side, the wheel in and out. */
export type Action = "idle" | "drag" | "pan" | "zoom";

/** Times between frames, and what the copies of pictures took of them: in software they wait for the renderer. All in ms. */
export interface Frames {
  times: number[];
  copying: number;
}

/** Moves a hand on a map for a number of frames. */
export async function frames(session: CaseSession, map: CaseMap, action: Action, count: number): Promise<Frames> {
  const canvas = map.node.querySelector("canvas") as HTMLCanvasElement;
  const box = canvas.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const pointer = (type: string, dx = 0, dy = 0): void => {
    const at = { clientX: x + dx, clientY: y + dy };
    canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, button: 0, ...at }));
  };
  canvas.setPointerCapture = () => undefined; // the pointer is none of the system's
  canvas.focus();
  const steps: Record<Action, (k: number) => void> = {
    idle: () => undefined,
    drag: (k) => session.preview(5 * Math.sin(k / 10)),
    pan: (k) => pointer("pointermove", 100 * Math.sin(k / 10), 60 * Math.cos(k / 10)),
    zoom: (k) => {
      const deltaY = k % 60 < 30 ? -40 : 40;
      canvas.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX: x, clientY: y, cancelable: true }));
    },
  };
  if (action === "pan") {
    pointer("pointerdown");
  }
  const { prototype } = CanvasRenderingContext2D;
  const { drawImage } = prototype;
  let copying = 0;
  prototype.drawImage = function (this: CanvasRenderingContext2D, ...args: unknown[]) {
    const before = performance.now();
    (drawImage as (...all: unknown[]) => void).apply(this, args);
    copying += performance.now() - before;
  };
  const times: number[] = [];
  let last = NaN;
  for (let k = 0; k <= count; k += 1) {
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    times.push(now - last);
    last = now;
    steps[action](k);
  }
  if (action === "pan") {
    pointer("pointerup");
  }
  prototype.drawImage = drawImage;
  session.cancelPreview();
  return { times: times.slice(1), copying };
}

/**
 * Milliseconds on the main thread for a recolouring of `count` buses with as many lines: values to places of the palette, upload and
 * calls of the renderer, without its own work.
 */
export function recolour(count: number, repeats: number): number[] {
  const side = Math.ceil(Math.sqrt(count));
  const busX = Float64Array.from({ length: count }, (_, row) => (row % side) / side);
  const busY = Float64Array.from({ length: count }, (_, row) => Math.floor(row / side) / side);
  const paths = Array.from(busX, (x, row) => Float64Array.of(x, busY[row] ?? 0, x + 1 / side, busY[row] ?? 0));
  const camera = new Camera();
  camera.resize(1200, 600);
  camera.fit({ x0: 0, y0: 0, x1: 1, y1: 1 }, 10);
  // Not copied: the copy waits for the renderer, whose time is that of the graphics card.
  const context = { drawImage: () => undefined } as unknown as CanvasRenderingContext2D;
  const layer = new NetworkLayer(() => undefined);
  const scale = colourScale("price", { low: 0, high: 100 }, false);
  const grey = "#888888";
  const theme = {
    land: grey,
    casing: grey,
    rim: grey,
    text: grey,
    idle: grey,
    branch: grey,
    warning: grey,
    binding: grey,
  };
  const rows = Array.from(busX.keys());
  const branches = {
    classes: { out: [], calm: rows, warning: [], binding: [] },
    places: null,
    palette: [],
    directions: null,
  };
  const fixed = {
    geometry: { busX, busY, paths, bounds: { x0: 0, y0: 0, x1: 1, y1: 1 } },
    camera,
    theme: { ...theme, contrast: false } as unknown as Frame["theme"],
    palette: scale.palette,
    sizes: new Float32Array(count).fill(1),
    sides: new Int8Array(count),
    branches,
    hovered: null,
    selection: [],
    graticule: false,
  };
  const values = new Float64Array(count);
  const times = Array.from({ length: repeats + 1 }, (_, k) => {
    values.forEach((_, row) => (values[row] = (row * 7 + k * 13) % 100));
    const before = performance.now();
    const places = new Int16Array(count);
    values.forEach((value, row) => (places[row] = scale.place(value)));
    if (!layer.draw({ ...fixed, places }, context, 1200, 600, 1)) {
      throw new Error("There is no WebGL 2 to measure.");
    }
    return performance.now() - before;
  });
  layer.dispose();
  return times.slice(1);
}

/** Name of the renderer behind WebGL. */
export function rendererName(): string {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "none";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return name;
}
