import type { ListStatement, SecurityLists, SolveOptions } from "@service/engine";
import { formatCount, trans } from "../../text/index.ts";
import { unlessCancelled } from "../concurrency/cancelling.ts";
import { type BatchFiles, coded } from "./batchFiles.ts";
import type { IntakeFile } from "./intakeLimits.ts";
import type { IntakeTarget, IntakeWorkspace } from "./intakeWorkspace.ts";

/** A list of outages, subsystems or monitored elements in a batch. */
export interface ListFile {
  readonly file: IntakeFile;
  readonly bytes: Uint8Array;
}

/** Number of statements of a kind that are named. */
const NAMED = 5;

/**
 * Solves the case of a batch, or the one in front, with limits after the outages of the lists of the batch, which are read
 * together.
 */
export async function takeLists(
  lists: readonly ListFile[],
  findTargets: () => Promise<readonly IntakeTarget[]>,
  noCase: string,
  workspace: Pick<IntakeWorkspace, "secure">,
  batch: BatchFiles,
): Promise<void> {
  const files = Object.fromEntries(lists.map(({ file, bytes }) => [file.name, bytes]));
  let solving: Promise<SecurityLists | null> | undefined;
  for (const { file } of lists) {
    await batch.attemptRead(file, async () => {
      solving ??= findTargets().then(async ([target]) =>
        target === undefined ? null : workspace.secure(target, files, batch.signal),
      );
      const read = await unlessCancelled(solving, batch.signal);
      if (read === null) {
        throw coded("INPUT.NO_CASE", trans.__("A list of outages. %1", noCase));
      }
      batch.say(file, "security", sentenceOf(read), notesOf(read, file.name));
    });
  }
}

/** `Solved with the limits after 3 outages and of 1 interface.` */
function sentenceOf({ outages, interfaces }: SecurityLists): string {
  const [n, m] = [outages.length, interfaces.length];
  const parts = [
    ...(n > 0 ? [trans._n("after %2 outage", "after %2 outages", n, formatCount(n))] : []),
    ...(m > 0 ? [trans._n("of %2 interface", "of %2 interfaces", m, formatCount(m))] : []),
  ];
  const [first, second] = parts;
  if (first === undefined) return trans.__("The lists name no outage and no interface.");
  return second === undefined
    ? trans.__("Solved with the limits %1.", first)
    : trans.__("Solved with the limits %1 and %2.", first, second);
}

/** The options with what lists of these names say. */
export function securedOptions(options: SolveOptions, read: SecurityLists, names: readonly string[]): SolveOptions {
  const { outages, monitored, interfaces } = read;
  const hasOutages = names.some((name) => !/\.(mon|sub)$/i.test(name));
  return {
    ...options,
    security: { ...options.security, ...(hasOutages && { outages }), ...(monitored && { monitored }) },
    ...(interfaces.length > 0 && { limits: { ...options.limits, interfaces } }),
  };
}

/** What the statements of a file could not say. */
function notesOf(read: SecurityLists, name: string): string[] {
  const kinds: [statements: readonly ListStatement[], sentence: (statements: string) => string][] = [
    [read.not_found, (statements) => trans.__("The case does not have: %1.", statements)],
    [read.unsupported, (statements) => trans.__("Not supported: %1.", statements)],
    [read.out_of_service, (statements) => trans.__("Out of service: %1.", statements)],
    [read.without_effect, (statements) => trans.__("Without effect: %1.", statements)],
  ];
  return kinds.flatMap(([statements, sentence]) => {
    const own = statements.filter(({ file }) => file === name);
    const named = own.slice(0, NAMED).map(({ line, text }) => trans.__("line %1, %2", formatCount(line), text));
    const rest = own.length - NAMED;
    const more = rest > 0 ? [trans._n("and %1 more", "and %1 more", rest)] : [];
    return own.length === 0 ? [] : [sentence([...named, ...more].join("; "))];
  });
}
