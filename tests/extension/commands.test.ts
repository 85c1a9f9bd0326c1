// The commands on the map in front, run as JupyterLab runs them: by id, with arguments of any kind.
import t from "tap";
import { addCommands, addFileCommands, CommandIDs } from "@service/jupyterlab/commands";
import type { Workspace } from "@service/widgets/workspace";
import { openThreeBus } from "../widgets/session.ts";

interface Command {
  label: string;
  describedBy: { args: { additionalProperties: boolean } };
  isEnabled?: () => boolean;
  execute: (args: object) => unknown;
}

/** Adds the commands to a registry that only remembers. */
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
  addFileCommands(lab, workspace, bundle, list, () => Promise.resolve());
  return { commands, palette, shown: () => shown };
}

const { workspace, session } = await openThreeBus();
const { commands, palette, shown } = register(workspace);
const run = async (id: string, args: object = {}): Promise<unknown> => commands.get(id)?.execute(args);

t.test("every command has a name of ours, a label and a closed schema of its arguments", async (t) => {
  t.strictSame([...commands.keys()].sort(), Object.values(CommandIDs).sort());
  for (const [id, { label, describedBy }] of commands) {
    t.match(id, /^wattbook:[a-z]+(-[a-z]+)+$/);
    t.ok(label);
    t.equal(describedBy.args.additionalProperties, false);
  }
  t.strictSame(
    palette,
    [CommandIDs.showStudyPanel, CommandIDs.resetCase, CommandIDs.openFiles],
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

t.test("what does not exist is refused in words", async (t) => {
  await t.rejects(run(CommandIDs.selectElement, { kind: "bus", id: 77 }), {
    message: "The map in front has no bus 77.",
  });
  for (const args of [{}, { kind: "generator", id: 1 }, { kind: "bus", id: "2" }]) {
    await t.rejects(run(CommandIDs.selectElement, args), { message: "Name a kind, bus or branch, and an id." });
  }
  t.strictSame(session.selection, { kind: "branch", id: 2 });
});
