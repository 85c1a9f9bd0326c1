import { zoomFactor } from "../view/camera.ts";
import { rgbaOf } from "../../ui/cssColour.ts";
import type { Geometry } from "../view/geometry.ts";
import { arrowSize, casingWidth, lineStyles, WARNING_RIM } from "../picture/lineStyles.ts";
import {
  branchCodes,
  type MarkedBranches,
  markedBranches,
  type Pass,
  PASSES,
  segmentsOfPasses,
} from "../picture/passes.ts";
import { detailScale, segmentsOf } from "../picture/segments.ts";
import {
  attribute,
  bindTexture,
  busValues,
  drawQuads,
  FAR,
  fourTimes,
  type Quads,
  segmentQuads,
  texture,
  uploadPalette,
} from "./buffers.ts";
import {
  acquireContext,
  ATTRIBUTES,
  type Program,
  quadIndices,
  releaseContext,
  type SharedContext,
} from "./sharedContext.ts";
import type { Frame } from "../picture/frame.ts";
import { busRadius, busRim } from "../picture/busMarks.ts";

/** Width of the texture with one texel per branch. */
const BRANCH_WIDTH = 2048;
const NO_PLACE = 65535;
/** Steps of a line's width factor; the shaders use the same number. */
const WIDTH_STEPS = 16;
/** The line shader's numbers of the steps of each pass. */
const STEPS = { base: [0], cased: [1, 2], marked: [3, 4, 5] } as const;

/** The branches at one level of detail. */
interface Detail {
  lines: Quads;
  arrows: Quads;
  /** Branch row of each segment. */
  rows: Float32Array;
  /** Indices of the segments of some branches, and their count. */
  subsets: Record<Pass, { indices: WebGLBuffer; count: number }>;
  /** The look that the subsets belong to. */
  look: string;
}

/** Everything of one map in the memory of the context. */
interface Resources {
  context: SharedContext;
  buses: Quads;
  positions: WebGLBuffer;
  values: WebGLBuffer;
  branches: WebGLTexture;
  busPalette: WebGLTexture;
  branchPalette: WebGLTexture;
  details: Map<number, Detail>;
}

/** Draws the branches and buses of one map with WebGL: a change of colours uploads only a few bytes per bus. */
export class NetworkLayer {
  readonly #lost: () => void;
  #resources: Resources | null = null;
  #geometry: Geometry | null = null;
  #origin = { x: 0, y: 0 };
  /** The inputs of the last uploads, by name. */
  #held: Record<string, readonly unknown[]> = {};
  /** Class and flags of every branch, and a version number. */
  #codes: Uint8Array = new Uint8Array();
  #look = 0;

  /** `lost` is called when everything has to be redrawn. */
  constructor(lost: () => void) {
    this.#lost = lost;
  }

