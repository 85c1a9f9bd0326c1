// The four grids as the wheel carries them: the committed, packed modules with a catalogue and their base solutions beside them.
// Every case is solved here, once; where the wheel is installed only hashes are checked.
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Makes `folder` from the committed grids in `source` with the built server; without committed grids there is none. */
export async function packGrids(source, folder, server) {
  await rm(folder, { recursive: true, force: true });
  if (!existsSync(join(source, "manifest.json"))) return;
  const made = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    const packed = join(made, "packed");
    await mkdir(packed);
    const { grids } = JSON.parse(await readFile(join(source, "manifest.json"), "utf8"));
    for (const file of ["manifest.json", ...grids.map(({ module }) => module)])
      await cp(join(source, file), join(packed, file));
    // The server finds its grids beside itself; staged from there they are what a user will have.
    await rename(packed, folder);
    const staged = join(made, "staged");
    await run(process.execPath, [server, "stage-data", staged]);
    await cp(join(staged, "base"), join(folder, "base"), { recursive: true });
    await cp(join(staged, "catalogue.json"), join(folder, "catalogue.json"));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(made, { recursive: true, force: true });
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
