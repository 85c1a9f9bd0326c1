import { NEAREST } from "../perspective/projection.ts";

/** Shaders of the network. Positions are relative to an origin near the network; u_centre is the middle of the view there, u_turn cosine and sine of its bearing. */

const HEAD = `#version 300 es
precision highp float;
precision highp int;
const float NEAREST = ${NEAREST};
`;

/**
 * From a position to the screen: pixels with y downwards, then clip coordinates. A place is a point of the ground from the middle of
 * the view, turned: right, down, deep (`Projection` has the formulas). u_tilt: cosine and sine of the pitch, distance of the eye.
 * u_globe: pixels of a radian at the equator, latitude of the middle in Mercator (y downwards), radius of the sphere; 0 for a plane.
 */
const VIEW = `
uniform vec2 u_centre;
uniform vec2 u_turn;
uniform float u_scale;
uniform vec2 u_size;
uniform vec3 u_tilt;
uniform vec3 u_globe;
const float RADIANS = 0.017453292519943295;
// Series where both are small: built-in functions are exact to parts of one there, not of themselves.
float sine(float x) { return abs(x) < 0.5 ? x * (1.0 - x * x / 6.0 * (1.0 - x * x / 20.0 * (1.0 - x * x / 42.0))) : sin(x); }
float sineh(float x) { return abs(x) < 0.5 ? x * (1.0 + x * x / 6.0 * (1.0 + x * x / 20.0 * (1.0 + x * x / 42.0))) : sinh(x); }
vec3 placeOn(vec2 position) {
  vec2 away = position - u_centre;
  float deep = 0.0;
  if (u_globe.x > 0.0) {
    vec2 angle = away * RADIANS;
    float share = u_globe.x / cosh(u_globe.y + angle.y);
    float turned = sine(0.5 * angle.x);
    float rise = sineh(0.5 * angle.y);
    away.x = cosh(u_globe.y) * sine(angle.x) * share;
    away.y = 2.0 * (cosh(u_globe.y + 0.5 * angle.y) * rise + sinh(u_globe.y) * turned * turned) * share;
    deep = 2.0 * (rise * rise + turned * turned) * share;
  } else {
    away *= u_scale;
  }
  return vec3(u_turn.x * away.x + u_turn.y * away.y, u_turn.x * away.y - u_turn.y * away.x, deep);
}
/** Whether a place is not behind the globe. */
bool above(vec3 place) {
  return u_globe.x == 0.0 || place.y * u_tilt.y / u_globe.z + u_tilt.x >= place.z * (u_tilt.x / u_globe.z + 1.0 / u_tilt.z);
}
/** Above zero for what lies before the eye. */
float ahead(vec3 place) { return 1.0 - (place.y * u_tilt.y - place.z * u_tilt.x) / u_tilt.z - NEAREST; }
vec2 seen(vec3 place) {
  float near = place.y * u_tilt.y - place.z * u_tilt.x;
  return vec2(place.x, place.y * u_tilt.x + place.z * u_tilt.y) / (1.0 - near / u_tilt.z) + 0.5 * u_size;
}
/** Both ends of a segment on the screen; false where it is hidden. */
bool endsSeen(vec4 ends, out vec2 a, out vec2 b) {
  vec3 from = placeOn(ends.xy);
  vec3 to = placeOn(ends.zw);
  float aheadA = ahead(from);
  float aheadB = ahead(to);
  if (!above(from) || !above(to) || (aheadA < 0.0 && aheadB < 0.0)) { return false; }
  if (aheadA < 0.0 || aheadB < 0.0) {
    vec3 crossing = mix(from, to, aheadA / (aheadA - aheadB));
    if (aheadA < 0.0) { from = crossing; } else { to = crossing; }
  }
  a = seen(from);
  b = seen(to);
  return true;
}
vec4 clip(vec2 screen) { return vec4(screen.x / u_size.x * 2.0 - 1.0, 1.0 - screen.y / u_size.y * 2.0, 0.0, 1.0); }
const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0);
`;

