import t from "tap";
import { cellHeight } from "@service/widgets/map";

/** Corners of a box on the equator, where a degree is as tall as it is wide within 0.04 % up to 2.5 degrees. */
const square = { x: [0, 5, 0, NaN], y: [-2.5, 2.5, 0, NaN] };

t.test("a network fills the width of its cell within the height of the window", async (t) => {
  // 28 px are free on each side: 600 px of network in 656.
  t.ok(Math.abs(cellHeight(square, 656, 2000) - 656) <= 1);
  t.equal(cellHeight(square, 656, 950), 950 - 500, "what is above the notebook and the edit bar stay in sight");
  t.equal(cellHeight(square, 656, 800), 300);
  t.equal(cellHeight(square, 656, 500), 240, "the least");
  t.equal(cellHeight({ x: [0, 20], y: [0, 1] }, 656, 2000), 420, "a wide one is not made lower");
});

t.test("without positions or width the height is the usual one", async (t) => {
  t.equal(cellHeight(null, 656, 2000), 420);
  t.equal(cellHeight({ x: [], y: [] }, 656, 2000), 420);
  t.equal(cellHeight({ x: [3], y: [3] }, 656, 2000), 420, "one bus");
  t.equal(cellHeight(square, 0, 2000), 420);
});
