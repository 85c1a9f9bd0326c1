// A tilted map and a globe, calculated by hand: screen positions of points, hidden points, and points held by the
// pointer.
import t, { type Test } from "tap";
import { Camera, mercator } from "@service/widgets/map";

const [WIDTH, HEIGHT] = [900, 600];
/** Distance of the eye: one and a half heights. */
const EYE = 1.5 * HEIGHT;
const RADIANS = Math.PI / 180;

function camera(view: {
  lon?: number;
  lat?: number;
  scale?: number;
  bearing?: number;
  pitch?: number;
  globe?: boolean;
}) {
  const made = new Camera();
  made.resize(WIDTH, HEIGHT);
  const [x, y] = mercator([view.lon ?? 0, view.lat ?? 0]);
  const { scale = 100, bearing = 0, pitch = 0, globe = false } = view;
  made.view = { x, y, scale, fitScale: scale, bearing, pitch, globe };
  return made;
}

const spot = (at: Camera, x: number, y: number): [number, number] => [at.screenX(x, y), at.screenY(x, y)];
const near = (t: Test, [x, y]: [number, number], [wx, wy]: [number, number], within: number, what: string): void => {
  t.ok(Math.hypot(x - wx, y - wy) < within, `${what}: ${x}, ${y} for ${wx}, ${wy}`);
};

t.test("a tilted plane is seen in perspective", (t) => {
  const at = camera({ pitch: 60 });
  // 300 pixels towards the horizon and 200 to the right on the ground: 300 sin 60 further away.
  const away = 1 + (300 * Math.sin(60 * RADIANS)) / EYE;
  const seen: [number, number] = [WIDTH / 2 + 200 / away, HEIGHT / 2 - (300 * Math.cos(60 * RADIANS)) / away];
  near(t, spot(at, 2, -3), seen, 1e-9, "far");
  near(t, spot(at, 0, 0), [WIDTH / 2, HEIGHT / 2], 1e-9, "the middle");
  t.ok(Number.isNaN(at.screenX(0, 20)), "what is behind the eye is nowhere");
  const [part = []] = at.projection.way([0, 0, 0, 20], false);
  t.equal(part.length, 4, "a line ends before the eye");
  t.ok((part[3] ?? 0) > HEIGHT, "below the picture");
  t.end();
});

t.test("a globe is a sphere that touches the plane in the middle of the view", (t) => {
  const scale = 4;
  const at = camera({ globe: true, scale });
  const radius = scale / RADIANS;
  // Thirty degrees to the east on the equator: R sin 30 to the side, and R (1 - cos 30) further away.
  const away = 1 + (radius * (1 - Math.cos(30 * RADIANS))) / EYE;
  near(t, spot(at, 30, 0), [WIDTH / 2 + (radius * Math.sin(30 * RADIANS)) / away, HEIGHT / 2], 1e-9, "east");
  const [, north] = mercator([0, 30]);
  near(t, spot(at, 0, north), [WIDTH / 2, HEIGHT / 2 - (radius * Math.sin(30 * RADIANS)) / away], 1e-9, "north");
  const horizon = Math.acos(radius / (radius + EYE)) / RADIANS;
  t.ok(Number.isFinite(at.screenX(horizon - 0.01, 0)), "just before the horizon");
  t.ok(Number.isNaN(at.screenX(horizon + 0.01, 0)), "just behind it");
  t.ok(Number.isNaN(at.worldX(2, 2)), "beside the globe is nothing");
  const edge = at.projection.edge();
  const far = (radius * Math.sin(horizon * RADIANS)) / (1 + (radius * (1 - Math.cos(horizon * RADIANS))) / EYE);
  for (let k = 0; k < edge.length; k += 2) {
    const from = Math.hypot((edge[k] ?? 0) - WIDTH / 2, (edge[k + 1] ?? 0) - HEIGHT / 2);
    t.ok(Math.abs(from - far) < 1e-6, "its edge is a circle");
  }
  t.strictSame(at.projection.way([170, 0, 175, 5, 178, 0], true), [], "an area behind it is not seen");
  t.end();
});

t.test("near the surface globe and plane agree", (t) => {
  const [lat, scale] = [39, 2899];
  const [round, flat] = [camera({ lat, scale, globe: true }), camera({ lat, scale })];
  t.ok(round.round && !round.flat && flat.flat);
  for (const [sx, sy] of [
    [0, 0],
    [WIDTH, HEIGHT],
    [WIDTH, 0],
    [0, HEIGHT / 2],
  ] as const) {
    near(t, spot(round, flat.worldX(sx, sy), flat.worldY(sx, sy)), [sx, sy], 1, "where it changes");
  }
  t.notOk(camera({ lat, scale: 2901, globe: true }).round);
  t.end();
});

t.test("a dragged point stays under the pointer", (t) => {
  const poses = [
    { pitch: 50, bearing: 40 },
    { globe: true, scale: 9 },
    { globe: true, scale: 60, pitch: 30, bearing: -70 },
  ];
  for (const pose of poses) {
    const at = camera({ lon: -98, lat: 31, scale: 80, ...pose });
    const [from, to] = [
      { x: 380, y: 260 },
      { x: 520, y: 330 },
    ];
    const held: [number, number] = [at.worldX(from.x, from.y), at.worldY(from.x, from.y)];
    at.drag(from, to);
    near(t, spot(at, ...held), [to.x, to.y], 0.1, `moved, ${JSON.stringify(pose)}`);
    at.zoomAt(1.3, to.x, to.y);
    near(t, spot(at, ...held), [to.x, to.y], 0.1, "zoomed");
    at.turnTo(at.bearing + 25, to.x, to.y);
    near(t, spot(at, ...held), [to.x, to.y], 0.1, "turned");
  }
  const globe = camera({ globe: true, scale: 4 });
  const [size] = [globe.projection.radius];
  globe.drag({ x: 450, y: 300 }, { x: 450, y: 420 });
  t.ok(Math.abs(globe.projection.radius / size - 1) < 1e-9, "a globe that is moved keeps its size");
  for (let k = 0; k < 40; k += 1) {
    globe.drag({ x: 450, y: 300 }, { x: 450, y: 420 });
  }
  t.ok(Number.isFinite(globe.screenX(0, globe.view.y)) && globe.view.y > -180.1, "and its pole is not passed");
  t.end();
});

t.test("everything is shown, tilted and on a globe", (t) => {
  const bounds = { x0: -106, x1: -94, y0: -38, y1: -27 };
  for (const pose of [{ pitch: 60 }, { globe: true }, { globe: true, pitch: 45 }]) {
    const at = camera({ lon: -100, lat: 31, ...pose });
    at.fit(bounds, 28, { left: 100, bottom: 60 });
    const corners = [bounds.x0, bounds.x1].flatMap((x) => [bounds.y0, bounds.y1].map((y) => spot(at, x, y)));
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    t.ok(Math.min(...xs) > 127 && Math.max(...xs) < WIDTH - 27, `${JSON.stringify(pose)}: ${xs.join(", ")}`);
    t.ok(Math.min(...ys) > 27 && Math.max(...ys) < HEIGHT - 87, ys.join(", "));
    const used = Math.max(
      (Math.max(...xs) - Math.min(...xs)) / (WIDTH - 156),
      (Math.max(...ys) - Math.min(...ys)) / (HEIGHT - 116),
    );
    t.ok(used > 0.95, `as large as there is room: ${used}`);
    t.equal(at.scale, at.fitScale);
  }
  t.end();
});
