import type { ILabShell, ILayoutRestorer, JupyterFrontEnd } from "@jupyterlab/application";
import { WidgetTracker } from "@jupyterlab/apputils";
import type { ABCWidgetFactory, IDocumentWidget } from "@jupyterlab/docregistry";
import type { ShownCase } from "@service/widgets/workspace";
import { studyIcon } from "../icon.ts";
import type { IWorkspace } from "../tokens.ts";

/** A document that can bring its case to the front of the workspace. */
interface FrontDocument extends IDocumentWidget {
  bringToFront(): void;
  /** Whether it is the view of a case or network. */
  shows(shown: ShownCase): boolean;
}

/** Services for documents; Notebook 7 has neither restorer nor shell. */
interface Places {
  workspace: IWorkspace;
  shell: JupyterFrontEnd.IShell;
  restorer: ILayoutRestorer | null;
  labShell: ILabShell | null;
}

/** Tracks the documents of a factory: their icon, their position in a restored layout, and the one in front. */
export function trackDocuments<T extends FrontDocument>(
  factory: ABCWidgetFactory<T>,
  namespace: string,
  { workspace, shell, restorer, labShell }: Places,
): void {
  const tracker = new WidgetTracker<T>({ namespace });
  factory.widgetCreated.connect((_, document) => {
    document.title.icon = studyIcon;
    document.context.pathChanged.connect(() => void tracker.save(document));
    void tracker.add(document);
    // A layout knows documents by their path, and forgets the path with one of several views.
    document.disposed.connect(() => {
      const other = tracker.find((one) => one !== document && one.context === document.context);
      if (other !== undefined) {
        void tracker.save(other);
      }
    });
  });
  void restorer?.restore(tracker, {
    command: "docmanager:open",
    args: ({ context }) => ({ path: context.path, factory: factory.name }),
    name: ({ context }) => context.path,
  });
  labShell?.currentChanged.connect((_, { newValue }) => {
    if (newValue !== null && tracker.has(newValue)) {
      (newValue as T).bringToFront();
    }
  });
  workspace.showing.connect((_, shown) => {
    const document = tracker.find((one) => one.shows(shown));
    if (document !== undefined) {
      shell.activateById(document.id);
    }
  });
}
