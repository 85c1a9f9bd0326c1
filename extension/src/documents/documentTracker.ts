import type { ILabShell, ILayoutRestorer } from "@jupyterlab/application";
import { WidgetTracker } from "@jupyterlab/apputils";
import type { ABCWidgetFactory, IDocumentWidget } from "@jupyterlab/docregistry";
import { studyIcon } from "../icon.ts";

/** A document that can say to the workspace that it is in front. */
interface FrontDocument extends IDocumentWidget {
  bringToFront(): void;
}

/** What the shell offers; none of it in Notebook 7. */
interface Shell {
  restorer: ILayoutRestorer | null;
  labShell: ILabShell | null;
}

/** Tracks the documents of a factory: their icon, their place in a restored layout, and which one is in front. */
export function trackDocuments<T extends FrontDocument>(
  factory: ABCWidgetFactory<T>,
  namespace: string,
  { restorer, labShell }: Shell,
): WidgetTracker<T> {
  const tracker = new WidgetTracker<T>({ namespace });
  factory.widgetCreated.connect((_, document) => {
    document.title.icon = studyIcon;
    document.context.pathChanged.connect(() => void tracker.save(document));
    void tracker.add(document);
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
  return tracker;
}