/**
 * What a branch is, by its row: class and flags, place in the palette (65535 for none), and in one number the direction of its flow plus
 * one (two bits) and the factor of its width in sixteenths.
 */
const BRANCHES = `
uniform highp usampler2D u_branches;
uvec4 branchAt(int row) { int width = textureSize(u_branches, 0).x; return texelFetch(u_branches, ivec2(row % width, row / width), 0); }
float widthOf(uvec4 branch) { return float(branch.a >> 2u) / 16.0; }
int placeOf(uvec4 branch) { int place = int(branch.g) + 256 * int(branch.b); return place == 65535 ? -1 : place; }
`;

/** Every mark is a quad of four vertices; software renderers are slow with instances, so there are none. */
const CORNER = `vec2 corner() { return vec2(float(gl_VertexID & 1), float((gl_VertexID >> 1) & 1)) * 2.0 - 1.0; }
`;

/** Draws segments as capsules. u_pass: 0 calm lines, 1 casing of the others, 2 the others, 3 to 5 halo, its casing, its line. */
export const LINE_VERTEX = `${HEAD}${VIEW}${BRANCHES}${CORNER}
in vec4 a_ends;
in float a_row;
uniform int u_pass;
uniform vec4 u_widths;
uniform mat4 u_colours;
uniform float u_casing;
uniform float u_rim;
uniform vec4 u_casingColour;
uniform vec4 u_haloColour;
uniform float u_zoom;
uniform bool u_coloured;
uniform sampler2D u_palette;
out vec2 v_at;
flat out float v_half;
flat out float v_length;
flat out vec4 v_colour;
void main() {
  uvec4 branch = branchAt(int(a_row));
  int kind = int(branch.r & 3u);
  bool marked = (branch.r & 12u) != 0u;
  bool selected = (branch.r & 8u) != 0u;
  bool shown = u_pass == 0 ? kind < 2 : u_pass <= 2 ? kind >= 2 : marked;
  if (!shown) { gl_Position = NOWHERE; return; }
  float width = u_widths[kind];
  vec4 colour = u_colours[kind];
  int place = placeOf(branch);
  if (u_coloured && place >= 0) {
    colour = texelFetch(u_palette, ivec2(place, 0), 0);
    width = kind == 3 ? width : 1.6 * u_zoom;
  }
  width *= widthOf(branch);
  if (u_pass == 1) { width = kind == 3 ? max(u_casing, width + 3.0) : u_coloured ? width : width + u_rim; colour = u_casingColour; }
  if (u_pass == 3) { width += selected ? 8.0 : 6.0; colour = u_haloColour; }
  if (u_pass == 4) { width += 3.0; colour = u_casingColour; }
  if (u_pass == 5) { width = max(1.5, width); }
  vec2 a;
  vec2 b;
  if (!endsSeen(a_ends, a, b)) { gl_Position = NOWHERE; return; }
  vec2 way = b - a;
  float span = length(way);
  vec2 along = span > 0.0 ? way / span : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  float reach = 0.5 * width + 1.0;
  vec2 c = corner();
  vec2 local = vec2(c.x > 0.0 ? span + reach : -reach, c.y * reach);
  v_at = local;
  v_half = 0.5 * width;
  v_length = span;
  v_colour = colour;
  gl_Position = clip(a + along * local.x + across * local.y);
}`;

export const LINE_FRAGMENT = `${HEAD}
uniform float u_ratio;
in vec2 v_at;
flat in float v_half;
flat in float v_length;
flat in vec4 v_colour;
out vec4 colour;
void main() {
  float beyond = v_at.x - clamp(v_at.x, 0.0, v_length);
  float away = length(vec2(beyond, v_at.y)) - v_half;
  // A line thinner than a pixel covers less of it.
  float cover = clamp(0.5 - away * u_ratio, 0.0, 1.0) * min(1.0, 2.0 * v_half * u_ratio);
  colour = vec4(v_colour.rgb, 1.0) * (v_colour.a * cover);
}`;

