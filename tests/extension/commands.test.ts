// The commands on the map in front, run like JupyterLab does: by id, with arguments of any kind.
import t from "tap";
import { addCommands, addFileCommands, CommandIDs } from "@service/jupyterlab/commands";
import type { Workspace } from "@service/widgets/workspace";
import { addDocumentCommands, type DocumentAccess } from "@service/jupyterlab/documentCommands";
import type { CommandRegistry } from "@lumino/commands";
import { fixture } from "../fixtures/cases.ts";
import { openThreeBus } from "../widgets/session.ts";

interface Command {
  label: string;
  describedBy: { args: { additionalProperties: boolean } };
  isEnabled?: () => boolean;
  isVisible?: () => boolean;
  execute: (args: object) => unknown;
}

const CASE = new Uint8Array(await fixture("three_bus.m"));
const PLACES = new TextEncoder().encode("bus,lat,lon\n1,40.0,-105.0\n2,40.5,-104.0\n3,39.5,-104.5\n");
const ON_SERVER: Record<string, Uint8Array<ArrayBuffer>> = { "grids/three_bus.m": CASE, "grids/places.csv": PLACES };
let chosen: ReturnType<DocumentAccess["selected"]> = [];
const access: DocumentAccess = {
  icon: undefined,
  selected: () => chosen,
  fileOf: (path) => {
    const bytes = ON_SERVER[path];
    const name = path.split("/").at(-1) ?? "";
    return bytes === undefined
      ? Promise.reject(new Error(`No such file: ${path}`))
      : Promise.resolve({ name, size: bytes.length, arrayBuffer: () => Promise.resolve(bytes.slice().buffer) });
  },
};

/** Adds the commands to a registry that only records them. */
function register(workspace: Workspace): { commands: Map<string, Command>; palette: string[]; shown: () => number } {
  const commands = new Map<string, Command>();
  const palette: string[] = [];
  let shown = 0;
  const app = { commands: { addCommand: (id: string, options: Command) => commands.set(id, options) } };
  const trans = {
    __: (text: string, ...values: unknown[]) => text.replace(/%(\d)/g, (_, k: string) => String(values[Number(k) - 1])),
  };
  const [lab, , bundle, list] = [
    app,
    workspace,
    trans,
    { addItem: ({ command }: { command: string }) => palette.push(command) },
  ] as unknown as Parameters<typeof addCommands>;
  addCommands(lab, workspace, bundle, list, () => (shown += 1));
  addFileCommands(lab, workspace, bundle, list, undefined, () => Promise.resolve());
  const registry = { ...app.commands, execute: () => Promise.resolve() } as unknown as CommandRegistry;
  addDocumentCommands(registry, workspace, bundle, access);
  return { commands, palette, shown: () => shown };
}

const { workspace, session } = await openThreeBus();
const { commands, palette, shown } = register(workspace);
const run = async (id: string, args: object = {}): Promise<unknown> => commands.get(id)?.execute(args);

t.test("every command has a prefixed name, a label and a closed schema of its arguments", async (t) => {
  t.strictSame([...commands.keys()].sort(), Object.values(CommandIDs).sort());
  for (const [id, { label, describedBy }] of commands) {
    t.match(id, /^wattbook:[a-z]+(-[a-z]+)+$/);
    t.ok(label);
    t.equal(describedBy.args.additionalProperties, false);
  }
  t.strictSame(
    palette,
    [CommandIDs.showStudyPanel, CommandIDs.resetCase, CommandIDs.undoEdit, CommandIDs.redoEdit, CommandIDs.openFiles],
    "those without arguments are in the palette",
  );
});

t.test("without a map in front only the panel can be shown", async (t) => {
  t.equal(commands.get(CommandIDs.resetCase)?.isEnabled?.(), false);
  await run(CommandIDs.showStudyPanel);
  t.equal(shown(), 1);
});

t.test("select and reset act on the map in front", async (t) => {
  workspace.activate(session);
  t.equal(commands.get(CommandIDs.resetCase)?.isEnabled?.(), true);
  await run(CommandIDs.selectElement, { kind: "branch", id: 2 });
  t.strictSame(session.selection, { kind: "branch", id: 2 });
  await session.commitElement({ kind: "bus", id: 2 }, 5);
  await run(CommandIDs.resetCase);
  t.strictSame(session.state.edits, { deltas: {}, rates: {} });
});

