import { classCodes } from "../branchLook.ts";
import { zoomFactor } from "../camera.ts";
import { type Rgba, rgbaOf } from "../cssColour.ts";
import type { Geometry } from "../geometry.ts";
import { lineStyles } from "../lineLayer.ts";
import { busRadius, busRim, CASING_WIDTH, type Frame } from "../picture.ts";
import type { Target } from "../stageSubject.ts";
import { detailScale, type Segments, segmentsOf } from "./segments.ts";
import { acquireContext, ATTRIBUTES, type Program, releaseContext, type SharedContext } from "./sharedContext.ts";

/** Width of the texture with one texel a branch. */
const BRANCH_WIDTH = 2048;
const FLAGS = { hovered: 4, selected: 8 };
const NO_PLACE = 65535;
const PALETTE_WIDTH = 512;

/** A vertex array over a buffer of segments. */
interface Drawn {
  array: WebGLVertexArrayObject;
  count: number;
}

/** Everything of one map that lies in the memory of the context. */
interface Resources {
  context: SharedContext;
  buses: WebGLVertexArrayObject;
  positions: WebGLBuffer;
  values: WebGLBuffer;
  branches: WebGLTexture;
  busPalette: WebGLTexture;
  branchPalette: WebGLTexture;
  details: Map<number, { lines: Drawn; arrows: Drawn; buffers: WebGLBuffer[] }>;
}

/** Draws the branches and buses of one map with WebGL: a change of colours uploads a few bytes a bus and nothing else. */
export class NetworkLayer {
  readonly #lost: () => void;
  #resources: Resources | null = null;
  /** What the memory of the context holds. */
  #geometry: Geometry | null = null;
  #origin = { x: 0, y: 0 };
  #held: Record<string, unknown> = {};

  /** `lost` is called when everything has to be drawn again. */
  constructor(lost: () => void) {
    this.#lost = lost;
  }