/** Draws an arrowhead in the middle of each branch that is long enough, in the direction of its flow. */
export const ARROW_VERTEX = `${HEAD}${VIEW}${BRANCHES}${CORNER}
in vec4 a_ends;
in float a_row;
uniform vec4 u_colour;
uniform float u_arrow;
out vec2 v_at;
flat out float v_size;
flat out vec4 v_colour;
void main() {
  uvec4 branch = branchAt(int(a_row));
  int direction = int(branch.a & 3u) - 1;
  vec2 a;
  vec2 b;
  if (!endsSeen(a_ends, a, b)) { gl_Position = NOWHERE; return; }
  vec2 way = (b - a) * float(direction);
  float span = length(way);
  if (direction == 0 || span < 5.0 * u_arrow) { gl_Position = NOWHERE; return; }
  vec2 along = way / span;
  vec2 local = corner() * (u_arrow + 1.5);
  v_at = local;
  v_size = u_arrow;
  v_colour = u_colour;
  gl_Position = clip(0.5 * (a + b) + along * local.x + vec2(-along.y, along.x) * local.y);
}`;

export const ARROW_FRAGMENT = `${HEAD}
uniform float u_ratio;
in vec2 v_at;
flat in float v_size;
flat in vec4 v_colour;
out vec4 colour;
void main() {
  vec2 p = v_at / v_size;
  // Tip at (0.98, 0), base from (-0.82, -0.5) to (-0.82, 0.5).
  float away = max((p.x * 0.2677 + abs(p.y) * 0.9636) - 0.2623, -0.82 - p.x) * v_size;
  colour = vec4(v_colour.rgb, 1.0) * (v_colour.a * clamp(0.5 - away * u_ratio, 0.0, 1.0));
}`;

/** Draws buses as discs, or as triangles where their value lies outside the range. u_edge is the width of the rim in pass 0. */
export const BUS_VERTEX = `${HEAD}${VIEW}${CORNER}
in vec3 a_bus;
in vec2 a_value;
uniform float u_radius;
uniform float u_edge;
uniform bool u_rim;
uniform vec4 u_rimColour;
uniform vec4 u_idle;
uniform sampler2D u_palette;
out vec2 v_at;
flat out float v_radius;
flat out float v_side;
flat out vec4 v_colour;
void main() {
  float radius = u_radius * a_bus.z + (u_rim ? u_edge : 0.0);
  float reach = (a_value.y == 0.0 ? radius : 1.5 * radius) + 1.0;
  vec2 local = corner() * reach;
  v_at = local;
  v_radius = radius;
  v_side = a_value.y;
  int place = int(a_value.x);
  v_colour = u_rim ? u_rimColour : place < 0 ? u_idle : texelFetch(u_palette, ivec2(place, 0), 0);
  vec3 spot = placeOn(a_bus.xy);
  gl_Position = above(spot) && ahead(spot) >= 0.0 ? clip(seen(spot) + local) : NOWHERE;
}`;

export const BUS_FRAGMENT = `${HEAD}
uniform float u_ratio;
in vec2 v_at;
flat in float v_radius;
flat in float v_side;
flat in vec4 v_colour;
out vec4 colour;
void main() {
  float away;
  if (v_side == 0.0) {
    away = length(v_at) - v_radius;
  } else {
    // A triangle with the tip upwards (side 1) or downwards: base at half, tip at one and a half radius.
    float y = v_at.y * v_side;
    away = max(y - 0.725 * v_radius, abs(v_at.x) * 0.866 - y * 0.5 - 0.725 * v_radius);
  }
  colour = vec4(v_colour.rgb, 1.0) * (v_colour.a * clamp(0.5 - away * u_ratio, 0.0, 1.0));
}`;
