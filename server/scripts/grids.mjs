// The four grids as the wheel carries them: the committed, packed modules with a catalogue and their base solutions beside them.
// Every case is solved here, once; where the wheel is installed only hashes are checked.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const MANIFEST = "manifest.json";
/** The attribution that the licence of the data requires. */
const NOTICE = "LICENSE";

/**
 * Makes `folder`, which lies beside the built server, from the committed grids in `source`. What an earlier build has solved with
 * the same engine is not solved again. Without committed grids there is no folder.
 */
export async function packGrids(source, folder, server) {
  const made = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    const before = join(made, "before");
    if (existsSync(folder)) await move(folder, before);
    if (!existsSync(join(source, MANIFEST))) return;
    await mkdir(folder);
    const { grids } = JSON.parse(await readFile(join(source, MANIFEST), "utf8"));
    const notice = existsSync(join(source, NOTICE)) ? [NOTICE] : [];
    for (const file of [MANIFEST, ...notice, ...grids.map(({ module }) => module)])
      await cp(join(source, file), join(folder, file));
    if (existsSync(join(before, "base"))) await rename(join(before, "base"), join(folder, "base"));
    // The server stages the grids that lie beside it, as a user's will.
    const staged = join(made, "staged");
    await run(process.execPath, [server, "stage-data", staged]);
    await rm(join(folder, "base"), { recursive: true, force: true });
    await rename(join(staged, "base"), join(folder, "base"));
    await rename(join(staged, "catalogue.json"), join(folder, "catalogue.json"));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** Moves a folder; where the file system cannot (an overlay, for what lies in a layer below), copies it. */
async function move(from, to) {
  try {
    await rename(from, to);
  } catch (error) {
    if (error.code !== "EXDEV") throw error;
    await cp(from, to, { recursive: true });
    await rm(from, { recursive: true });
  }
}

function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`\`${[program, ...args].join(" ")}\` ended with exit code ${code}`)),
    );
  });
}