t.test("edits are undone and redone, states restored and named", async (t) => {
  const enabled = (id: string): boolean | undefined => commands.get(id)?.isEnabled?.();
  t.equal(enabled(CommandIDs.undoEdit), true, "the reset before this");
  await run(CommandIDs.undoEdit);
  t.strictSame(session.state.edits, { deltas: { 2: 5 }, rates: {} });
  t.equal(enabled(CommandIDs.redoEdit), true);
  await run(CommandIDs.redoEdit);
  t.strictSame(session.state.edits, { deltas: {}, rates: {} });
  t.equal(enabled(CommandIDs.redoEdit), false);
  await run(CommandIDs.goToState, { state: 1 });
  t.strictSame(session.state.edits, { deltas: { 2: 5 }, rates: {} });
  await run(CommandIDs.nameState, { name: "Five more" });
  t.equal(session.history.stateOf(1)?.name, "Five more");
  await run(CommandIDs.nameState, { name: "Start", state: 0 });
  t.equal(session.history.stateOf(0)?.name, "Start");
  for (const args of [{}, { state: 99 }, { state: "1" }]) {
    await t.rejects(run(CommandIDs.goToState, args), { message: /^The active map has no state/ });
  }
  await t.rejects(run(CommandIDs.nameState, { state: 0 }), { message: "Give the state a name." });
  await run(CommandIDs.resetCase);
});

t.test("missing elements are refused with a message", async (t) => {
  await t.rejects(run(CommandIDs.selectElement, { kind: "bus", id: 77 }), {
    message: "The active map has no bus 77.",
  });
  for (const args of [{}, { kind: "generator", id: 1 }, { kind: "bus", id: "2" }]) {
    await t.rejects(run(CommandIDs.selectElement, args), { message: "Name a kind, bus or branch, and an id." });
  }
  t.strictSame(session.selection, { kind: "branch", id: 2 });
});

t.test("files of the file browser open together, and other files offer nothing", async (t) => {
  const item = (path: string, type = "file"): (typeof chosen)[number] => ({
    path,
    name: path.split("/").at(-1) ?? "",
    type,
  });
  const visible = (): boolean | undefined => commands.get(CommandIDs.openSelected)?.isVisible?.();
  for (const [items, offered] of [
    [[], false],
    [[item("grids", "directory")], false],
    [[item("notes.txt")], false],
    [[item("grids/three_bus.m"), item("notes.txt")], false],
    [[item("grids/places.csv"), item("grids/three_bus.m")], true],
  ] as const) {
    chosen = [...items];
    t.equal(visible(), offered);
  }
  const before = workspace.sessions.length;
  await run(CommandIDs.openSelected);
  t.equal(workspace.sessions.length, before + 1);
  const { opened } = workspace.sessions.at(-1) ?? session;
  t.strictSame(Array.from(opened.geography.map?.x ?? []), [-105, -104, -104.5]);
  t.strictSame(
    workspace.intake.outcomes.map(({ outcome }) => outcome),
    ["geography", "case"],
  );
  await t.rejects(run(CommandIDs.openPaths, { paths: ["grids/none.m"] }), { message: "No such file: grids/none.m" });
  for (const args of [{}, { paths: [] }, { paths: [3] }]) {
    await t.rejects(run(CommandIDs.openPaths, args), { message: "Name at least one path." });
  }
});

t.test("bytes without a path open by their name", async (t) => {
  const before = workspace.sessions.length;
  const base64 = Buffer.from(CASE).toString("base64");
  await run(CommandIDs.openBytes, { name: "anything.m", base64 });
  t.equal(workspace.sessions.length, before + 1);
  t.equal(workspace.sessions.at(-1)?.caseName, "three_bus");
  for (const args of [{ base64 }, { name: "a.m" }, { name: "a.m", base64: "\u2713" }]) {
    await t.rejects(run(CommandIDs.openBytes, args), { message: "Give a name, and the content as base64." });
  }
});
