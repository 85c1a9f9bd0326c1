import type { CaseSession } from "../workspace/index.ts";

/**
 * The command of a key: undo with Ctrl or Cmd and Z, redo with Shift as well or with Ctrl and Y; null for every other
 * key.
 */
function stepOfKey(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">,
): "undo" | "redo" | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (altKey || ctrlKey === metaKey) {
    return null;
  }
  switch (key.toLowerCase()) {
    case "z":
      return shiftKey ? "redo" : "undo";
    case "y":
      return ctrlKey && !shiftKey ? "redo" : null;
    default:
      return null;
  }
}

/** Whether an element takes text, which has its own undo. */
export function takesText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) {
    return !["range", "checkbox", "radio", "button", "submit"].includes(target.type);
  }
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}

/**
 * Applies the undo and redo keys inside an element to the edits of a session, so that the surrounding page does not
 * undo something else; text fields keep their own undo. `stepped` is called after each step. Returns a function that
 * removes the listener.
 */
export function listenUndoKeys(
  element: HTMLElement,
  session: () => CaseSession | null,
  stepped: (session: CaseSession) => void = () => undefined,
): () => void {
  const listen = (event: KeyboardEvent): void => {
    const step = stepOfKey(event);
    if (step === null) {
      return;
    }
    event.stopPropagation();
    const edited = session();
    if (takesText(event.target) || edited === null) {
      return;
    }
    event.preventDefault();
    takeStep(edited, step, stepped);
  };
  element.addEventListener("keydown", listen);
  return () => element.removeEventListener("keydown", listen);
}

/** Undoes or redoes; the status of the session reports failures. */
export function takeStep(
  session: CaseSession,
  step: "undo" | "redo",
  stepped: (session: CaseSession) => void = () => undefined,
): void {
  session[step]().then(
    () => stepped(session),
    () => undefined,
  );
}
