import t from "tap";
import {
  BranchPaint,
  Camera,
  caseSceneModel,
  type Frame,
  Scene,
  switchKeys,
  switchLooks,
  switchMarks,
} from "@service/widgets/map";
import { type CaseSession, NO_EDITS, Workspace } from "@service/widgets/workspace";
import { engine } from "../session.ts";

/** Two lines from bus 1 to the busbars 2 and 3, a closed coupler between them (row 3), and an open bypass of the first line (row 4). */
const COUPLED = `function mpc = coupled
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
	1	3	0	0	0	0	1	1	0	230	1	1.1	0.9;
	2	1	90	20	0	0	1	1	0	230	1	1.1	0.9;
	3	2	0	0	0	0	1	1	0	230	1	1.1	0.9;
];
mpc.gen = [
	1	60	0	300	-300	1	100	1	500	0;
	3	30	0	300	-300	1	100	1	500	0;
];
mpc.branch = [
	1	2	0.01	0.1	0	100	0	0	0	0	1	-60	60;
	1	3	0.01	0.1	0	30	0	0	0	0	1	-60	60;
];
mpc.gencost = [
	2	0	0	2	20	0;
	2	0	0	2	60	0;
];
%column_names%	f_bus	t_bus	psw	qsw	state	thermal_rating	status
mpc.switch = [
	2	3	0	0	1	0	1;
	1	2	0	0	0	0	1;
];
`;

async function openCoupled(): Promise<CaseSession> {
  const ingested = await engine.ingestCase(new TextEncoder().encode(COUPLED), "matpower");
  const layer = new TextEncoder().encode("id,lon,lat\n1,0,0\n2,10,0\n3,5,5\n");
  const { case: placed } = await engine.applyGeo(ingested.module_json, layer);
  const workspace = new Workspace(engine);
  const opened = await workspace.openCase(placed.sha256, () => Promise.resolve(placed.module_json));
  return workspace.openSession({ opened, caseId: "coupled", caseName: "Coupled", formulation: "dcopf" });
}

function marksOf(session: CaseSession, size = 800): ReturnType<typeof switchMarks> {
  const model = caseSceneModel(session, new BranchPaint(session));
  const { geometry } = new Scene(model, () => undefined);
  if (geometry === null) {
    throw new Error("the case has positions");
  }
  const camera = new Camera();
  camera.resize(size, size / 2);
  camera.fit(geometry.bounds, size / 16);
  const frame: Pick<Frame, "geometry" | "camera" | "sizes" | "switches"> = {
    ...{ geometry, camera, sizes: model.sizes, switches: model.switches ?? [] },
  };
  return switchMarks(frame);
}

t.test("switches are squares on their lines, filled where closed and hollow where open", async (t) => {
  const session = await openCoupled();
  t.strictSame(switchLooks(session), [
    { row: 2, open: false },
    { row: 3, open: true },
  ]);
  t.strictSame(
    switchKeys(switchLooks(session)).map(({ text }) => text),
    ["1 closed switch", "1 open switch"],
  );
  const marks = marksOf(session);
  t.strictSame(
    marks.map(({ row, open }) => [row, open]),
    [
      [2, false],
      [3, true],
    ],
  );
  for (const { corners } of marks) {
    const sides = corners.map(([x, y], k) => {
      const [nextX, nextY] = corners[(k + 1) % 4] ?? [NaN, NaN];
      return Math.hypot(nextX - x, nextY - y);
    });
    t.ok(
      sides.every((side) => Math.abs(side - (sides[0] ?? NaN)) < 1e-9 && side >= 6),
      String(sides),
    );
  }
  t.equal(marksOf(session, 10).length, 0, "without room a switch has no mark");
  session.dispose();
});

t.test("an edit of its status opens a switch", async (t) => {
  const session = await openCoupled();
  await session.commit({ ...NO_EDITS, branches: { "3": { status: false } } }, 0);
  t.strictSame(switchLooks(session)[0], { row: 2, open: true });
  t.equal(switchKeys(switchLooks(session)).length, 1);
  session.dispose();
});
