import type { ReactElement } from "react";
import { FilesReport } from "../files/index.ts";
import type { FileIntake } from "../workspace/index.ts";

/** The outcome of the last batch of files; empty if there was no batch. */
export function FilesSection({ intake }: { intake: FileIntake }): ReactElement {
  return (
    <div className="wb-Panel-files">
      <FilesReport intake={intake} />
    </div>
  );
}
