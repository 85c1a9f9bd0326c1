// The view after a change of the picture's size: the edit bar below appears and disappears without moving the picture.
import t from "tap";
import { Viewpoint } from "@service/widgets/map";

const GEOMETRY = {
  busX: Float64Array.of(0, 10, 4),
  busY: Float64Array.of(0, 0, 6),
  paths: [],
  bounds: { x0: 0, x1: 10, y0: 0, y1: 6 },
};

function viewpoint(covered: readonly { x0: number; y0: number; x1: number; y1: number }[] = []): Viewpoint {
  return new Viewpoint(
    { geometry: GEOMETRY, plane: "diagram" } as unknown as ConstructorParameters<typeof Viewpoint>[0],
    { corner: () => null, covered: () => covered },
    () => undefined,
  );
}

const onScreen = ({ camera }: Viewpoint, row: number): number[] => [
  Math.round(camera.screenX(GEOMETRY.busX[row] ?? NaN, GEOMETRY.busY[row] ?? NaN)),
  Math.round(camera.screenY(GEOMETRY.busX[row] ?? NaN, GEOMETRY.busY[row] ?? NaN)),
];

t.test("the edit bar changes the height without moving the picture", (t) => {
  const view = viewpoint();
  view.resize(800, 420, null);
  const [before, scale] = [onScreen(view, 0), view.camera.scale];
  const selected = { kind: "bus", row: 0 } as const;
  view.resize(800, 380, selected);
  t.equal(view.camera.scale, scale);
  t.strictSame(onScreen(view, 0), before);
  view.resize(800, 420, selected);
  t.strictSame(onScreen(view, 0), before);
  t.end();
});

t.test("an element below the edit bar comes into view by the shortest move", (t) => {
  const view = viewpoint();
  view.resize(800, 420, null);
  const low = onScreen(view, 2)[1] ?? NaN;
  t.ok(low > 250, "the lowest bus");
  view.resize(800, 250, { kind: "bus", row: 2 });
  const now = onScreen(view, 2);
  t.ok((now[1] ?? NaN) < 250 && (now[1] ?? NaN) > 220, `at ${now.join(", ")}`);
  t.end();
});

t.test("an element below the legend comes into view by the shortest move, and a visible one stays", (t) => {
  const boxes = [{ x0: 0, y0: 300, x1: 300, y1: 420 }];
  const view = viewpoint(boxes);
  view.resize(800, 420, null);
  const [seen, below] = [onScreen(view, 1), onScreen(view, 0)];
  view.reveal({ kind: "bus", row: 1 });
  t.strictSame(onScreen(view, 1), [Math.min(744, seen[0] ?? NaN), Math.max(56, seen[1] ?? NaN)], "as without a legend");
  view.camera.panBy(100 - (onScreen(view, 0)[0] ?? NaN), 330 - (onScreen(view, 0)[1] ?? NaN));
  t.strictSame(onScreen(view, 0), [100, 330], `it was at ${below.join(", ")}`);
  view.reveal({ kind: "bus", row: 0 });
  t.strictSame(onScreen(view, 0), [100, 282], "just above the legend");
  t.end();
});

t.test("an element comes into the picture even if overlays cover all of it", (t) => {
  const view = viewpoint([{ x0: 0, y0: 0, x1: 800, y1: 420 }]);
  view.resize(800, 420, null);
  view.camera.panBy(-900, 0);
  view.reveal({ kind: "bus", row: 0 });
  const [x = NaN, y = NaN] = onScreen(view, 0);
  t.ok(x >= 0 && x <= 800 && y >= 0 && y <= 420, `at ${x}, ${y}`);
  t.end();
});

t.test("without a selection, and with another width, everything is shown again", (t) => {
  const view = viewpoint();
  view.resize(800, 420, null);
  view.resize(800, 300, null);
  t.equal(view.camera.scale, view.camera.fitScale);
  view.resize(400, 300, { kind: "bus", row: 0 });
  t.equal(view.camera.scale, view.camera.fitScale);
  t.end();
});

t.test("a found bus is shown with its neighbours, a found line with both ends", (t) => {
  const paths = [Float64Array.of(0, 0, 10, 0), Float64Array.of(4, 6, 4.1, 6)];
  const scene = {
    geometry: { ...GEOMETRY, paths },
    plane: "diagram",
    branchesOf: (bus: number) => [bus === 2 ? 1 : 0],
  };
  const view = new Viewpoint(
    scene as unknown as ConstructorParameters<typeof Viewpoint>[0],
    { corner: () => null, covered: () => [] },
    () => undefined,
  );
  view.resize(800, 420, null);
  view.zoomTo({ kind: "branch", row: 0 });
  const [[a = NaN], [b = NaN]] = [onScreen(view, 0), onScreen(view, 1)];
  t.ok(a >= 0 && b <= 800, "both ends of the line");
  view.zoomTo({ kind: "bus", row: 2 });
  t.strictSame(onScreen(view, 2), [400, 210]);
  t.ok(view.camera.scale > 5 * view.camera.fitScale, "near a neighbour that is near");
  view.zoomTo({ kind: "bus", row: 0 });
  t.strictSame(onScreen(view, 0), [400, 210]);
  t.ok((onScreen(view, 1)[0] ?? NaN) <= 800, "its neighbour is in sight, and the view goes back where it was too near");
  t.end();
});