  /** Draws a frame onto `target`, device pixels; false where the browser has no WebGL 2. */
  draw(frame: Frame, target: CanvasRenderingContext2D, width: number, height: number, ratio: number): boolean {
    const context = acquireContext(this, this.#lost);
    if (context === null) {
      return false;
    }
    const resources = this.#prepare(context, frame);
    context.begin(width, height);
    const { gl } = context;
    const { camera, theme, branches } = frame;
    const zoom = zoomFactor(camera);
    const view = {
      centre: [camera.worldX(camera.width / 2) - this.#origin.x, camera.worldY(camera.height / 2) - this.#origin.y],
      size: [camera.width, camera.height],
      ratio,
    };
    const use = ({ program, uniform }: Program): void => {
      gl.useProgram(program);
      gl.uniform2f(uniform("u_centre"), view.centre[0] ?? 0, view.centre[1] ?? 0);
      gl.uniform1f(uniform("u_scale"), camera.scale);
      gl.uniform2f(uniform("u_size"), view.size[0] ?? 1, view.size[1] ?? 1);
      gl.uniform1f(uniform("u_ratio"), ratio);
      gl.uniform1i(uniform("u_branches"), 0);
      gl.uniform1i(uniform("u_palette"), 1);
    };
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, resources.branches);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, resources.branchPalette);
    const detail = this.#detail(resources, frame);
    const { lines, arrows, buses } = context;
    use(lines);
    const styles = lineStyles(theme, zoom);
    const kinds = [styles.out, styles.calm, styles.warning, styles.binding] as const;
    gl.uniform4fv(
      lines.uniform("u_widths"),
      kinds.map((style) => style.width),
    );
    gl.uniformMatrix4fv(
      lines.uniform("u_colours"),
      false,
      kinds.flatMap((style) => rgbaOf(style.colour)),
    );
    gl.uniform1f(lines.uniform("u_casing"), CASING_WIDTH * zoom);
    gl.uniform4fv(lines.uniform("u_casingColour"), rgbaOf(theme.casing));
    gl.uniform4fv(lines.uniform("u_haloColour"), rgbaOf(theme.text));
    gl.uniform1f(lines.uniform("u_zoom"), zoom);
    gl.uniform1i(lines.uniform("u_coloured"), branches.places === null ? 0 : 1);
    gl.bindVertexArray(detail.lines.array);
    const binding = branches.classes.binding.length > 0;
    const marked = this.#marked(frame).length > 0;
    for (const pass of [0, ...(binding ? [1, 2] : []), ...(marked ? [3, 4, 5] : [])]) {
      gl.uniform1i(lines.uniform("u_pass"), pass);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, detail.lines.count);
    }
    if (branches.directions !== null) {
      use(arrows);
      gl.uniform4fv(arrows.uniform("u_colour"), rgbaOf(theme.arrow));
      gl.uniform1f(arrows.uniform("u_arrow"), 4.2 * zoom);
      gl.bindVertexArray(detail.arrows.array);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, detail.arrows.count);
    }
    gl.bindTexture(gl.TEXTURE_2D, resources.busPalette);
    use(buses);
    const radius = busRadius(frame);
    gl.uniform1f(buses.uniform("u_radius"), radius);
    gl.uniform1f(buses.uniform("u_edge"), busRim(radius));
    gl.uniform4fv(buses.uniform("u_rimColour"), rgbaOf(theme.rim));
    gl.uniform4fv(buses.uniform("u_idle"), rgbaOf(theme.idle));
    gl.bindVertexArray(resources.buses);
    for (const rim of [1, 0]) {
      gl.uniform1i(buses.uniform("u_rim"), rim);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, frame.geometry.busX.length);
    }
    gl.bindVertexArray(null);
    context.copyTo(target, width, height);
    return true;
  }

  /** Gives the memory in the context back. */
  dispose(): void {
    this.#free();
    releaseContext(this);
  }

  #marked({ hovered, selection }: Frame): Target[] {
    return [...selection, ...(hovered === null ? [] : [hovered])].filter(({ kind }) => kind === "branch");
  }

  /** Brings what the context holds up to the frame. */
  #prepare(context: SharedContext, frame: Frame): Resources {
    if (this.#resources !== null && this.#resources.context !== context) {
      this.#resources = null; // went with the context before
    }
    const { geometry } = frame;
    if (this.#resources === null || this.#geometry !== geometry) {
      this.#free();
      this.#resources = create(context);
      this.#geometry = geometry;
      this.#held = {};
      const { x0, x1, y0, y1 } = geometry.bounds;
      this.#origin = { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
    }
    const resources = this.#resources;
    const { gl } = context;
    const changed = (name: string, ...values: unknown[]): boolean => {
      const before = this.#held[name] as unknown[] | undefined;
      this.#held[name] = values;
      return before === undefined || values.some((value, k) => value !== before[k]);
    };
    if (changed("positions", frame.sizes)) {
      const data = new Float32Array(3 * geometry.busX.length);
      geometry.busX.forEach((x, row) => {
        data[3 * row] = x - this.#origin.x;
        data[3 * row + 1] = (geometry.busY[row] ?? NaN) - this.#origin.y;
        data[3 * row + 2] = frame.sizes[row] ?? 1;
        if (Number.isNaN(x)) {
          data[3 * row] = data[3 * row + 1] = 1e9; // nowhere near the picture
        }
      });
      gl.bindBuffer(gl.ARRAY_BUFFER, resources.positions);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    }
    if (changed("values", frame.places, frame.sides)) {
      const data = new Int16Array(2 * frame.places.length);
      frame.places.forEach((place, row) => {
        data[2 * row] = place;
        data[2 * row + 1] = frame.sides[row] ?? 0;
      });
      gl.bindBuffer(gl.ARRAY_BUFFER, resources.values);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    }
    if (changed("palette", frame.palette)) {
      uploadPalette(gl, resources.busPalette, frame.palette);
    }
    if (changed("branchPalette", frame.branches.palette)) {
      uploadPalette(gl, resources.branchPalette, frame.branches.palette);
    }
    const marks = frame.selection.map(({ kind, row }) => `${kind}${row}`).join();
    const hovered = frame.hovered?.kind === "branch" ? frame.hovered.row : -1;
    if (changed("branches", frame.branches, marks, hovered)) {
      this.#uploadBranches(gl, resources.branches, frame);
    }
    return resources;
  }

  #uploadBranches(gl: WebGL2RenderingContext, texture: WebGLTexture, frame: Frame): void {
    const { branches, geometry, hovered, selection } = frame;
    const count = geometry.paths.length;
    const height = Math.max(1, Math.ceil(count / BRANCH_WIDTH));
    const data = new Uint8Array(4 * BRANCH_WIDTH * height);
    classCodes(branches, count).forEach((code, row) => {
      const place = branches.places?.[row] ?? -1;
      const stored = place < 0 ? NO_PLACE : place;
      data[4 * row] = code;
      data[4 * row + 1] = stored & 255;
      data[4 * row + 2] = stored >> 8;
      data[4 * row + 3] = (branches.directions?.[row] ?? 0) + 1;
    });
    for (const { kind, row } of selection) {
      if (kind === "branch") {
        data[4 * row] = (data[4 * row] ?? 0) | FLAGS.selected;
      }
    }
    if (hovered?.kind === "branch") {
      data[4 * hovered.row] = (data[4 * hovered.row] ?? 0) | FLAGS.hovered;
    }
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8UI, BRANCH_WIDTH, height, 0, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE, data);
  }

  #detail(resources: Resources, { camera, geometry }: Frame): { lines: Drawn; arrows: Drawn } {
    const level = detailScale(camera.scale);
    let detail = resources.details.get(level);
    if (detail === undefined) {
      const { gl } = resources.context;
      const segments: Segments = segmentsOf(geometry, this.#origin, level);
      const [lines, lineBuffers] = segmentArray(gl, segments.ends, segments.rows);
      const [arrows, arrowBuffers] = segmentArray(gl, segments.longest, segments.longestRows);
      detail = { lines, arrows, buffers: [...lineBuffers, ...arrowBuffers] };
      resources.details.set(level, detail);
    }
    return detail;
  }

  #free(): void {
    const resources = this.#resources;
    this.#resources = null;
    this.#geometry = null;
    if (resources === null || resources.context.gl.isContextLost()) {
      return;
    }
    const { gl } = resources.context;
    for (const { lines, arrows, buffers } of resources.details.values()) {
      gl.deleteVertexArray(lines.array);
      gl.deleteVertexArray(arrows.array);
      buffers.forEach((buffer) => gl.deleteBuffer(buffer));
    }
    gl.deleteVertexArray(resources.buses);
    gl.deleteBuffer(resources.positions);
    gl.deleteBuffer(resources.values);
    for (const texture of [resources.branches, resources.busPalette, resources.branchPalette]) {
      gl.deleteTexture(texture);
    }
  }
}

