// A real JupyterLab on a free port with a temporary folder for notebooks, settings and configuration, and a browser on it.
import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The environment with JupyterLab: the active one, else the project's own. */
export const ENVIRONMENT = process.env["VIRTUAL_ENV"] ?? join(ROOT, ".venv");

/** A running JupyterLab with a browser. */
export interface Lab {
  url: string;
  /** Folder of the notebooks. */
  folder: string;
  browser: Browser;
  /** The output of JupyterLab and its kernels so far. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** The two front ends of Jupyter on one server. */
export type FrontEnd = "lab" | "notebook";

/** Prepares the home folder before JupyterLab starts, and returns environment variables for it. */
export type PrepareHome = (home: string) => Promise<Record<string, string>>;

/** Further options of a JupyterLab. */
export interface LabOptions {
  chromiumArgs?: readonly string[];
  /** Token to log in; none by default. */
  token?: string;
}

/** Starts JupyterLab or Notebook on copies of `files` (paths from the repository's top folder). */
export async function startLab(
  files: readonly string[],
  frontEnd: FrontEnd = "lab",
  prepare: PrepareHome = () => Promise.resolve({}),
  { chromiumArgs = [], token = "" }: LabOptions = {},
): Promise<Lab> {
  const home = await mkdtemp(join(tmpdir(), "wattbook-e2e-"));
  const folder = join(home, "notebooks");
  await mkdir(folder);
  await Promise.all(files.map((file) => copyFile(join(ROOT, file), join(folder, basename(file)))));
  const port = await freePort();
  const log = join(home, "lab.log");
  const child = spawnLab(frontEnd, home, folder, port, log, token, await prepare(home));
  endWithThisProcess(child);
  const url = `http://127.0.0.1:${port}/`;
  await ready(child, `${url}api/status?token=${token}`, log);
  const browser = await chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_ARGS, ...chromiumArgs] });
  return {
    url,
    folder,
    browser,
    log: () => readFile(log, "utf8"),
    stop: async () => {
      await browser.close();
      await ended(child);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A page on a notebook, with all console errors of the page. */
export interface NotebookPage {
  page: Page;
  complaints: string[];
}

/** Opens a notebook and waits for its kernel; in a separate workspace JupyterLab opens nothing else. */
export async function openNotebook(
  lab: Lab,
  name: string,
  frontEnd: FrontEnd = "lab",
  workspace = "default",
): Promise<NotebookPage> {
  const folder = frontEnd === "notebook" ? "notebooks" : `lab/workspaces/${workspace}/tree`;
  const opened = await openLab(lab, `${folder}/${name}`);
  await opened.page.waitForFunction(kernelIsIdle);
  return opened;
}

/** Opens JupyterLab without a notebook. */
export async function openLab(lab: Lab, path = "lab"): Promise<NotebookPage> {
  const page = await lab.browser.newPage({ viewport: { width: 1400, height: 1000 } });
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") {
      complaints.push(`${message.text()} (${message.location().url})`);
    }
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${lab.url}${path}`);
  await page.waitForFunction(() => "jupyterapp" in window);
  await page.evaluate(() => (window as unknown as { jupyterapp: { restored: Promise<void> } }).jupyterapp.restored);
  return { page, complaints };
}

/** Runs in the page: whether the kernel of the notebook in front has started and is idle. */
function kernelIsIdle(): boolean {
  interface Shell {
    currentWidget: { sessionContext?: { isReady: boolean; kernelDisplayStatus: string } } | null;
  }
  const { jupyterapp } = window as unknown as { jupyterapp: { shell: Shell } };
  const context = jupyterapp.shell.currentWidget?.sessionContext;
  return context?.isReady === true && context.kernelDisplayStatus === "idle";
}

function spawnLab(
  frontEnd: FrontEnd,
  home: string,
  folder: string,
  port: number,
  log: string,
  token: string,
  more: Record<string, string>,
): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(JUPYTER|SERVICE_|IPYTHON)/.test(name));
  const child = spawn(
    join(ENVIRONMENT, "bin", `jupyter-${frontEnd}`),
    [
      "--no-browser",
      "--allow-root",
      `--ServerApp.port=${port}`,
      "--ServerApp.port_retries=0",
      `--ServerApp.root_dir=${folder}`,
      `--IdentityProvider.token=${token}`,
      `--${frontEnd === "lab" ? "LabApp" : "JupyterNotebookApp"}.expose_app_in_browser=True`,
    ],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...Object.fromEntries(inherited),
        PATH: `${join(ENVIRONMENT, "bin")}${delimiter}${process.env["PATH"] ?? ""}`,
        HOME: home,
        JUPYTER_CONFIG_DIR: join(home, "config"),
        JUPYTER_DATA_DIR: join(home, "data"),
        JUPYTER_RUNTIME_DIR: join(home, "runtime"),
        JUPYTERLAB_SETTINGS_DIR: join(home, "settings"),
        JUPYTERLAB_WORKSPACES_DIR: join(home, "workspaces"),
        IPYTHONDIR: join(home, "ipython"),
        ...more,
      },
    },
  );
  const file = createWriteStream(log);
  child.stdout?.pipe(file, { end: false });
  child.stderr?.pipe(file, { end: false });
  return child;
}

async function ready(child: ChildProcess, url: string, log: string): Promise<void> {
  const until = Date.now() + 60_000;
  while (Date.now() < until && child.exitCode === null) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  child.kill("SIGKILL");
  throw new Error(`JupyterLab did not start:\n${await readFile(log, "utf8")}`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) {
    return;
  }
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 15_000);
  await exit;
  clearTimeout(late);
}

/**
 * Ends the child with this process: a test run that fails before its teardown, or is stopped, must not leave a
 * JupyterLab behind.
 */
function endWithThisProcess(child: ChildProcess): void {
  process.once("exit", () => child.kill("SIGKILL"));
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => process.exit(1));
  }
}

/** A free port of the loopback. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Disables the browser's own network services: the test machine may have no network. */
const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function findChromium(): string {
  const named = process.env["CHROMIUM"];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = ["chromium", "chromium-browser", "google-chrome"]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
  const path = named ? named : found;
  if (path === undefined) {
    throw new Error("No Chromium found: set CHROMIUM to its path.");
  }
  return path;
}
