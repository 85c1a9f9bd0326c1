import { DropZone, Reports } from "../files/index.ts";
import type { CaseSession, IWorkspace, MadeFile } from "../workspace/index.ts";

/** Files dropped on a map, and the outcome of these and of saved files. */
export class MapFiles {
  readonly node: HTMLElement;
  readonly #workspace: IWorkspace;
  readonly #session: CaseSession;
  readonly #drop: DropZone;
  readonly #reports: Reports;

  /** Accepts files dropped on `target`. */
  constructor(workspace: IWorkspace, session: CaseSession, target: HTMLElement) {
    this.#workspace = workspace;
    this.#session = session;
    this.#reports = new Reports(workspace.intake);
    this.node = this.#reports.node;
    this.#drop = new DropZone(target, (files) => void this.take(files));
  }

  /** Shows the outcome of the last batch of files. */
  showTaken(): void {
    this.#reports.showTaken();
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
    this.#reports.report(made);
  }

  dispose(): void {
    this.#drop.dispose();
    this.#reports.dispose();
  }
}
