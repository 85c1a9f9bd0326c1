import {
  CONTRACT_SOURCE_SHA256,
  CONTRACT_VERSION,
  type StateNode,
  type StudyArtifact,
  type StudyBundle,
  type StudyDisplay,
  type StudyDocument,
} from "@service/engine";
import { editsOf } from "../edits/edits.ts";
import type { CaseSession } from "../session/caseSession.ts";
import type { StateRecord } from "./record.ts";
import { aboutOf } from "./studyAbout.ts";
import { studyRecord } from "./studyRecords.ts";

/** Number of latest results in a document besides those of the base case, of pointers and of named states. */
const LATEST = 8;
/** Maximum length of all solutions of one document, characters. */
const MOST_CHARACTERS = 64 << 20;

/** Makes the documents of a session in sequence: a solution module of one document is reused in the next. */
export class StudyWriter {
  readonly #session: CaseSession;
  readonly #solutions = new Map<string, string>();

  constructor(session: CaseSession) {
    this.#session = session;
  }

  /**
   * The present Study; without `solutions` it has only the hashes of results. Artifacts are named by their content,
   * which the engine renames to their hashes. Rejects with EngineError.
   */
  async bundle({ caseId, ...about } = aboutOf(this.#session), { solutions = true } = {}): Promise<StudyBundle> {
    const session = this.#session;
    const { opened } = session;
    const { states, ...record } = studyRecord(session);
    const artifacts: Record<string, StudyArtifact> = { base: { kind: "module", text: opened.moduleJson } };
    const display = await this.#display(artifacts);
    const pointers = [record.applied_state, record.inspected_state, record.recommended_state];
    const stored = solutions ? await this.#solutionsOf(states, pointers) : new Map<string, string>();
    for (const [id, text] of stored) {
      artifacts[id] = { kind: "solution", text };
    }
    const nodes = Object.entries(states).map(([id, state]): [string, StateNode] => {
      const { parent, ...rest } = state;
      const known = parent !== undefined && parent in states; // old unnamed states are dropped
      return [
        id,
        {
          ...rest,
          input: "base",
          ...(known ? { parent } : {}),
          ...(stored.has(id) ? { solution: id } : {}),
        } as StateNode,
      ];
    });
    const document = {
      schema: "wattbook-study",
      version: 2,
      ...about,
      case: {
        id: caseId ?? (isLocal(session.caseId) ? opened.name : session.caseId),
        sha256: opened.sha256,
        name: opened.name,
      },
      options: session.options,
      producer: { version: CONTRACT_VERSION, contract_sha256: CONTRACT_SOURCE_SHA256 },
      ...record,
      states: Object.fromEntries(nodes),
      ...(session.resettable ? { base_input: "base" } : {}),
      ...(display === null ? {} : { display }),
    } as StudyDocument;
    return { document, artifacts };
  }

  /** Solution modules by state: those of pointers, base case and named states, then of the latest states. */
  async #solutionsOf(
    states: Record<string, StateRecord>,
    pointers: readonly (string | undefined)[],
  ): Promise<ReadonlyMap<string, string>> {
    const latest = Object.keys(states).reverse();
    const isFirst = (id: string): boolean =>
      pointers.includes(id) || states[id]?.name !== undefined || states[id]?.parent === undefined;
    const order = [...latest.filter(isFirst), ...latest.filter((id) => !isFirst(id)).slice(0, LATEST)];
    const found = new Map<string, string>();
    let length = 0;
    for (const id of order) {
      const text = length > MOST_CHARACTERS ? null : await this.#solutionOf(id, states[id]);
      if (text !== null) {
        found.set(id, text);
        length += text.length;
      }
    }
    this.#solutions.clear();
    for (const [id, text] of found) {
      this.#solutions.set(key(id, states[id]), text);
    }
    return found;
  }

  /**
   * The solution module of a state; null where its result differs from the known one, of a kernel for instance, in
   * which case the document has only its hash.
   */
  async #solutionOf(id: string, state: StateRecord | undefined): Promise<string | null> {
    const known = this.#solutions.get(key(id, state));
    if (known !== undefined || state?.result_sha256 === undefined) {
      return known ?? null;
    }
    const solved = await this.#session.solutionModule(editsOf(state), state.formulation);
    return solved.result_sha256 === state.result_sha256 ? solved.text : null;
  }

  /** The drawing of a case where it differs from that of its file, and the selection. */
  async #display(artifacts: Record<string, StudyArtifact>): Promise<StudyDisplay | null> {
    const { opened, selected, previewMode } = this.#session;
    const { geography } = opened;
    const layers: StudyDisplay["layers"] = [];
    if (geography.moduleJson !== opened.moduleJson && geography.map !== null) {
      artifacts["positions"] = { kind: "geo_layer", text: await geography.geoJson() };
      const kind = geography.synthetic ? "synthetic" : "file";
      layers.push({ name: "positions.geo.json", artifact: "positions", coords_kind: kind });
    }
    const selection = selected.map(({ kind, id }) => ({ kind, id }));
    const view = { ...this.#session.view.view, preview_mode: previewMode, selection };
    const drawing = geography.drawing;
    if (drawing === null) {
      return { layers, view };
    }
    const { positions, ...about } = drawing;
    const plain = (values: Float64Array): (number | null)[] =>
      Array.from(values, (x) => (Number.isFinite(x) ? x : null));
    const stored = { x: plain(positions.x), y: plain(positions.y), routes: [...positions.routes], ...about };
    artifacts["drawing"] = { kind: "drawing", text: JSON.stringify(stored) };
    return { layers, drawing: { name: drawing.source, artifact: "drawing" }, view };
  }
}

/** Whether a case id was assigned by the page. */
function isLocal(caseId: string): boolean {
  return /^local-[0-9]+$/.test(caseId);
}

function key(id: string, state: StateRecord | undefined): string {
  return `${id} ${state?.result_sha256 ?? ""}`;
}
