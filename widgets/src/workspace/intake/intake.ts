import type { Display, StudyBundle } from "@service/engine";
import { formatCount, trans, visibleText } from "../../text/index.ts";
import { classifyFile, isScript, mayBeCase, saysStudy, SUPPORTED } from "./fileClassification.ts";
import { drawingOfDisplay } from "../geography/drawing.ts";
import { baseName, type DssScript, rootScripts } from "./dssFiles.ts";
import { openedFeeder } from "../feeder/openedFeeder.ts";
import { type Read, readCase, readDistribution, readFeederStudy, readStudy } from "./intakeReads.ts";
import { type IntakeFile, MOST_BYTES, refuseBatch } from "./intakeLimits.ts";
import { applyLayers, type Layer } from "./geographicLayers.ts";
import {
  cancelledOutcome,
  diagnosticNotes,
  displaySentence,
  type FileOutcome,
  type OutcomeKind,
  refused,
} from "./fileOutcomes.ts";
import { isCancelled, unlessCancelled } from "../concurrency/cancelling.ts";
import { codeOf } from "../session/errorCode.ts";
import type { IntakeTarget, IntakeHost, IntakeStage, IntakeOptions } from "./intakeHost.ts";

/**
 * Takes in a batch of files in any order: cases first, with the scripts that an OpenDSS file refers to, then the geographic layers
 * and drawings, which go to the cases of the batch or else to `target`. Each file gets an outcome, in the order given; one that is
 * refused does not spoil the others. A batch beyond the limits is refused before anything is read. Never rejects: after
 * cancelling, what was not opened yet says so.
 */
export async function takeIn(
  files: readonly IntakeFile[],
  host: IntakeHost,
  options: IntakeOptions = {},
): Promise<FileOutcome[]> {
  const named = files.map(visiblyNamed);
  return refuseBatch(named) ?? new Batch(named, host, options).run();
}

/** The file under the name that may stand in sentences and be that of a case. */
function visiblyNamed(file: IntakeFile): IntakeFile {
  return { name: visibleText(file.name), size: file.size, arrayBuffer: () => file.arrayBuffer() };
}

class Batch {
  readonly #files: readonly IntakeFile[];
  readonly #host: IntakeHost;
  readonly #options: IntakeOptions;
  readonly #outcomes = new Map<IntakeFile, FileOutcome>();
  readonly #read: Read[] = [];
  readonly #layers: (Layer & { file: IntakeFile })[] = [];
  readonly #displays: { file: IntakeFile; display: Display }[] = [];
  #bytesRead = 0;
  /** Whether a case of the batch was refused: its layers and drawings are then nobody's, and not those of the case in front. */
  #caseRefused = false;

  constructor(files: readonly IntakeFile[], host: IntakeHost, options: IntakeOptions) {
    this.#files = files;
    this.#host = host;
    this.#options = options;
  }

  async run(): Promise<FileOutcome[]> {
    // By name, so that the order in which a browser lists files changes nothing.
    const order = [...this.#files].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.size - b.size));
    await this.#readScripts(order);
    for (const file of order) {
      if (!this.#outcomes.has(file) && !isScript(file.name)) {
        await this.#attempt(file, (bytes) => this.#readFile(file, bytes));
      }
    }
    await this.#place();
    await this.#open();
    return this.#files.map((file) => this.#outcomes.get(file) ?? cancelledOutcome(file.name));
  }

  get #cancelled(): boolean {
    return this.#options.signal?.aborted ?? false;
  }

  /** Reads a file and works on it; a failure is its outcome. */
  async #attempt(file: IntakeFile, work: (bytes: Uint8Array) => Promise<void> | void): Promise<void> {
    if (this.#cancelled) {
      return;
    }
    this.#tell(file);
    try {
      await work(await unlessCancelled(this.#bytesOf(file), this.#options.signal));
    } catch (error) {
      this.#refuse(file, error);
    }
  }

  async #bytesOf(file: IntakeFile): Promise<Uint8Array> {
    let bytes: Uint8Array;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch (cause) {
      throw coded(
        "INPUT.UNREADABLE",
        trans.__("The browser cannot read it. To open a folder, select its files."),
        cause,
      );
    }
    this.#bytesRead += bytes.length;
    if (this.#bytesRead > MOST_BYTES) {
      throw coded(
        "INPUT.TOO_LARGE",
        trans.__("With this file the batch exceeds its announced size; the rest is not read."),
      );
    }
    return bytes;
  }

