import type { Display, StudyBundle } from "@service/engine";
import { trans, visibleText } from "../../text/index.ts";
import { BatchFiles, coded } from "./batchFiles.ts";
import {
  classifyFile,
  isScript,
  looksLikeJson,
  mayHoldPositions,
  nothingKnown,
  saysStudy,
  SUPPORTED,
} from "./fileClassification.ts";
import {
  baseName,
  decode,
  type DssScript,
  hasLatitudeFirst,
  lackingPositions,
  makesCircuit,
  missingFiles,
  referredNames,
  rootScripts,
} from "./dssFiles.ts";
import { isProfileOfCgmes, isXml, joinedDocuments } from "./cgmesFiles.ts";
import { type CostTable, takeCosts } from "./costTables.ts";
import { type ListFile, takeLists } from "./securityLists.ts";
import { type WaitingFile, waitingSentence, longitudeFirst, type WaitingScript } from "./waitingFiles.ts";
import { openedFeeder } from "../feeder/openedFeeder.ts";
import { isLocal, type Read, readCase, readDistribution, readFeederStudy, readStudy } from "./intakeReads.ts";
import { type IntakeFile, refuseBatch } from "./intakeLimits.ts";
import { applyDisplay } from "./displays.ts";
import { HEADER_BYTES, isProfile, type ProfileFile, takeProfiles } from "./profileFiles.ts";
import { applyLayers, type Layer } from "./geographicLayers.ts";
import { cancelledOutcome, type FileOutcome } from "./fileOutcomes.ts";
import { isCancelled, unlessCancelled } from "../concurrency/cancelling.ts";
import { codeOf } from "../solving/errorCode.ts";
import type { IntakeOptions, IntakeTarget, IntakeWorkspace } from "./intakeWorkspace.ts";

/**
 * Processes a batch of files in any order: cases first, with the scripts that an OpenDSS file refers to, then
 * geographic layers and drawings, which go to the cases of the batch or else to `target`. Each file gets an outcome, in
 * the given order; a refused file does not affect the others. A batch beyond the limits is refused before anything is
 * read. Never rejects: after a cancellation, files not reached have that outcome.
 */
export async function takeIn(
  files: readonly IntakeFile[],
  workspace: IntakeWorkspace,
  options: IntakeOptions = {},
): Promise<FileOutcome[]> {
  const named = files.map(visiblyNamed);
  return refuseBatch(named) ?? new Batch(named, workspace, options).run();
}

/** The file with a visible name, which may appear in sentences and name a case. */
function visiblyNamed(file: IntakeFile): IntakeFile {
  const { name, size, onServer = false } = file;
  return { name: visibleText(name), size, onServer, arrayBuffer: () => file.arrayBuffer() };
}

class Batch {
  readonly #files: readonly IntakeFile[];
  readonly #workspace: IntakeWorkspace;
  readonly #options: IntakeOptions;
  readonly #batch: BatchFiles;
  readonly #read: Read[] = [];
  readonly #layers: (Layer & { file: IntakeFile })[] = [];
  readonly #costs: CostTable[] = [];
  readonly #lists: ListFile[] = [];
  readonly #displays: { file: IntakeFile; display: Display }[] = [];
  /** Scripts of this batch that wait for further files, with the names of those files. */
  readonly #waiting: WaitingScript[] = [];
  readonly #profiles: ProfileFile[] = [];
  /** Files that complete a script of an earlier batch, with that script. */
  readonly #completing = new Map<IntakeFile, IntakeFile>();
  /** Position files that were missing for a feeder on screen. */
  readonly #positions: { file: IntakeFile; bytes: Uint8Array; target: IntakeTarget }[] = [];

  constructor(files: readonly IntakeFile[], workspace: IntakeWorkspace, options: IntakeOptions) {
    this.#files = files;
    this.#workspace = workspace;
    this.#options = options;
    this.#batch = new BatchFiles(files, workspace.engine, options);
  }

