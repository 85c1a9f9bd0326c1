// The proposal of a plan in a saved picture: lines dashed, buses in a dashed ring, each with its change.
import t from "tap";
import { Camera, type Frame, proposalGroup } from "@service/widgets/map";

const camera = new Camera();
camera.resize(400, 200);
camera.view = { x: 5, y: 5, scale: 10, fitScale: 10 };

const frame = {
  geometry: {
    busX: Float64Array.of(0, 10, NaN),
    busY: Float64Array.of(5, 5, NaN),
    paths: [Float64Array.of(0, 5, 10, 5)],
    bounds: { x0: 0, y0: 0, x1: 10, y1: 10 },
  },
  camera,
  sizes: Float32Array.of(1, 1, 1),
  theme: { dark: false, casing: "#fff", ground: "#fff", text: "#000" },
} as unknown as Frame;

t.test("a picture without a proposal contains no marks of one", async (t) => {
  t.equal(proposalGroup(frame), "");
  t.equal(proposalGroup({ ...frame, proposed: [] }), "");
});

t.test("lines and buses are drawn with their changes; elements without a position are left out", async (t) => {
  const svg = proposalGroup({
    ...frame,
    proposed: [
      { kind: "branch", row: 0, text: "+10.0 <MW>" },
      { kind: "bus", row: 1, text: "\u221220.0 MW" },
      { kind: "bus", row: 2, text: "nowhere" },
    ],
  });
  t.match(svg, /<path d="M150 100L250 100"\/>/, "the way of the line");
  t.match(svg, /<circle cx="250" cy="100" r="/, "the ring around the bus");
  t.match(svg, /stroke-dasharray="9 6"/);
  t.match(svg, />\+10\.0 &lt;MW&gt;<\/text>/);
  t.match(svg, />\u221220\.0 MW<\/text>/);
  t.notMatch(svg, /nowhere/);
});