  #refuse(file: IntakeFile, error: unknown): void {
    if (this.#cancelled && codeOf(error) === "ABORTED") {
      return; // said for all that is left, at the end
    }
    this.#outcomes.set(file, refused(file.name, error));
    const { engine } = this.#host;
    this.#caseRefused ||= mayBeCase(file.name, engine);
  }

  #say(file: IntakeFile, outcome: OutcomeKind, sentence: string, notes: string[] = []): void {
    this.#outcomes.set(file, { name: file.name, outcome, sentence, notes });
  }

  #tell(file: IntakeFile, stage: IntakeStage = "reading"): void {
    const { length: total } = this.#files;
    this.#options.onProgress?.({ stage, done: this.#outcomes.size, total, file: file.name });
  }

  /** OpenDSS scripts, each with the files of the batch that it refers to. */
  async #readScripts(order: readonly IntakeFile[]): Promise<void> {
    const scripts: (DssScript & { file: IntakeFile })[] = [];
    for (const file of order.filter(({ name }) => isScript(name))) {
      await this.#attempt(file, (bytes) => void scripts.push({ name: file.name, bytes, file }));
    }
    const { roots, referred } = rootScripts(scripts);
    const companions: Record<string, Uint8Array> = {};
    const helpers: IntakeFile[] = [];
    for (const { file, name, bytes } of scripts) {
      if (!roots.some((root) => root.file === file)) {
        companions[name] = bytes;
        helpers.push(file);
      }
    }
    for (const file of order) {
      if (!isScript(file.name) && referred.has(baseName(file.name))) {
        await this.#attempt(file, (bytes) => void (companions[file.name] = bytes));
        helpers.push(file);
      }
    }
    for (const { file, bytes } of roots) {
      await this.#attemptRead(file, async () => {
        const { engine } = this.#host;
        const read = await engine.ingestDistribution(bytes, "dss", companions, this.#options.signal);
        this.#read.push(readDistribution(file, read, this.#host));
      });
    }
    const read = roots.filter((root) => this.#read.some(({ file }) => file.name === root.name));
    for (const file of helpers.filter((helper) => !this.#outcomes.has(helper))) {
      if (read.length > 0) {
        this.#say(file, "distribution", trans.__("Read as a part of %1.", read.map(({ name }) => name).join(", ")));
      } else if (!this.#cancelled) {
        this.#refuse(file, coded("INPUT.COMPANION", trans.__("It belongs to a script that could not be read.")));
      }
    }
  }

  async #attemptRead(file: IntakeFile, work: () => Promise<void>): Promise<void> {
    if (this.#cancelled || this.#outcomes.has(file)) {
      return;
    }
    this.#tell(file);
    try {
      await work();
    } catch (error) {
      this.#refuse(file, error);
    }
  }

  async #readFile(file: IntakeFile, bytes: Uint8Array): Promise<void> {
    const { engine } = this.#host;
    const { signal } = this.#options;
    const found = classifyFile(file.name, engine);
    switch (found.kind) {
      case "display":
        this.#displays.push({ file, display: await engine.parseDisplay(bytes, signal) });
        break;
      case "case":
        this.#read.push(await readCase(file, await engine.ingestCase(bytes, found.format, signal), this.#host));
        break;
      case "study":
        this.#read.push(await this.#study(file, bytes));
        break;
      case "json":
        await this.#json(file, bytes);
        break;
      case "layer":
        this.#layers.push({ file, name: file.name, bytes, guessed: false });
        break;
      default:
        throw coded("INPUT.EXTENSION", trans.__("Files of this kind are not read. Known are %1.", SUPPORTED));
    }
  }

  /** A saved Study of a case, or the power flow of a feeder. */
  async #study(file: IntakeFile, bytes: Uint8Array): Promise<Read> {
    const { engine } = this.#host;
    const { signal } = this.#options;
    let bundle: StudyBundle;
    try {
      bundle = await engine.readStudyBundle(bytes, signal);
    } catch (error) {
      const feeder = codeOf(error) === "STUDY_FILE.SCHEMA" ? await openedFeeder(engine, bytes, signal) : null;
      if (feeder === null) {
        throw error;
      }
      return readFeederStudy(file, feeder, this.#host);
    }
    return readStudy(file, bundle, this.#host, signal);
  }

  /** JSON by its content: a case or module of either model, a Study, else it is tried as a geographic layer. */
  async #json(file: IntakeFile, bytes: Uint8Array): Promise<void> {
    const drop = await this.#host.engine.ingestJsonDrop(bytes, this.#options.signal);
    if (drop.kind === "ambiguous") {
      throw coded(
        "INPUT.AMBIGUOUS",
        trans.__("The file matches several formats. Save it in another format and try again."),
      );
    }
    if (drop.kind === "unknown" && saysStudy(bytes)) {
      this.#read.push(await this.#study(file, bytes));
    } else if (drop.kind === "unknown") {
      this.#layers.push({ file, name: file.name, bytes, guessed: true });
    } else if (drop.payload.model === "multiconductor") {
      this.#read.push(readDistribution(file, drop.payload, this.#host));
    } else {
      this.#read.push(await readCase(file, drop.payload, this.#host));
    }
  }

  /** Why a layer or drawing has nothing to belong to. */
  get #noCase(): string {
    return this.#caseRefused
      ? trans.__("The case of its batch could not be read.")
      : trans.__("No open case matches it: drop it together with its case.");
  }

  /** Layers and drawings, which need the cases. */
  async #place(): Promise<void> {
    if (this.#cancelled || this.#layers.length + this.#displays.length === 0) {
      return;
    }
    const { signal } = this.#options;
    const targets = await this.#targets();
    if (this.#cancelled) {
      return;
    }
    const results = await applyLayers(this.#layers, targets, this.#noCase, signal, ({ name }) => {
      const layer = this.#layers.find((candidate) => candidate.name === name);
      if (layer !== undefined) {
        this.#tell(layer.file, "placing");
      }
    });
    for (const { file, ...layer } of this.#layers) {
      const outcome = results.get(layer.bytes);
      if (outcome !== undefined) {
        this.#outcomes.set(file, outcome);
      }
    }
    for (const { file, display } of this.#displays) {
      this.#draw(file, display, targets);
    }
  }

  /** The cases of the batch, or else the one in front. */
  async #targets(): Promise<IntakeTarget[]> {
    const own = this.#read.map(({ target }) => target);
    const { target, signal } = this.#options;
    if (own.length > 0 || target === undefined || this.#caseRefused) {
      return own;
    }
    try {
      const front = await unlessCancelled(target(), signal);
      return front === null ? [] : [front];
    } catch (error) {
      if (isCancelled(error)) {
        return [];
      }
      throw error;
    }
  }

  #draw(file: IntakeFile, display: Display, targets: readonly IntakeTarget[]): void {
    const sentences = targets.flatMap(({ name, geography }) => {
      const drawing = drawingOfDisplay(display, geography.graph, file.name);
      if (drawing === null) {
        return [];
      }
      geography.setDrawing(drawing);
      return [displaySentence(drawing, name, geography.graph.moduleBuses)];
    });
    if (sentences.length > 0) {
      this.#say(file, "display", sentences.join(" "), diagnosticNotes(display.unmatched));
    } else if (targets.length === 0) {
      const symbols = display.substations.length + display.buses.length;
      const what = trans._n("A drawing with %2 symbol.", "A drawing with %2 symbols.", symbols, formatCount(symbols));
      this.#refuse(file, coded("INPUT.NO_CASE", `${what} ${this.#noCase}`));
    } else {
      const names = targets.map(({ name }) => name).reduce((list, name) => trans.__("%1 or %2", list, name));
      this.#refuse(file, coded("INPUT.DISPLAY_NO_MATCH", trans.__("The drawing places no bus of %1.", names)));
    }
  }

  /** Shows what was read, as the layers left it. */
  async #open(): Promise<void> {
    for (const { file, kind, sentence, notes, target, solves, open, forget } of this.#read) {
      if (this.#cancelled) {
        forget();
        continue;
      }
      this.#tell(file, solves ? "solving" : "reading");
      let without: string;
      try {
        without = await open(this.#options.signal);
      } catch (error) {
        if (!isCancelled(error)) {
          throw error;
        }
        forget();
        continue;
      }
      const { map, drawing } = target.geography;
      const next =
        map !== null
          ? ""
          : drawing === null
            ? ` ${trans.__("It has no coordinates: click the map to place it.")}`
            : ` ${trans.__("It has no map positions: the diagram shows it; click the map to place it.")}`;
      this.#say(file, kind, sentence + without + next, notes);
    }
  }
}

function coded(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code });
}