  /** Whether the page has a WebGL 2 context on a graphics card. */
  get available(): boolean {
    return acquireContext(this, this.#lost) !== null;
  }

  /** Draws a frame onto `target`, device pixels; false where the browser has no WebGL 2. */
  draw(frame: Frame, target: CanvasRenderingContext2D, width: number, height: number, ratio: number): boolean {
    const context = acquireContext(this, this.#lost);
    if (context === null) {
      return false;
    }
    const resources = this.#prepare(context, frame);
    const { gl } = context;
    context.begin(width, height);
    bindTexture(gl, gl.TEXTURE0, resources.branches);
    bindTexture(gl, gl.TEXTURE1, resources.branchPalette);
    this.#drawLines(context, this.#detail(resources, frame), frame, ratio);
    bindTexture(gl, gl.TEXTURE1, resources.busPalette);
    this.#drawBuses(context, resources.buses, frame, ratio);
    gl.bindVertexArray(null);
    context.copyTo(target, width, height);
    return true;
  }

  /** Frees the memory in the context. */
  dispose(): void {
    this.#free();
    releaseContext(this);
  }

  #use({ gl }: SharedContext, { program, uniform }: Program, { camera }: Frame, ratio: number): void {
    gl.useProgram(program);
    const { x, y } = camera.view;
    gl.uniform2f(uniform("u_centre"), x - this.#origin.x, y - this.#origin.y);
    gl.uniform2f(uniform("u_turn"), camera.cos, camera.sin);
    gl.uniform1f(uniform("u_scale"), camera.scale);
    gl.uniform2f(uniform("u_size"), camera.width, camera.height);
    const { cosPitch, sinPitch, eye, radian, middle, radius } = camera.projection;
    gl.uniform3f(uniform("u_tilt"), cosPitch, sinPitch, eye);
    gl.uniform3f(uniform("u_globe"), camera.round ? radian : 0, middle, radius);
    gl.uniform1f(uniform("u_ratio"), ratio);
    gl.uniform1i(uniform("u_branches"), 0);
    gl.uniform1i(uniform("u_palette"), 1);
  }

  #drawLines(context: SharedContext, detail: Detail, frame: Frame, ratio: number): void {
    const { gl, lines, arrows } = context;
    const { camera, theme, branches } = frame;
    const zoom = zoomFactor(camera);
    const styles = lineStyles(theme, zoom);
    const kinds = [styles.out, styles.calm, styles.warning, styles.binding] as const;
    this.#use(context, lines, frame, ratio);
    gl.uniform4fv(
      lines.uniform("u_widths"),
      kinds.map((style) => style.width),
    );
    gl.uniformMatrix4fv(
      lines.uniform("u_colours"),
      false,
      kinds.flatMap((style) => rgbaOf(style.colour)),
    );
    gl.uniform1f(lines.uniform("u_casing"), casingWidth(zoom));
    gl.uniform1f(lines.uniform("u_rim"), WARNING_RIM);
    gl.uniform4fv(lines.uniform("u_casingColour"), rgbaOf(theme.casing));
    gl.uniform4fv(lines.uniform("u_haloColour"), rgbaOf(theme.text));
    gl.uniform1f(lines.uniform("u_zoom"), zoom);
    gl.uniform1i(lines.uniform("u_coloured"), branches.places === null ? 0 : 1);
    gl.bindVertexArray(detail.lines.array);
    for (const name of PASSES) {
      const { indices, count } = detail.subsets[name];
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
      for (const pass of count > 0 ? STEPS[name] : []) {
        gl.uniform1i(lines.uniform("u_pass"), pass);
        gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
      }
    }
    if (branches.directions !== null) {
      this.#use(context, arrows, frame, ratio);
      gl.uniform4fv(arrows.uniform("u_colour"), rgbaOf(theme.arrow));
      gl.uniform1f(arrows.uniform("u_arrow"), arrowSize(camera));
      drawQuads(context, detail.arrows);
    }
  }

  #drawBuses(context: SharedContext, quads: Quads, frame: Frame, ratio: number): void {
    const { gl, buses } = context;
    const radius = busRadius(frame);
    this.#use(context, buses, frame, ratio);
    gl.uniform1f(buses.uniform("u_radius"), radius);
    const rim = busRim(radius, frame.theme);
    gl.uniform1f(buses.uniform("u_edge"), rim);
    gl.uniform4fv(buses.uniform("u_rimColour"), rgbaOf(frame.theme.rim));
    gl.uniform4fv(buses.uniform("u_idle"), rgbaOf(frame.theme.idle));
    for (const pass of rim > 0 ? [1, 0] : [0]) {
      gl.uniform1i(buses.uniform("u_rim"), pass);
      drawQuads(context, quads);
    }
  }

  /** Updates the context to the frame. */
  #prepare(context: SharedContext, frame: Frame): Resources {
    if (this.#resources !== null && this.#resources.context !== context) {
      this.#resources = null; // lost with the previous context
    }
    const { geometry } = frame;
    if (this.#resources === null || this.#geometry !== geometry) {
      this.#free();
      const { x0, x1, y0, y1 } = geometry.bounds;
      this.#origin = { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
      this.#resources = this.#create(context, frame);
      this.#geometry = geometry;
      this.#held = {};
    }
    const resources = this.#resources;
    const { gl } = context;
    if (this.#changed("values", frame.places, frame.sides)) {
      const data = busValues(frame.places, frame.sides);
      gl.bindBuffer(gl.ARRAY_BUFFER, resources.values);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    }
    if (this.#changed("sizes", frame.sizes)) {
      gl.bindBuffer(gl.ARRAY_BUFFER, resources.positions);
      gl.bufferData(gl.ARRAY_BUFFER, this.#positions(frame), gl.DYNAMIC_DRAW);
    }
    if (this.#changed("palette", frame.palette)) {
      uploadPalette(gl, resources.busPalette, frame.palette);
    }
    if (this.#changed("branchPalette", frame.branches.palette)) {
      uploadPalette(gl, resources.branchPalette, frame.branches.palette);
    }
    const marked = markedBranches(frame);
    if (this.#changed("branches", frame.branches, marked.chosen.join(), marked.hovered)) {
      this.#uploadBranches(gl, resources.branches, frame, marked);
    }
    return resources;
  }

