// OpenDSS scripts in batches: files they refer to, and files that come later. Over the real engine.
import t from "tap";
import {
  type FileOutcome,
  referredNames,
  rootScripts,
  type ViewedNetwork,
  Workspace,
} from "@service/widgets/workspace";
import { engine } from "../session.ts";
import { file } from "./intakeFile.ts";

t.test("OpenDSS scripts are sorted into masters and included files", async (t) => {
  const master =
    "Clear\nRedirect  LineCodes.dss ! a remark\nCompile (sub\\Loads.DSS)\nBuscoords 'XY.csv'\n// redirect no.dss\n";
  const shape = "New Loadshape.a npts=24 mult=(file=shape.csv) interval=1";
  t.strictSame([...referredNames(master)], ["linecodes.dss", "loads.dss", "xy.csv"]);
  t.strictSame([...referredNames(shape)], ["shape.csv"]);
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const scripts = [
    { name: "LineCodes.dss", bytes: bytes("new linecode.a") },
    { name: "Master.dss", bytes: bytes(master) },
    { name: "loads.dss", bytes: bytes("new load.a") },
  ];
  const { roots, referred } = rootScripts(scripts);
  t.strictSame(
    roots.map(({ name }) => name),
    ["Master.dss"],
  );
  t.ok(referred.has("xy.csv"));
  const ring = [
    { name: "a.dss", bytes: bytes("redirect b.dss") },
    { name: "b.dss", bytes: bytes("redirect a.dss") },
  ];
  t.equal(rootScripts(ring).roots.length, 2, "in a ring none can be left out");
});

const MASTER = `Clear
New Circuit.pair basekv=1 bus1=a
Redirect parts\\Codes.dss
New Line.l bus1=a bus2=b linecode=one length=1
Buscoords XY.csv
`;
const CODES = "New Linecode.one nphases=3 r1=0.1 x1=0.2\n";
const XY = "a, 100, 200\nb, 300, 5000\n";

/** A workspace that takes one file after the other: the outcome of each, and the networks it showed. */
function oneByOne(): { take(name: string, content: string): Promise<FileOutcome>; networks: ViewedNetwork[] } {
  const workspace = new Workspace(engine);
  const networks: ViewedNetwork[] = [];
  workspace.opening.connect((_, opening) => void (opening.kind === "network" && networks.push(opening.network)));
  return {
    networks,
    take: async (name, content) => {
      const [outcome] = await workspace.intake.take([file(name, content)]);
      if (outcome === undefined) throw new Error("no outcome");
      return outcome;
    },
  };
}

t.test("a feeder waits for its scripts and opens without its positions, and later files complete it", async (t) => {
  const { take, networks } = oneByOne();
  const waits = await take("pair.dss", MASTER);
  t.match(waits, { outcome: "waiting", code: "INPUT.COMPANION", sentence: /Codes\.dss/ });
  t.equal(networks.length, 0);
  const opened = await take("codes.DSS", CODES);
  t.match(opened, { outcome: "distribution", sentence: /^Completes pair\.dss\..*2 buses/ });
  t.ok(
    opened.notes.some((note) => note.includes("XY.csv")),
    "the positions are missing, which is a warning",
  );
  t.equal(networks.length, 1);
  t.equal(networks[0]?.geography.drawing, null);
  const placed = await take("xy.CSV", XY);
  t.match(placed, { outcome: "geography", sentence: /Places 2 of 2 buses/ });
  t.equal(networks.length, 1, "the feeder on screen");
  t.strictSame([...(networks[0]?.geography.drawing?.positions.y ?? [])].map(Number), [200, 5000]);
  t.match(await take("codes.DSS", CODES), { outcome: "waiting" }, "nothing waits for it any more");
});

t.test("coordinates that no script refers to wait with their feeder and place it when it is complete", async (t) => {
  const workspace = new Workspace(engine);
  const networks: ViewedNetwork[] = [];
  workspace.opening.connect((_, opening) => void (opening.kind === "network" && networks.push(opening.network)));
  const script = MASTER.replace("Buscoords XY.csv\n", "");
  const [, coordinates] = await workspace.intake.take([file("pair.dss", script), file("BusCoords.dat", XY)]);
  t.match(coordinates, { outcome: "waiting", sentence: "Kept for pair.dss." });
  const [completed] = await workspace.intake.take([file("Codes.dss", CODES)]);
  t.match(completed, { outcome: "distribution", notes: [/Placed by BusCoords\.dat/] });
  t.strictSame([...(networks[0]?.geography.drawing?.positions.y ?? [])].map(Number), [200, 5000]);
});

t.test("a feeder in three drops: coordinates wait too, and each drop reports the missing files", async (t) => {
  const { take, networks } = oneByOne();
  const script = MASTER.replace("Buscoords XY.csv\n", "Redirect Loads.dss\n");
  t.match(await take("pair.dss", script), { outcome: "waiting", sentence: /^Waits for .*Codes\.dss, Loads\.dss: / });
  const coordinates = await take("BusCoords.dat", XY);
  t.match(coordinates, {
    outcome: "waiting",
    sentence: "Kept for pair.dss, which still waits for codes.dss, loads.dss.",
  });
  const codes = await take("Codes.dss", CODES);
  t.match(codes, { outcome: "waiting", sentence: /^Kept for pair\.dss, which still waits for Loads\.dss\.$/i });
  t.equal(networks.length, 0);
  const loads = await take("Loads.dss", "New Load.one bus1=b kw=10\n");
  t.match(loads, { outcome: "distribution", notes: [/Placed by BusCoords\.dat/] });
  t.strictSame([...(networks[0]?.geography.drawing?.positions.y ?? [])].map(Number), [200, 5000]);
});

t.test("parts of a feeder that arrive before it are stored for it", async (t) => {
  const { take, networks } = oneByOne();
  t.match(await take("Codes.dss", CODES), { outcome: "waiting", sentence: /no circuit/ });
  t.match(await take("XY.csv", XY), { outcome: "refused", code: "INPUT.NO_CASE" });
  const opened = await take("pair.dss", MASTER);
  t.equal(opened.outcome, "distribution");
  t.match(opened.notes, [/Read with Codes\.dss, XY\.csv, opened before/]);
  t.not(networks[0]?.geography.drawing, null);
  t.match(await take("pair.dss", MASTER), { outcome: "waiting" }, "they served for one feeder");
  t.match(await take("other.dss", MASTER.replace("Codes", "More")), { outcome: "waiting", sentence: /More\.dss/ });
});

t.test("coordinates in a .dat file without a referring script are read", async (t) => {
  const workspace = new Workspace(engine);
  const networks: ViewedNetwork[] = [];
  workspace.opening.connect((_, opening) => void (opening.kind === "network" && networks.push(opening.network)));
  const outcomes = await workspace.intake.take([
    file("pair.dss", MASTER.replace("Buscoords XY.csv\n", "")),
    file("Codes.dss", CODES),
    file("BusCoords.dat", "a     100     200\r\nb     300     5000\r\n"),
    file("notes.txt", "Nothing of a network."),
  ]);
  const of = (name: string): FileOutcome | undefined => outcomes.find((outcome) => outcome.name === name);
  t.equal(of("pair.dss")?.outcome, "distribution");
  t.match(of("BusCoords.dat"), { outcome: "geography", sentence: /Places 2 of 2 buses/ });
  t.match(of("notes.txt"), { outcome: "refused", sentence: /has no case, Study/ });
  t.strictSame([...(networks[0]?.geography.drawing?.positions.y ?? [])].map(Number), [200, 5000]);
});
