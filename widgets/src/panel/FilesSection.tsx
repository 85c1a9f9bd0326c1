import { type ReactElement, useEffect, useRef } from "react";
import { FilesReport } from "../files/index.ts";
import type { FileIntake } from "../workspace/index.ts";

/** What became of the files of the last batch; nothing without one. */
export function FilesSection({ intake }: { intake: FileIntake }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const report = new FilesReport(intake);
    place.current?.append(report.node);
    return () => report.dispose();
  }, [intake]);
  return <div className="wb-Panel-files" ref={place} />;
}
