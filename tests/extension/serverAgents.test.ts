// Which open cases MCP clients of the Jupyter server may access: those of the server, not those of the user's own
// computer.
import t from "tap";
import { ServerAgents } from "@service/jupyterlab/serverAgents";
import { type AcceptOpening, type IntakeFile, StudyWriter, Workspace } from "@service/widgets/workspace";
import { eventually } from "../eventually.ts";
import { fixture } from "../fixtures/cases.ts";
import { engine, openThreeBus } from "../widgets/session.ts";
import { file } from "../widgets/workspace/intakeFile.ts";

const CASE = await fixture("three_bus.m");
/** A document, which shows cases opened from its file. */
const DOCUMENT: AcceptOpening = () => true;
const onServer = (one: IntakeFile): IntakeFile => ({ ...one, onServer: true });

/** A page of JupyterLab whose server has MCP, and the labels of the cases it was sent. */
function page() {
  const workspace = new Workspace(engine);
  workspace.opening.connect((_, opening) => {
    if (opening.kind === "case") workspace.activate(opening.session);
    else workspace.activateNetwork(opening.network);
  });
  const heard: string[][] = [];
  let sockets = 0;
  class Socket extends EventTarget {
    readonly OPEN = 1;
    readonly readyState = 1;

    constructor() {
      super();
      sockets += 1;
      queueMicrotask(() => this.dispatchEvent(new MessageEvent("message", { data: '{"kind":"ready","version":1}' })));
    }

    send(text: string): void {
      const message = JSON.parse(text) as { cases: { label: string }[] };
      heard.push(message.cases.map(({ label }) => label));
    }
  }
  const server = { wsUrl: "ws://localhost/", appendToken: false, token: "", WebSocket: Socket };
  new ServerAgents(workspace, server as unknown as ConstructorParameters<typeof ServerAgents>[1]).follow(null);
  return { workspace, heard, sockets: () => sockets };
}

t.test("a dropped or chosen file is not shared in any view", async (t) => {
  const { workspace, sockets } = page();
  await workspace.intake.take([file("dropped.m", CASE)]);
  await workspace.intake.take([file("on-a-new-study.m", CASE)], undefined, DOCUMENT);
  t.equal(workspace.sessions.length, 2);
  t.equal(sockets(), 0, "no request is sent to the server");
});

t.test("files of the server are shared", async (t) => {
  const { workspace, heard } = page();
  await workspace.intake.take([onServer(file("case.m", CASE))], undefined, DOCUMENT);
  await eventually.strictSame(t, () => Promise.resolve(heard.at(-1)), ["three_bus"]);
  const { session } = await openThreeBus();
  const bundle = await new StudyWriter(session).bundle({ id: "study-1", title: "A Study" });
  const study = await engine.readStudyBundle(await engine.writeStudyBundle(bundle));
  await workspace.openStudy(study, { origin: DOCUMENT, local: false });
  t.strictSame(heard.at(-1), ["three_bus", "A Study"]);
  await workspace.intake.take([file("dropped.m", CASE)], undefined, DOCUMENT);
  t.equal(workspace.sessions.length, 3);
  t.strictSame(heard.at(-1), ["three_bus", "A Study"]);
});

t.test("a feeder of the server completed by a local file is not shared", async (t) => {
  const { workspace, sockets } = page();
  const root = onServer(file("root.dss", "Redirect lines.dss\n"));
  await workspace.intake.take([root]);
  await workspace.intake.take([file("lines.dss", "New Circuit.one basekv=11\nNew Line.a bus1=sourcebus bus2=b\n")]);
  t.ok(workspace.network);
  t.equal(sockets(), 0);
});
