// Frames of a map while a pointer moves on it, for the benchmark.
import { Camera, type CaseMap, colourScale, type Frame, NetworkLayer, RasterLayer } from "@service/widgets/map";
import type { CaseSession } from "@service/widgets/workspace";

/** The action of the pointer: none, the slider, the map from side to side, the wheel in and out. */
export type Action = "idle" | "drag" | "pan" | "zoom";

/** Performs an action on a map for a number of frames and returns the times between them, ms. */
export async function frames(session: CaseSession, map: CaseMap, action: Action, count: number): Promise<number[]> {
  const canvas = map.node.querySelector("canvas") as HTMLCanvasElement;
  const box = canvas.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const pointer = (type: string, dx = 0, dy = 0): void => {
    const at = { clientX: x + dx, clientY: y + dy };
    canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, button: 0, ...at }));
  };
  canvas.setPointerCapture = () => undefined; // a synthetic pointer cannot be captured
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
  session.cancelPreview();
  return times.slice(1);
}

/**
 * Milliseconds on the main thread for a recolouring of `count` buses and as many lines: values to places of the
 * palette, and with a graphics card upload and calls of the renderer without its own work; on a plain canvas the
 * drawing.
 */
export function recolour(count: number, repeats: number, renderer: "webgl2" | "canvas"): number[] {
  const side = Math.ceil(Math.sqrt(count));
  const busX = Float64Array.from({ length: count }, (_, row) => (row % side) / side);
  const busY = Float64Array.from({ length: count }, (_, row) => Math.floor(row / side) / side);
  const paths = Array.from(busX, (x, row) => Float64Array.of(x, busY[row] ?? 0, x + 1 / side, busY[row] ?? 0));
  const camera = new Camera();
  camera.resize(1200, 600);
  camera.fit({ x0: 0, y0: 0, x1: 1, y1: 1 }, 10);
  const draw = drawerOf(renderer);
  const scale = colourScale("price", { low: 0, high: 100 }, false);
  const grey = "#888888";
  const theme = {
    land: grey,
    ground: grey,
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
    draw({ ...fixed, places });
    return performance.now() - before;
  });
  return times.slice(1);
}

/** Draws frames of 1200 by 600 pixels. */
function drawerOf(renderer: "webgl2" | "canvas"): (frame: Frame) => void {
  if (renderer === "webgl2") {
    // Not copied, because the copy waits for the renderer, whose time belongs to the graphics card.
    const context = { drawImage: () => undefined } as unknown as CanvasRenderingContext2D;
    const layer = new NetworkLayer(() => undefined);
    return (frame) => {
      if (!layer.draw(frame, context, 1200, 600, 1)) {
        throw new Error("There is no WebGL 2 to measure.");
      }
    };
  }
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1200, 600];
  const context = canvas.getContext("2d");
  if (context === null) {
    throw new Error("There is no canvas to measure.");
  }
  const layer = new RasterLayer(() => undefined);
  return (frame) => layer.draw(frame, context, { width: 1200, height: 600, ratio: 1 }, null);
}

/** Treats WebGL in software as a graphics card from now on. */
export function pretendCard(): void {
  const { prototype } = WebGL2RenderingContext;
  const original = prototype.getParameter;
  prototype.getParameter = function (this: WebGL2RenderingContext, name: number): unknown {
    const unmasked = 0x9246;
    return name === this.RENDERER || name === unmasked ? "a graphics card" : original.call(this, name);
  };
}

/** Name of the renderer behind WebGL. */
export function rendererName(): string {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "none";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return name;
}
