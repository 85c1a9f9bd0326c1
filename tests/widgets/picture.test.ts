import t from "tap";
import { Camera, freeInset, type Geometry, Picker } from "@service/widgets/map";

/** Three buses: (0, 0), (10, 0), (10, 10); two straight branches and one with a bend at (0, 10); one bus without a place. */
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

t.test("the camera fits, keeps the point under the pointer while zooming, and brings things into view", async (t) => {
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

t.test("a new size shows everything again only when everything was shown", async (t) => {
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

t.test("showing everything leaves the legend's corner free of buses, and wastes little", async (t) => {
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

t.test("picking", async (t) => {
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
