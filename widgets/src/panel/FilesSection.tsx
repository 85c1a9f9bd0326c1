import { type ReactElement, useEffect, useRef } from "react";
import { FilesReport } from "../files/index.ts";
import type { FileIntake } from "../workspace/index.ts";

/** The outcome of the last batch of files; empty if there was no batch. */
export function FilesSection({ intake }: { intake: FileIntake }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const report = new FilesReport(intake);
    place.current?.append(report.node);
    return () => report.dispose();
  }, [intake]);
  return <div className="wb-Panel-files" ref={place} />;
}
