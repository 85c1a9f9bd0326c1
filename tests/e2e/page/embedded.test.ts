// A page written by ipywidgets with a map in it, over local files of the html-manager and require.js: the map is live,
// its slider moves the prices of the kernel, a release has the kernel's result, and no other host gets a request.
// Without its engine it is a picture.
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync } from "node:fs";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import t, { type Test } from "tap";
import { eventually } from "../../eventually.ts";
import { ENVIRONMENT } from "../lab.ts";
import { type KernelNumbers, solvesAsKernel } from "../kernelNumbers.ts";
import { openPage, startBrowser } from "../page.ts";

const BUS = 30;
/**
 * Writes the page of a map with a committed demand, and its front end beside it; prints price and hash of the result.
 */
const KERNEL = `
import json, sys, wattbook as wb
study = wb.open_case("carolina").study()
study.commit({${BUS}: float(sys.argv[1])})
if sys.argv[2:]:
    from ipywidgets.embed import embed_minimal_html
    embed_minimal_html(sys.argv[2] + "/map.html", [study.map(bus=${BUS})], embed_url="embed-amd.js", cors=False)
    wb.copy_front_end(sys.argv[2])
print(json.dumps([study.solution.buses.lmp[${BUS}], study.solution.sha256[:12]]))
`;
const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const require = createRequire(import.meta.url);

function kernel(...args: string[]): KernelNumbers {
  const output = execFileSync(join(ENVIRONMENT, "bin", "python"), ["-c", KERNEL, ...args], { encoding: "utf8" });
  return JSON.parse(output) as KernelNumbers;
}

/** Starts a plain file server and returns its address. */
async function served(t: Test, folder: string): Promise<string> {
  const server = createServer(({ url = "/" }, answer) => {
    const path = join(folder, decodeURIComponent(new URL(url, "http://page").pathname));
    if (!existsSync(path)) {
      answer.writeHead(url === "/favicon.ico" ? 204 : 404).end();
      return;
    }
    answer.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
    createReadStream(path).pipe(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The page with local copies of the loaders that its HTML takes from a CDN; its address, price and hash. */
async function written(t: Test): Promise<{ folder: string; url: string; price: number; hash: string }> {
  const folder = t.testdir();
  const [price, hash] = kernel("5", folder);
  await cp(require.resolve("@jupyter-widgets/html-manager/dist/embed-amd.js"), join(folder, "embed-amd.js"));
  await cp(require.resolve("requirejs/require.js"), join(folder, "require.js"));
  // The page takes that loader from a CDN.
  const page = join(folder, "map.html");
  const html = await readFile(page, "utf8");
  await writeFile(page, html.replace(/<script src="https:[^>]*>/, '<script src="require.js">'));
  return { folder, url: `${await served(t, folder)}/map.html`, price, hash };
}

t.test("a map in a page of ipywidgets is live", async (t) => {
  const { url, price, hash } = await written(t);
  const browser = await startBrowser(t);
  const { page, complaints, foreign } = await openPage(browser, url);
  const map = page.locator(".wb-Map").first();
  await map.waitFor();
  await solvesAsKernel(t, map, [price, hash], kernel);
  // The html-manager prints warnings about its own schema.
  t.strictSame(
    complaints.filter((complaint) => !complaint.includes("embed-amd.js")),
    [],
  );
  t.strictSame(foreign(), [], "no other server is contacted");
});

t.test("without its engine the map is a picture with a message", async (t) => {
  const { folder, url } = await written(t);
  const engine = (await readdir(join(folder, "@service"))).filter((name) => name.endsWith(".wasm"));
  t.equal(engine.length, 1);
  await rm(join(folder, "@service", engine[0] as string));
  const browser = await startBrowser(t);
  const { page } = await openPage(browser, url);
  const picture = page.getByRole("img", { name: /^Map of / });
  await picture.waitFor();
  t.ok(await picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 100));
  await eventually.match(
    t,
    () => page.locator(".wb-Still").innerText(),
    /This is a picture: the map cannot run here\./,
  );
});
