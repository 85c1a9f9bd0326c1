import { type FormEvent, type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { downloadFile } from "../../files/index.ts";
import { useSignal } from "../../ui/useSignal.ts";
import { formatCount, trans, visibleText } from "../../text/index.ts";
import { PageLink } from "../address/PageLink.tsx";
import { sizeText, storageProblem } from "./storageText.ts";
import type { StoredStudies } from "./storedStudies.ts";
import type { StoredStudy } from "./studyStore.ts";

/** The Studies stored in this browser, to open, rename, download and delete. Renders nothing if there are none. */
export function StoredStudyList({ stored }: { stored: StoredStudies }): ReactElement | null {
  useSignal(stored.changed);
  const [problem, setProblem] = useState("");
  const [deleting, setDeleting] = useState<StoredStudy | null>(null);
  const { studies, problem: unread } = stored.list;
  const attempt = (work: Promise<unknown>): void => {
    setProblem("");
    work.catch((error: unknown) => setProblem(storageProblem(error)));
  };
  if (unread === null && (studies === null || studies.length === 0)) {
    return null;
  }
  return (
    <section className="wb-Page-studies" aria-labelledby="stored-studies">
      <h2 id="stored-studies">{trans.__("Studies in this browser")}</h2>
      {unread !== null && (
        <p className="wb-Page-problem" role="alert">
          {trans.__(
            "Studies cannot be stored here: %1. What you do lasts as long as the page; \u201cSave Study\u201d in the menu of a map makes a file of it.",
            storageProblem(unread),
          )}
        </p>
      )}
      {problem !== "" && (
        <p className="wb-Page-problem" role="alert">
          {problem}
        </p>
      )}
      <ul>
        {studies?.map((study) => (
          <StudyRow key={study.id} {...{ stored, study, attempt }} ask={() => setDeleting(study)} />
        ))}
      </ul>
      {studies !== null && (
        <p className="wb-unit">
          {trans.__(
            "They stay on this computer. Clearing the browser\u2019s data deletes them: download what you need to keep.",
          )}
        </p>
      )}
      {deleting !== null && (
        <DeleteDialog
          study={deleting}
          keep={() => setDeleting(null)}
          remove={() => {
            setDeleting(null);
            attempt(stored.delete(deleting.id));
          }}
        />
      )}
    </section>
  );
}

interface RowProps {
  stored: StoredStudies;
  study: StoredStudy;
  attempt: (work: Promise<unknown>) => void;
  ask: () => void;
}

function StudyRow({ stored, study, attempt, ask }: RowProps): ReactElement {
  const [renaming, setRenaming] = useState(false);
  const { id, title, caseName, states, savedAt, size } = study;
  const facts = [
    caseName,
    trans._n("%2 state", "%2 states", states, formatCount(states)),
    new Date(savedAt).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }),
    sizeText(size),
  ];
  return (
    <li data-study={id}>
      <div className="wb-Page-study-words">
        {renaming ? (
          <NewTitle
            title={title}
            done={(next) => {
              setRenaming(false);
              if (next !== null && next !== title) {
                attempt(stored.rename(id, next));
              }
            }}
          />
        ) : (
          <PageLink to={{ kind: "study", key: id, name: title }} go={() => void stored.open(id, title)}>
            {title}
          </PageLink>
        )}
        <p>{facts.join(" \u00b7 ")}</p>
      </div>
      <div className="wb-Page-controls">
        <button
          type="button"
          className="wb-Button"
          aria-label={trans.__("Rename %1", title)}
          onClick={() => setRenaming(true)}
        >
          {trans.__("Rename")}
        </button>
        <button
          type="button"
          className="wb-Button"
          aria-label={trans.__("Download %1", title)}
          onClick={() => attempt(stored.file(study).then(downloadFile))}
        >
          {trans.__("Download")}
        </button>
        <button type="button" className="wb-Button" aria-label={trans.__("Delete %1", title)} onClick={ask}>
          {trans.__("Delete\u2026")}
        </button>
      </div>
    </li>
  );
}

/** A field for another title. Enter applies it; Escape or an empty title changes nothing. */
function NewTitle({ title, done }: { title: string; done: (title: string | null) => void }): ReactElement {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const taken = (): void => done(visibleText(field.current?.value ?? "").trim() || null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    taken();
  };
  const keyed = (event: KeyboardEvent): void => {
    if (event.key === "Escape") {
      done(null);
    }
  };
  return (
    <form onSubmit={submit}>
      <input
        ref={field}
        className="wb-Page-title"
        aria-label={trans.__("Title of the Study")}
        defaultValue={title}
        maxLength={200}
        onKeyDown={keyed}
        onBlur={taken}
      />
    </form>
  );
}

interface DeleteProps {
  study: StoredStudy;
  keep: () => void;
  remove: () => void;
}

/** Asks before a Study is deleted. Escape cancels. */
function DeleteDialog({ study: { title }, keep, remove }: DeleteProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="wb-Page-dialog" aria-labelledby="delete-question" onClose={keep}>
      <h1 id="delete-question">{trans.__("Delete %1?", title)}</h1>
      <p>{trans.__("It is removed from this browser with all its states, and closed where it is open here.")}</p>
      <div className="wb-Page-controls">
        <button type="button" className="wb-Button" onClick={keep}>
          {trans.__("Keep it")}
        </button>
        <button type="button" className="wb-Button" onClick={remove}>
          {trans.__("Delete it")}
        </button>
      </div>
    </dialog>
  );
}