  #changed(name: string, ...values: readonly unknown[]): boolean {
    const before = this.#held[name];
    this.#held[name] = values;
    return before === undefined || values.some((value, k) => value !== before[k]);
  }

  #uploadBranches(gl: WebGL2RenderingContext, texture: WebGLTexture, frame: Frame, marked: MarkedBranches): void {
    const { branches, geometry } = frame;
    const height = Math.max(1, Math.ceil(geometry.paths.length / BRANCH_WIDTH));
    this.#codes = branchCodes(frame, marked);
    this.#look += 1;
    const data = new Uint8Array(4 * BRANCH_WIDTH * height);
    this.#codes.forEach((code, row) => {
      const place = branches.places?.[row] ?? -1;
      const stored = place < 0 ? NO_PLACE : place;
      data[4 * row] = code;
      data[4 * row + 1] = stored & 255;
      data[4 * row + 2] = stored >> 8;
      const width = Math.round(WIDTH_STEPS * (branches.widths?.[row] ?? 1));
      data[4 * row + 3] = ((branches.directions?.[row] ?? 0) + 1) | (Math.max(1, Math.min(63, width)) << 2);
    });
    bindTexture(gl, gl.TEXTURE0, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8UI, BRANCH_WIDTH, height, 0, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE, data);
  }

  /** The segments at the level of detail of the frame, and those of each pass. */
  #detail({ context, details }: Resources, { camera, geometry }: Frame): Detail {
    const { gl } = context;
    const level = detailScale(camera.scale);
    let detail = details.get(level);
    if (detail === undefined) {
      const { ends, rows, longest, longestRows } = segmentsOf(geometry, this.#origin, level);
      const subset = (): { indices: WebGLBuffer; count: number } => ({ indices: gl.createBuffer(), count: 0 });
      detail = {
        lines: segmentQuads(gl, ends, rows),
        arrows: segmentQuads(gl, longest, longestRows),
        rows,
        subsets: { base: subset(), cased: subset(), marked: subset() },
        look: "",
      };
      details.set(level, detail);
    }
    if (detail.look !== String(this.#look)) {
      detail.look = String(this.#look);
      this.#choose(gl, detail);
    }
    return detail;
  }

  #choose(gl: WebGL2RenderingContext, { lines, rows, subsets }: Detail): void {
    const segments = segmentsOfPasses(rows, this.#codes);
    gl.bindVertexArray(lines.array);
    for (const name of PASSES) {
      const indices = quadIndices(segments[name]);
      subsets[name].count = indices.length;
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, subsets[name].indices);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.DYNAMIC_DRAW);
    }
  }

  /** Position and size of every bus. */
  #positions({ geometry, sizes }: Frame): Float32Array {
    const { busX, busY } = geometry;
    return fourTimes(busX.length, 3, (row) => {
      const [x, y] = [(busX[row] ?? NaN) - this.#origin.x, (busY[row] ?? NaN) - this.#origin.y];
      const size = sizes[row] ?? 1;
      return Number.isFinite(x + y) && size > 0 ? [x, y, size] : [FAR, FAR, 1];
    });
  }

  #create(context: SharedContext, frame: Frame): Resources {
    const { gl } = context;
    const { busX } = frame.geometry;
    const data = this.#positions(frame);
    const array = gl.createVertexArray();
    const values = gl.createBuffer();
    gl.bindVertexArray(array);
    const positions = attribute(gl, "a_bus", 3, data);
    gl.bindBuffer(gl.ARRAY_BUFFER, values);
    gl.enableVertexAttribArray(ATTRIBUTES.a_value);
    gl.vertexAttribPointer(ATTRIBUTES.a_value, 2, gl.SHORT, false, 0, 0);
    gl.bindVertexArray(null);
    return {
      context,
      buses: { array, buffers: [positions, values], count: busX.length },
      positions,
      values,
      branches: texture(gl),
      busPalette: texture(gl),
      branchPalette: texture(gl),
      details: new Map(),
    };
  }

  #free(): void {
    const resources = this.#resources;
    this.#resources = null;
    this.#geometry = null;
    if (resources === null || resources.context.gl.isContextLost()) {
      return;
    }
    const { gl } = resources.context;
    const details = [...resources.details.values()];
    for (const { array, buffers } of [resources.buses, ...details.flatMap(({ lines, arrows }) => [lines, arrows])]) {
      gl.deleteVertexArray(array);
      buffers.forEach((buffer) => gl.deleteBuffer(buffer));
    }
    for (const { subsets } of details) {
      Object.values(subsets).forEach(({ indices }) => gl.deleteBuffer(indices));
    }
    for (const made of [resources.branches, resources.busPalette, resources.branchPalette]) {
      gl.deleteTexture(made);
    }
  }
}
