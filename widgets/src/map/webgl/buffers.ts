import { type Rgba, rgbaOf } from "../../ui/cssColour.ts";
import { ATTRIBUTES, type SharedContext } from "./sharedContext.ts";

const PALETTE_WIDTH = 512;

/** Quads in the memory of the context. */
export interface Quads {
  array: WebGLVertexArrayObject;
  buffers: WebGLBuffer[];
  count: number;
}

/** Far outside any picture: the position of a bus without one. */
export const FAR = 1e9;

/** Palette index and side of every bus, packed as two short numbers, once for each of its four vertices. */
export function busValues(places: Int16Array, sides: Int8Array): Int32Array {
  const data = new Int32Array(4 * places.length);
  for (let row = 0; row < places.length; row += 1) {
    const value = ((places[row] ?? -1) & 0xffff) | ((sides[row] ?? 0) << 16);
    const at = 4 * row;
    data[at] = value;
    data[at + 1] = value;
    data[at + 2] = value;
    data[at + 3] = value;
  }
  return data;
}

/** Values of every row, once for each of its four vertices. */
export function fourTimes(rows: number, size: number, valuesOf: (row: number) => readonly number[]): Float32Array {
  const data = new Float32Array(4 * size * rows);
  for (let row = 0; row < rows; row += 1) {
    const values = valuesOf(row);
    for (let k = 0; k < 4; k += 1) {
      data.set(values, size * (4 * row + k));
    }
  }
  return data;
}

export function segmentQuads(gl: WebGL2RenderingContext, ends: Float32Array, rows: Float32Array): Quads {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  const buffers = [
    attribute(
      gl,
      "a_ends",
      4,
      fourTimes(rows.length, 4, (k) => [...ends.subarray(4 * k, 4 * k + 4)]),
    ),
    attribute(
      gl,
      "a_row",
      1,
      fourTimes(rows.length, 1, (k) => [rows[k] ?? 0]),
    ),
  ];
  gl.bindVertexArray(null);
  return { array, buffers, count: rows.length };
}

export function attribute(
  gl: WebGL2RenderingContext,
  name: keyof typeof ATTRIBUTES,
  size: number,
  data: Float32Array,
): WebGLBuffer {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(ATTRIBUTES[name]);
  gl.vertexAttribPointer(ATTRIBUTES[name], size, gl.FLOAT, false, 0, 0);
  return buffer;
}

export function drawQuads(context: SharedContext, { array, count }: Quads): void {
  const { gl } = context;
  gl.bindVertexArray(array);
  context.bindQuads(count);
  gl.drawElements(gl.TRIANGLES, 6 * count, gl.UNSIGNED_INT, 0);
}

export function bindTexture(gl: WebGL2RenderingContext, unit: number, made: WebGLTexture): void {
  gl.activeTexture(unit);
  gl.bindTexture(gl.TEXTURE_2D, made);
}

export function texture(gl: WebGL2RenderingContext): WebGLTexture {
  const made = gl.createTexture();
  bindTexture(gl, gl.TEXTURE1, made);
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

export function uploadPalette(gl: WebGL2RenderingContext, palette: WebGLTexture, colours: readonly string[]): void {
  const data = new Uint8Array(4 * PALETTE_WIDTH);
  colours.forEach((colour, place) => {
    const rgba: Rgba = rgbaOf(colour);
    rgba.forEach((part, k) => (data[4 * place + k] = Math.round(255 * part)));
  });
  bindTexture(gl, gl.TEXTURE1, palette);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, PALETTE_WIDTH, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, data);
}
