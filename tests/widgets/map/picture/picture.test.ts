import t from "tap";
import { Camera, freeInset, type Geometry, Picker, shorterWay, turnedBounds } from "@service/widgets/map";

/**
 * Three buses: (0, 0), (10, 0), (10, 10); two straight branches and one with a bend at (0, 10); one bus without a
 * position.
 */
const geometry: Geometry = {
  busX: Float64Array.of(0, 10, 10, NaN),
  busY: Float64Array.of(0, 0, 10, NaN),
  paths: [
    Float64Array.of(0, 0, 10, 0),
    Float64Array.of(10, 0, 10, 10),
    Float64Array.of(0, 0, 0, 10, 10, 10),
    Float64Array.of(0, 0, NaN, NaN),
  ],
  bounds: { x0: 0, y0: 0, x1: 10, y1: 10 },
};

t.test("the camera fits, zooms around the pointer, and brings elements into view", async (t) => {
  const camera = new Camera();
  camera.resize(400, 200);
  camera.fit(geometry.bounds, 20);
  t.equal(camera.scale, 16);
  t.strictSame([camera.screenX(5, 5), camera.screenY(5, 5)], [200, 100]);

  const [x, y] = [camera.worldX(50, 60), camera.worldY(50, 60)];
  camera.zoomAt(3, 50, 60);
  t.equal(camera.scale, 48);
  t.ok(Math.abs(camera.screenX(x, y) - 50) < 1e-9 && Math.abs(camera.screenY(x, y) - 60) < 1e-9);

  camera.panBy(5000, 0);
  camera.reveal(0, 0, 30);
  t.ok(camera.screenX(0, 0) >= 30 - 1e-9 && camera.screenX(0, 0) <= 370 + 1e-9);

  camera.zoomAt(1e9, 0, 0);
  t.equal(camera.scale, 200 * camera.fitScale, "zoom has an end");
});

t.test("a bearing turns the picture by known values, and the inverse holds at any bearing", async (t) => {
  const near = (value: number, wanted: number, what: string): void => {
    t.ok(Math.abs(value - wanted) < 1e-9 * Math.max(1, Math.abs(wanted)), `${what}: ${value}, not ${wanted}`);
  };
  const camera = new Camera();
  camera.resize(400, 200);
  camera.view = { x: 5, y: 5, scale: 10, fitScale: 10 };
  t.equal(camera.bearing, 0, "a view without a bearing has north up");
  camera.turnTo(90);
  // East is up, so north is at the left.
  [camera.screenX(6, 5), camera.screenY(6, 5)].forEach((value, k) => near(value, [200, 90][k] ?? NaN, "east"));
  [camera.screenX(5, 4), camera.screenY(5, 4)].forEach((value, k) => near(value, [190, 100][k] ?? NaN, "north"));
  t.strictSame(
    [180, -180, 270, -90, 720, 540].map((bearing) => (camera.turnTo(bearing), camera.bearing)),
    [180, 180, -90, -90, 0, 180],
  );
  t.strictSame(
    [shorterWay(10, 350), shorterWay(350, 10), shorterWay(-170, 170), shorterWay(30, 30)],
    [-20, 20, -20, 0],
  );

  let seed = 7;
  const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let k = 0; k < 200; k += 1) {
    const bearing = 360 * random() - 180;
    camera.view = { x: 20 * random(), y: 20 * random(), scale: 10 ** (4 * random() - 1), fitScale: 3, bearing };
    const [sx, sy] = [400 * random(), 200 * random()];
    const [x, y] = [camera.worldX(sx, sy), camera.worldY(sx, sy)];
    near(camera.screenX(x, y), sx, "there and back");
    near(camera.screenY(x, y), sy, "there and back");
    camera.zoomAt(1.7, sx, sy);
    camera.turnTo(bearing + 100 * random(), sx, sy);
    t.ok(Math.abs(camera.screenX(x, y) - sx) < 1e-6, "zoom and turn leave the point under the pointer");
    camera.panBy(30, -40);
    t.ok(Math.abs(camera.screenX(x, y) - sx - 30) < 1e-6 && Math.abs(camera.screenY(x, y) - sy + 40) < 1e-6);
    const [dx, dy] = camera.unturned(3, 4);
    near(Math.hypot(dx, dy), 5, "a way keeps its length");
    const seen = camera.seen();
    const corner = [camera.worldX(400, 0), camera.worldY(400, 0)] as const;
    t.ok(corner[0] <= seen.x1 + 1e-9 && corner[0] >= seen.x0 - 1e-9 && corner[1] >= seen.y0 - 1e-9);
  }
});

