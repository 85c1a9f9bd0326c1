import type { CaseSession } from "../session/caseSession.ts";
import { diagnosticNotes } from "../intake/fileOutcomes.ts";
import type { ViewedNetwork } from "./viewedNetwork.ts";
import type { ShownCase } from "./shownCase.ts";
import { StudyWriter } from "../study/studyBundle.ts";
import type { WorkspaceEngine } from "../workspaceInterface.ts";

/** A file made in the page. */
export interface MadeFile {
  name: string;
  bytes: Uint8Array;
  /** What the format cannot carry, one sentence each. */
  warnings: string[];
}

/** The module of a session with its committed edits and the positions shown, as a file. Rejects with EngineError. */
export async function saveModule(session: CaseSession): Promise<MadeFile> {
  return textFile(`${fileName(session.caseName)}.json`, await moduleOf(session));
}

/**
 * The Study of a session, with its states, results and plans, as a packed file, an eighth of the plain length. Rejects
 * with EngineError.
 */
export async function saveStudy(
  session: CaseSession,
  engine: Pick<WorkspaceEngine, "writeStudyBundle">,
): Promise<MadeFile> {
  const bundle = await new StudyWriter(session).bundle();
  const name = `${fileName(bundle.document.title)}.study.json.gz`;
  return { name, bytes: await engine.writeStudyBundle(bundle, { gzip: true }), warnings: [] };
}

/** A session's case with its committed edits and the positions shown, in one of the engine's formats. */
export async function exportCase(
  session: CaseSession,
  format: string,
  engine: Pick<WorkspaceEngine, "exportFormats" | "exportModule">,
): Promise<MadeFile> {
  const { bytes, file_name, warnings } = await engine.exportModule(await moduleOf(session), format);
  const extension = file_name.slice(file_name.lastIndexOf("."));
  return {
    name: fileName(session.caseName) + extension,
    bytes,
    warnings: diagnosticNotes(warnings),
  };
}

/** The module of a network without a Study, with the positions shown. */
export function saveNetwork(network: Pick<ShownCase, "name" | "geography">): MadeFile {
  return textFile(`${fileName(network.name)}.json`, network.geography.moduleJson);
}

/** The power flow of a feeder with its case as a Study file, which opens again without a solve. Rejects with EngineError. */
export async function saveFeederResult(
  { name, feeder }: Pick<ViewedNetwork, "name" | "feeder">,
  engine: Pick<WorkspaceEngine, "writeMcStudyBundle">,
): Promise<MadeFile> {
  const bytes = await engine.writeMcStudyBundle((await feeder?.save()) ?? "");
  return { name: `${fileName(name)}.study.json`, bytes, warnings: [] };
}

/** The map positions as a `.geo.json` layer. */
export async function saveGeography({ name, geography }: Pick<ShownCase, "name" | "geography">): Promise<MadeFile> {
  return textFile(`${fileName(name)}.geo.json`, await geography.geoJson());
}

async function moduleOf(session: CaseSession): Promise<string> {
  return session.opened.geography.stampInto(await session.saveModule());
}

function textFile(name: string, text: string): MadeFile {
  return { name, bytes: new TextEncoder().encode(text), warnings: [] };
}

/**
 * Characters that no file name may contain; `component` in widgets/python/wattbook/files/files.py has the same rule.
 */
const UNSAFE =
  // eslint-disable-next-line no-control-regex -- control characters are what must not stay
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\p{Cs}\u{e0000}-\u{e007f}<>:"/\\|?*\s,]+/gu;

/** Names of devices on Windows, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;

/** Longest file name without its ending, in bytes of UTF-8. */
const LONGEST_NAME = 120;

/**
 * Turns `name`, which may come from a file, into one path component that every file system and every shell accepts: no
 * separator, no leading dot.
 */
export function fileName(name: string): string {
  const bytes = new TextEncoder().encode(name.replace(UNSAFE, "_").replace(/^[.-]+/u, ""));
  // A character cut in two decodes to U+FFFD, which no name contains at this point.
  const safe = new TextDecoder().decode(bytes.subarray(0, LONGEST_NAME)).replace(/[.\ufffd]+$/u, "");
  return DEVICES.test(safe) ? `_${safe}` : safe || "case";
}