  async run(): Promise<FileOutcome[]> {
    // Sorted by name, so that the browser's order of files does not matter.
    const order = [...this.#files].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.size - b.size));
    await this.#readScripts(order);
    await this.#readProfilesOfCgmes(order);
    for (const file of order) {
      if (!this.#batch.outcomes.has(file) && !isScript(file.name) && !isXml(file.name)) {
        await this.#batch.attempt(file, (bytes) => this.#readFile(file, bytes));
      }
    }
    await this.#place();
    await this.#placeLacking();
    // After the layers, because a new case takes the positions of the one it is made from.
    await takeCosts(this.#costs, this.#batch, this.#read, () => this.#targets(), this.#workspace, this.#noCase);
    await this.#open();
    await takeLists(this.#lists, () => this.#targets(), this.#noCase, this.#workspace, this.#batch);
    await takeProfiles(this.#profiles, () => this.#targets(), this.#noCase, this.#workspace, this.#batch);
    this.#reportCompleted();
    return this.#files.map((file) => this.#batch.outcomes.get(file) ?? cancelledOutcome(file.name));
  }

  /** Reads OpenDSS scripts, each with the files of this and earlier batches that it refers to. */
  async #readScripts(order: readonly IntakeFile[]): Promise<void> {
    const fresh: (DssScript & { file: IntakeFile })[] = [];
    for (const file of order.filter(({ name }) => isScript(name))) {
      await this.#batch.attempt(file, (bytes) => void fresh.push({ name: file.name, bytes, file }));
    }
    const given = new Set(order.map(({ name }) => baseName(name)));
    const waitingFiles = (this.#options.waitingFiles?.all ?? []).filter(({ name }) => !given.has(baseName(name)));
    const scripts = [...fresh, ...waitingFiles.filter(({ name }) => isScript(name))];
    const { roots: found, referred } = rootScripts(scripts);
    // A waiting script is read again when one of its missing files arrives.
    const roots = found.filter(({ file }) => {
      const waits = waitingFiles.find((one) => one.file === file);
      return waits === undefined || (waits.missing ?? []).some((name) => given.has(name));
    });
    const companions: Record<string, Uint8Array> = {};
    const helpers: IntakeFile[] = [];
    for (const { file, name, bytes } of fresh.filter(({ file }) => !found.some((root) => root.file === file))) {
      companions[name] = bytes;
      helpers.push(file);
    }
    for (const file of order) {
      if (!isScript(file.name) && referred.has(baseName(file.name))) {
        await this.#batch.attempt(file, (bytes) => void (companions[file.name] = bytes));
        helpers.push(file);
      }
    }
    const earlier = waitingFiles.filter(
      ({ file, name }) => referred.has(baseName(name)) && !roots.some((r) => r.file === file),
    );
    for (const { name, bytes } of earlier) {
      companions[name] = bytes;
    }
    for (const root of roots) {
      await this.#batch.attemptRead(root.file, () => this.#readRoot(root, companions, earlier));
    }
    const read = roots.filter((root) => this.#read.some(({ file }) => file === root.file));
    for (const file of helpers.filter((helper) => !this.#batch.outcomes.has(helper))) {
      const names = read.map(({ name }) => name).join(", ");
      const before = read.find((root) => !this.#files.includes(root.file));
      if (before !== undefined) {
        this.#completing.set(file, before.file);
      } else if (read.length > 0) {
        this.#batch.say(file, "distribution", trans.__("Read as a part of %1.", names));
      } else if (this.#waiting.length > 0) {
        this.#options.waitingFiles?.keep(file, companions[file.name] ?? new Uint8Array(), null);
        this.#batch.say(file, "waiting", waitingSentence(this.#waiting, this.#options.waitingFiles?.all ?? []));
      } else if (!this.#batch.cancelled) {
        this.#batch.refuse(file, coded("INPUT.COMPANION", trans.__("It belongs to a script that could not be read.")));
      }
    }
  }

  /** Reads a script that no other one refers to; it waits where files are missing. */
  async #readRoot(
    { file, name, bytes }: DssScript & { file: IntakeFile },
    companions: Record<string, Uint8Array>,
    earlier: readonly WaitingFile[],
  ): Promise<void> {
    const { engine } = this.#workspace;
    const { waitingFiles, signal } = this.#options;
    let read;
    try {
      read = await engine.ingestDistribution(bytes, "dss", companions, signal);
    } catch (error) {
      const missing = missingFiles(error);
      if (waitingFiles !== undefined && missing.length > 0) {
        waitingFiles.keep(file, bytes, missing.map(baseName));
        this.#waiting.push({ name, missing, earlier: !this.#files.includes(file) });
        this.#batch.say(
          file,
          "waiting",
          trans.__("Waits for %1: open it too, now or later.", missing.join(", ")),
          [],
          codeOf(error),
        );
      } else if (waitingFiles !== undefined && codeOf(error) === "INPUT.NO_EQUIPMENT" && !makesCircuit(decode(bytes))) {
        waitingFiles.keep(file, bytes, null);
        const sentence = trans.__("It has no circuit of its own: kept for a script that refers to it.");
        this.#batch.say(file, "waiting", sentence, [], codeOf(error));
      } else {
        throw error;
      }
      return;
    }
    const found = readDistribution(file, read, this.#workspace);
    const used = earlier.map((one) => one.name).filter((one) => referredNames(decode(bytes)).has(baseName(one)));
    const notes = used.length === 0 ? [] : [trans.__("Read with %1, opened before.", used.join(", "))];
    const local = [file, ...this.#files, ...earlier.map((one) => one.file)].some(isLocal);
    this.#read.push({ ...found, local, notes: [...notes, ...found.notes] });
    waitingFiles?.drop([name, ...Object.keys(companions)]);
    const texts = [bytes, ...Object.values(companions)].map(decode);
    for (const lacking of lackingPositions(read.warnings).map(baseName)) {
      const latitudeFirst = texts.some((text) => hasLatitudeFirst(text, lacking));
      waitingFiles?.lacks(lacking, found.target, latitudeFirst);
    }
  }

  /** Reads XML files: the profiles of CGMES among them as one case, in the order of their names, others by themselves. */
  async #readProfilesOfCgmes(order: readonly IntakeFile[]): Promise<void> {
    const profiles: { file: IntakeFile; bytes: Uint8Array }[] = [];
    for (const file of order.filter(({ name }) => isXml(name))) {
      await this.#batch.attempt(file, async (bytes) => {
        if (isProfileOfCgmes(bytes)) {
          profiles.push({ file, bytes });
        } else {
          await this.#readFile(file, bytes);
        }
      });
    }
    const [first, ...others] = profiles;
    if (first === undefined) {
      return;
    }
    const bytes = joinedDocuments(profiles.map((profile) => profile.bytes));
    await this.#batch.attemptRead(first.file, () => this.#readFile(first.file, bytes));
    const isRead = this.#read.some(({ file }) => file === first.file);
    for (const { file } of others.filter(() => !this.#batch.cancelled)) {
      if (isRead) {
        this.#batch.say(file, "case", trans.__("Read as a part of %1.", first.file.name));
      } else {
        const sentence = trans.__("It belongs to %1, which could not be read.", first.file.name);
        this.#batch.refuse(file, coded("INPUT.COMPANION", sentence));
      }
    }
  }

  async #readFile(file: IntakeFile, bytes: Uint8Array): Promise<void> {
    const { engine } = this.#workspace;
    const { signal, waitingFiles } = this.#options;
    const unplaced = waitingFiles?.placedBy(file.name) ?? null;
    if (unplaced !== null) {
      const { target, latitudeFirst } = unplaced;
      this.#positions.push({ file, bytes: latitudeFirst ? longitudeFirst(bytes) : bytes, target });
      return;
    }
    const found = classifyFile(file.name, engine);
    switch (found.kind) {
      case "display":
        this.#displays.push({ file, display: await engine.parseDisplay(bytes, signal) });
        break;
      case "list":
        this.#lists.push({ file, bytes });
        break;
      case "case":
        if (found.format === "powerworld" && (await engine.isSecurityList(file.name, bytes.slice()))) {
          this.#lists.push({ file, bytes });
          break;
        }
        this.#read.push(await readCase(file, await engine.ingestCase(bytes, found.format, signal), this.#workspace));
        break;
      case "study":
        this.#read.push(await this.#study(file, bytes));
        break;
      case "json":
        await this.#json(file, bytes);
        break;
      case "layer":
      case "text": {
        if (await engine.isCostTable(bytes.slice(0, HEADER_BYTES))) {
          this.#costs.push({ file, bytes });
          break;
        }
        if (await engine.isSecurityList(file.name, bytes.slice(0, HEADER_BYTES))) {
          this.#lists.push({ file, bytes });
          break;
        }
        const guessed = found.kind !== "layer";
        if (guessed && (await this.#isCase(file, bytes))) {
          break;
        }
        if (guessed && !mayHoldPositions(bytes)) {
          throw coded("INPUT.FORMAT", nothingKnown());
        }
        const table = { file, name: file.name, bytes, guessed };
        (isProfile(bytes) ? this.#profiles : this.#layers).push(table);
        break;
      }
      default:
        waitingFiles?.keep(file, bytes, null);
        throw coded("INPUT.EXTENSION", trans.__("Files of this type are not supported. Supported are %1.", SUPPORTED));
    }
  }

  /** Reads a text as a case; false if its content is not that of a case. */
  async #isCase(file: IntakeFile, bytes: Uint8Array): Promise<boolean> {
    try {
      const ingested = await this.#workspace.engine.ingestCase(bytes, "text", this.#options.signal);
      this.#read.push(await readCase(file, ingested, this.#workspace));
      return true;
    } catch (error) {
      if (codeOf(error) === "INPUT.FORMAT") {
        return false;
      }
      throw error;
    }
  }

  /** Reads a saved Study of a case, or the power flow of a feeder. */
  async #study(file: IntakeFile, bytes: Uint8Array): Promise<Read> {
    const { engine } = this.#workspace;
    const { signal } = this.#options;
    let bundle: StudyBundle;
    try {
      bundle = await engine.readStudyBundle(bytes, signal);
    } catch (error) {
      const feeder = codeOf(error) === "STUDY_FILE.SCHEMA" ? await openedFeeder(engine, bytes, signal) : null;
      if (feeder === null) {
        throw error;
      }
      return readFeederStudy(file, feeder, this.#workspace);
    }
    return readStudy(file, bundle, this.#workspace, signal);
  }

  /** Reads JSON by its content: a case or module of either model, a Study, or else a geographic layer. */
  async #json(file: IntakeFile, bytes: Uint8Array): Promise<void> {
    const drop = await this.#workspace.engine.ingestJsonDrop(bytes, this.#options.signal);
    if (drop.kind === "ambiguous") {
      throw coded(
        "INPUT.AMBIGUOUS",
        trans.__("The file matches several formats. Save it in another format and try again."),
      );
    }
    if (drop.kind === "unknown" && saysStudy(bytes)) {
      this.#read.push(await this.#study(file, bytes));
    } else if (drop.kind === "unknown") {
      if (!looksLikeJson(bytes)) {
        throw coded("INPUT.FORMAT", trans.__("The file is not valid JSON; it may be cut off."));
      }
      if (!mayHoldPositions(bytes)) {
        throw coded("INPUT.FORMAT", nothingKnown());
      }
      this.#layers.push({ file, name: file.name, bytes, guessed: true });
    } else if (drop.payload.model === "multiconductor") {
      this.#read.push(readDistribution(file, drop.payload, this.#workspace));
    } else {
      this.#read.push(await readCase(file, drop.payload, this.#workspace));
    }
  }

  /** The reason why a layer or drawing has no case. */
  get #noCase(): string {
    return this.#batch.caseRefused
      ? trans.__("Coordinates not used: the case opened with them could not be read.")
      : trans.__("No open case matches it: drop it together with its case.");
  }

  /** Applies layers and drawings, which need the cases. */
  async #place(): Promise<void> {
    const earlier = this.#layersBefore();
    if (this.#batch.cancelled || this.#layers.length + this.#displays.length + earlier.length === 0) {
      return;
    }
    const { signal, waitingFiles } = this.#options;
    const targets = await this.#targets();
    if (this.#batch.cancelled) {
      return;
    }
    const layers = [...this.#layers, ...earlier];
    const results = await applyLayers(layers, targets, this.#noCase, signal, ({ name }) => {
      const layer = this.#layers.find((candidate) => candidate.name === name);
      if (layer !== undefined) {
        this.#batch.tell(layer.file, "placing");
      }
    });
    for (const { file, ...layer } of this.#layers) {
      const outcome = results.get(layer.bytes);
      if (outcome !== undefined) {
        this.#batch.outcomes.set(file, outcome);
      }
      if (outcome?.code === "INPUT.NO_CASE") {
        waitingFiles?.keep(file, layer.bytes, null);
        const sentence = waitingSentence(this.#waiting, waitingFiles?.all ?? []);
        if (sentence !== "") {
          this.#batch.say(file, "waiting", sentence, [], outcome.code);
        }
      }
    }
    const placed = earlier.filter(({ bytes }) => results.get(bytes)?.outcome === "geography").map(({ name }) => name);
    waitingFiles?.drop(placed);
    for (const read of placed.length > 0 ? this.#completed : []) {
      read.notes = [trans.__("Placed by %1, opened before.", placed.join(", ")), ...read.notes];
    }
    for (const { file, display } of this.#displays) {
      this.#batch.outcomes.set(file, applyDisplay(file.name, display, targets, this.#noCase));
    }
  }

  /** Feeders of earlier scripts that this batch completes. */
  get #completed(): Read[] {
    const scripts = new Set(this.#completing.values());
    return this.#read.filter(({ file }) => scripts.has(file));
  }

  /** Layers that came with the scripts of such feeders before there was a case. */
  #layersBefore(): Layer[] {
    const given = new Set(this.#files.map(({ name }) => baseName(name)));
    const before = this.#completed.length > 0 ? (this.#options.waitingFiles?.all ?? []) : [];
    return before
      .filter(({ name }) => !given.has(baseName(name)))
      .filter(({ name }) => ["layer", "text"].includes(classifyFile(name, this.#workspace.engine).kind))
      .map(({ name, bytes }) => ({ name, bytes, guessed: true }));
  }

  /** Applies positions that the script of a feeder on screen refers to. */
  async #placeLacking(): Promise<void> {
    const { signal } = this.#options;
    for (const { file, bytes, target } of this.#positions) {
      const layer = { name: file.name, bytes, guessed: false };
      const results = await applyLayers([layer], [target], this.#noCase, signal, () =>
        this.#batch.tell(file, "placing"),
      );
      const outcome = results.get(bytes);
      if (outcome !== undefined) {
        this.#batch.outcomes.set(file, outcome);
      }
    }
  }

  /** Gives files that completed an earlier script the outcome of that script. */
  #reportCompleted(): void {
    for (const [file, root] of this.#completing) {
      const outcome = this.#batch.outcomes.get(root);
      if (outcome !== undefined) {
        const sentence = trans.__("Completes %1. %2", root.name, outcome.sentence);
        this.#batch.outcomes.set(file, { ...outcome, name: file.name, sentence });
      }
    }
  }

  /** The cases of the batch, or else the case in front. */
  async #targets(): Promise<IntakeTarget[]> {
    const own = this.#read.map(({ target }) => target);
    const { target, signal } = this.#options;
    if (own.length > 0 || target === undefined || this.#batch.caseRefused) {
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

  /** Shows the cases that were read, after the layers. */
  async #open(): Promise<void> {
    const { signal, origin = null } = this.#options;
    for (const { file, kind, sentence, notes, target, local, solves, offer, open, forget } of this.#read) {
      if (this.#batch.cancelled) {
        forget();
        continue;
      }
      this.#batch.tell(file, solves ? "solving" : "reading");
      let without: string;
      try {
        without = await open({ signal, local, origin });
      } catch (error) {
        this.#batch.refuse(file, error);
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
      this.#batch.say(file, kind, sentence + without + next, notes, undefined, offer);
    }
  }
}
