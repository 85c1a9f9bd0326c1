import { trans } from "../../text/index.ts";
import { ARROW_FRAGMENT, ARROW_VERTEX, BUS_FRAGMENT, BUS_VERTEX, LINE_FRAGMENT, LINE_VERTEX } from "./shaders.ts";

/** A compiled program with its uniforms by name. */
export interface Program {
  program: WebGLProgram;
  uniform(name: string): WebGLUniformLocation | null;
}

/** Locations of the attributes, the same in every program. */
export const ATTRIBUTES = { a_ends: 0, a_row: 1, a_bus: 2, a_value: 3 } as const;

/**
 * The one WebGL context of the page. Every map draws into its canvas and copies the frame to a plain canvas of its own,
 * because browsers allow about sixteen contexts and lose the oldest for good, and a notebook may have more maps than
 * that.
 */
export class SharedContext {
  readonly canvas: HTMLCanvasElement;
  readonly gl: WebGL2RenderingContext;
  readonly lines: Program;
  readonly arrows: Program;
  readonly buses: Program;
  readonly #quads: WebGLBuffer;
  #quadCount = 0;

  constructor() {
    this.canvas = document.createElement("canvas");
    const gl = this.canvas.getContext("webgl2", {
      antialias: false,
      depth: false,
      stencil: false,
      powerPreference: "high-performance",
      failIfMajorPerformanceCaveat: true,
    });
    if (gl === null || drawnInSoftware(gl)) {
      gl?.getExtension("WEBGL_lose_context")?.loseContext();
      throw new Error(trans.__("This browser provides no WebGL 2 with a graphics card."));
    }
    this.gl = gl;
    this.lines = compile(gl, LINE_VERTEX, LINE_FRAGMENT);
    this.arrows = compile(gl, ARROW_VERTEX, ARROW_FRAGMENT);
    this.buses = compile(gl, BUS_VERTEX, BUS_FRAGMENT);
    this.#quads = gl.createBuffer();
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /** Indices of `count` quads of four vertices each, bound to the present vertex array; shared by all maps. */
  bindQuads(count: number): void {
    const { gl } = this;
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#quads);
    if (count > this.#quadCount) {
      this.#quadCount = Math.max(count, 2 * this.#quadCount);
      const all = Uint32Array.from({ length: this.#quadCount }, (_, k) => k);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, quadIndices(all), gl.STATIC_DRAW);
    }
  }

  /** Clears a picture of the given size, device pixels, in the lower left corner; the canvas only grows. */
  begin(width: number, height: number): void {
    const { canvas, gl } = this;
    if (canvas.width < width || canvas.height < height) {
      canvas.width = Math.max(canvas.width, width);
      canvas.height = Math.max(canvas.height, height);
    }
    gl.viewport(0, 0, width, height);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }

  /** Copies the picture drawn since `begin`. */
  copyTo(context: CanvasRenderingContext2D, width: number, height: number): void {
    context.drawImage(this.canvas, 0, this.canvas.height - height, width, height, 0, 0, width, height);
  }

  /** Releases the context. */
  end(): void {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
    this.canvas.width = this.canvas.height = 0;
  }
}

/** Software renderers by the names they report. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|lavapipe|basic render|software/i;

/** Whether a context is rendered in software, which not every browser reports as a caveat. */
function drawnInSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const names = [gl.RENDERER, ...(info === null ? [] : [info.UNMASKED_RENDERER_WEBGL])];
  return names.some((name) => SOFTWARE.test(String(gl.getParameter(name))));
}

let shared: SharedContext | null = null;
/** Why WebGL is not used, for debugging; null while it is. */
let refused: string | null = null;
const users = new Map<object, () => void>();

/**
 * Acquires the context of the page for a user; null where the browser has none. A lost context is replaced by a new
 * one; `lost` is called when that is necessary.
 */
export function acquireContext(user: object, lost: () => void): SharedContext | null {
  if (shared?.gl.isContextLost()) {
    shared = null;
  }
  if (shared === null && refused === null) {
    try {
      shared = new SharedContext();
      shared.canvas.addEventListener("webglcontextlost", () => users.forEach((notify) => notify()));
    } catch (error) {
      refused = error instanceof Error ? error.message : String(error);
    }
  }
  if (shared !== null) {
    users.set(user, lost);
  }
  return shared;
}

/** Must be called when a user is disposed: the context ends with the last user. */
export function releaseContext(user: object): void {
  users.delete(user);
  if (users.size === 0) {
    shared?.end();
    shared = null;
  }
}

/** Two triangles for each of the given quads. */
export function quadIndices(quads: ArrayLike<number>): Uint32Array {
  const indices = new Uint32Array(6 * quads.length);
  for (let k = 0; k < quads.length; k += 1) {
    const first = 4 * (quads[k] ?? 0);
    indices.set([first, first + 1, first + 2, first + 2, first + 1, first + 3], 6 * k);
  }
  return indices;
}

function compile(gl: WebGL2RenderingContext, vertex: string, fragment: string): Program {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type);
    if (shader === null) {
      throw new Error(trans.__("WebGL made no shader."));
    }
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      throw new Error(trans.__("WebGL refused a shader: %1", gl.getShaderInfoLog(shader) ?? ""));
    }
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  for (const [name, place] of Object.entries(ATTRIBUTES)) {
    gl.bindAttribLocation(program, place, name);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(trans.__("WebGL refused a program: %1", gl.getProgramInfoLog(program) ?? ""));
  }
  const places = new Map<string, WebGLUniformLocation | null>();
  return {
    program,
    uniform: (name) => {
      if (!places.has(name)) {
        places.set(name, gl.getUniformLocation(program, name));
      }
      return places.get(name) ?? null;
    },
  };
}