t.test("the whole network is shown at every bearing, as large as it fits", async (t) => {
  const camera = new Camera();
  camera.resize(400, 200);
  for (let bearing = -170; bearing <= 180; bearing += 35) {
    camera.turnTo(bearing);
    camera.fit(turnedBounds(geometry, camera), 20, { left: 60, bottom: 30 });
    const xs = [0, 1, 2].map((row) => camera.screenX(geometry.busX[row] ?? NaN, geometry.busY[row] ?? NaN));
    const ys = [0, 1, 2].map((row) => camera.screenY(geometry.busX[row] ?? NaN, geometry.busY[row] ?? NaN));
    const room = [Math.min(...xs) - 80, 380 - Math.max(...xs), Math.min(...ys) - 20, 150 - Math.max(...ys)];
    room.forEach((pixels) => t.ok(pixels > -1e-6, `${bearing} degrees: inside by ${pixels}`));
    t.ok(Math.min(...room) < 1e-6, "and no larger would fit");
    t.ok(Math.abs((room[0] ?? 0) - (room[1] ?? 0)) < 1e-6, "in the middle");
  }
  const nowhere = { busX: new Float64Array(), busY: new Float64Array(), bounds: geometry.bounds };
  camera.turnTo(90);
  const turned = turnedBounds(nowhere, camera);
  t.ok(Math.abs(turned.x1 - turned.x0 - 10) < 1e-9 && Math.abs(turned.y0 + 10) < 1e-9, "without buses, the corners");
});

t.test("a new size fits the network again only if all of it was shown", async (t) => {
  const camera = new Camera();
  camera.resize(400, 200);
  camera.fit(geometry.bounds, 20);
  camera.resize(800, 400);
  camera.refit(geometry.bounds, 20);
  t.equal(camera.scale, 36);
  camera.zoomAt(2, 400, 200);
  camera.resize(400, 200);
  camera.refit(geometry.bounds, 20);
  t.equal(camera.scale, 72);
  t.equal(camera.fitScale, 16);
});

t.test("the fitted view leaves the legend's corner free of buses with little loss of scale", async (t) => {
  const corner = { width: 240, height: 110 };
  const square: Geometry = { ...geometry, busX: Float64Array.of(0, 10, 10, 0), busY: Float64Array.of(0, 0, 10, 10) };
  for (const [width, height] of [
    [900, 420],
    [500, 420],
    [400, 900],
  ] as const) {
    const camera = new Camera();
    camera.resize(width, height);
    camera.fit(square.bounds, 28, freeInset({ width, height }, square, 28, corner));
    square.busX.forEach((x, row) => {
      const y = square.busY[row] ?? NaN;
      const [sx, sy] = [camera.screenX(x, y), camera.screenY(x, y)];
      t.ok(sx >= 28 - 1e-9 && sx <= width - 28 + 1e-9 && sy >= 28 - 1e-9 && sy <= height - 28 + 1e-9, "in the picture");
      t.ok(sx > corner.width || sy < height - corner.height, "not under the legend");
    });
    t.ok(camera.scale >= 0.5 * Math.min((width - 56) / 10, (height - 56) / 10));
  }
  const free: Geometry = { ...geometry, busX: Float64Array.of(0, 10, 10), busY: Float64Array.of(0, 0, 10) };
  t.strictSame(freeInset({ width: 900, height: 900 }, free, 28, corner), { left: 0, bottom: 0 }, "nothing lies there");
  t.strictSame(freeInset({ width: 250, height: 120 }, square, 28, corner), { left: 0, bottom: 0 }, "no room to spare");
});

t.test("the element at a point is found", async (t) => {
  const picker = new Picker(geometry);
  t.equal(picker.busAt(9.5, 0.2, 1), 1);
  t.equal(picker.busAt(5, 5, 1), -1);
  t.equal(picker.branchAt(5, 0.3, 0.5), 0);
  t.equal(picker.branchAt(0.2, 7, 0.5), 2, "a bent branch along its way");
  t.equal(picker.branchAt(5, 5, 0.5), -1, "and not inside its box");
});

t.test("arrow keys go to the nearest bus in their direction", async (t) => {
  const picker = new Picker(geometry);
  t.equal(picker.busTowards(0, 1, 0), 1);
  t.equal(picker.busTowards(1, 0, 1), 2);
  t.equal(picker.busTowards(1, 1, 0), -1);
});