function create(context: SharedContext): Resources {
  const { gl } = context;
  const buses = gl.createVertexArray();
  const [positions, values] = [gl.createBuffer(), gl.createBuffer()];
  gl.bindVertexArray(buses);
  gl.bindBuffer(gl.ARRAY_BUFFER, positions);
  attribute(gl, ATTRIBUTES.a_bus, 3, gl.FLOAT);
  gl.bindBuffer(gl.ARRAY_BUFFER, values);
  attribute(gl, ATTRIBUTES.a_value, 2, gl.SHORT);
  gl.bindVertexArray(null);
  return {
    context,
    buses,
    positions,
    values,
    branches: texture(gl),
    busPalette: texture(gl),
    branchPalette: texture(gl),
    details: new Map(),
  };
}

function texture(gl: WebGL2RenderingContext): WebGLTexture {
  const made = gl.createTexture();
  gl.activeTexture(gl.TEXTURE1);
  gl.bindTexture(gl.TEXTURE_2D, made);
  for (const [name, value] of [
    [gl.TEXTURE_MIN_FILTER, gl.NEAREST],
    [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
    [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
    [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
  ] as const) {
    gl.texParameteri(gl.TEXTURE_2D, name, value);
  }
  return made;
}

function uploadPalette(gl: WebGL2RenderingContext, palette: WebGLTexture, colours: readonly string[]): void {
  const data = new Uint8Array(4 * PALETTE_WIDTH);
  colours.forEach((colour, place) => {
    const rgba: Rgba = rgbaOf(colour);
    rgba.forEach((part, k) => (data[4 * place + k] = Math.round(255 * part)));
  });
  gl.activeTexture(gl.TEXTURE1);
  gl.bindTexture(gl.TEXTURE_2D, palette);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, PALETTE_WIDTH, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, data);
}

function segmentArray(gl: WebGL2RenderingContext, ends: Float32Array, rows: Float32Array): [Drawn, WebGLBuffer[]] {
  const array = gl.createVertexArray();
  const [first, second] = [gl.createBuffer(), gl.createBuffer()];
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, first);
  gl.bufferData(gl.ARRAY_BUFFER, ends, gl.STATIC_DRAW);
  attribute(gl, ATTRIBUTES.a_ends, 4, gl.FLOAT);
  gl.bindBuffer(gl.ARRAY_BUFFER, second);
  gl.bufferData(gl.ARRAY_BUFFER, rows, gl.STATIC_DRAW);
  attribute(gl, ATTRIBUTES.a_row, 1, gl.FLOAT);
  gl.bindVertexArray(null);
  return [{ array, count: rows.length }, [first, second]];
}

function attribute(gl: WebGL2RenderingContext, place: number, size: number, type: number): void {
  gl.enableVertexAttribArray(place);
  gl.vertexAttribPointer(place, size, type, false, 0, 0);
  gl.vertexAttribDivisor(place, 1);
}
