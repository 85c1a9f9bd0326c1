import { formatCount, trans } from "../../text/index.ts";
import { coded, type BatchFiles } from "./batchFiles.ts";
import type { IntakeTarget, IntakeWorkspace } from "./intakeWorkspace.ts";
import type { IntakeFile } from "./intakeLimits.ts";

/** Possible headers of the first column of a profile, which labels the steps. */
const STEP = /^(time|timestamp|datetime|date|hour|step|snapshots?|period)$/i;
/** Headers of position columns, which a layer has and a profile does not. */
const POSITION = /^(lat|latitude|lon|lng|long|longitude|x|y|x1|y1|lon1|lat1|geometry|path)$/i;
/** Maximum length of a table's header in bytes, which many buses make long. */
export const HEADER_BYTES = 1_000_000;

/** Whether a table is a profile rather than a geographic layer: its first column labels steps. */
export function isProfile(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, HEADER_BYTES));
  const header = text.split(/\r\n|[\r\n]/).find((line) => line.trim() !== "" && !/^\s*(#|!|\/\/)/.test(line)) ?? "";
  const cells = header.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  return cells.length > 1 && STEP.test(cells[0] ?? "") && !cells.some((cell) => POSITION.test(cell));
}

/** A profile of a batch. */
export interface ProfileFile {
  readonly file: IntakeFile;
  readonly bytes: Uint8Array;
}

/** Offers the profiles of a batch in the sessions of its cases, or in the one in front. */
export async function takeProfiles(
  profiles: readonly ProfileFile[],
  findTargets: () => Promise<readonly IntakeTarget[]>,
  noCase: string,
  workspace: Pick<IntakeWorkspace, "takeProfile">,
  batch: BatchFiles,
): Promise<void> {
  const targets = profiles.length === 0 ? [] : await findTargets();
  for (const { file, bytes } of profiles) {
    await batch.attemptRead(file, async () => {
      const sentences: string[] = [];
      for (const target of targets) {
        const profile = await workspace.takeProfile(target, file.name, bytes);
        if (profile !== null) {
          const steps = formatCount(profile.steps.length);
          const buses = formatCount(profile.buses.length);
          sentences.push(
            trans.__(
              "Demand profile of %1: %2 steps, %3 buses. Solve it in the Series section of the Study panel.",
              target.name,
              steps,
              buses,
            ),
          );
        }
      }
      if (sentences.length === 0) {
        throw coded("INPUT.NO_CASE", trans.__("A demand profile. %1", noCase));
      }
      batch.say(file, "profile", sentences.join(" "));
    });
  }
}
