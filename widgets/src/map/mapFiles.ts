import { DropZone, ExportReport, FilesReport } from "../files/index.ts";
import { h } from "../ui/dom.ts";
import type { CaseSession, IWorkspace, MadeFile } from "../workspace/index.ts";

/** Files dropped on a map, and the outcome of these and of saved files. */
export class MapFiles {
  readonly node = h("div", { class: "wb-Reports" });
  readonly #workspace: IWorkspace;
  readonly #session: CaseSession;
  readonly #drop: DropZone;
  readonly #exported = new ExportReport();
  #taken: FilesReport | null = null;

  /** Accepts files dropped on `target`. */
  constructor(workspace: IWorkspace, session: CaseSession, target: HTMLElement) {
    this.#workspace = workspace;
    this.#session = session;
    this.node.append(this.#exported.node);
    this.#drop = new DropZone(target, (files) => void this.take(files));
  }

  /** Shows the outcome of the last batch of files. */
  showTaken(): void {
    if (this.#taken === null) {
      this.#taken = new FilesReport(this.#workspace.intake, { short: true });
      this.node.append(this.#taken.node);
    }
  }

  async take(files: File[]): Promise<void> {
    if (files.length === 0) {
      return;
    }
    this.showTaken();
    this.#workspace.activate(this.#session);
    await this.#workspace.intake.take(files, this.#session.opened);
  }

  /** Reports a file that was made. */
  reportFile(made: MadeFile | Error): void {
    this.#exported.report(made);
  }

  dispose(): void {
    this.#drop.dispose();
    this.#taken?.dispose();
    this.#exported.dispose();
  }
}
