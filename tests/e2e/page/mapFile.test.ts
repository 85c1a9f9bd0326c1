// A map written as one page, opened from disk without a network: it shows the prices of the kernel that wrote it, its
// slider moves them, a release has the kernel's result, and it makes no request.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import { ENVIRONMENT } from "../lab.ts";
import { type KernelNumbers, solvesAsKernel } from "../kernelNumbers.ts";
import { mapInFront, openPage, startBrowser } from "../page.ts";

const BUS = 30;
/** Commits a demand on a congested grid, writes the map if a path is given, and prints price and hash of the result. */
const KERNEL = `
import json, sys, wattbook as wb
study = wb.open_case("carolina").study()
study.commit({${BUS}: float(sys.argv[1])})
if sys.argv[2:]:
    study.map(bus=${BUS}).to_html(sys.argv[2])
print(json.dumps([study.solution.buses.lmp[${BUS}], study.solution.sha256[:12]]))
`;

function kernel(...args: string[]): KernelNumbers {
  const output = execFileSync(join(ENVIRONMENT, "bin", "python"), ["-c", KERNEL, ...args], { encoding: "utf8" });
  return JSON.parse(output) as KernelNumbers;
}

t.test("a map written as one page works from disk without a network", async (t) => {
  const file = join(t.testdir(), "map.html");
  const [price, hash] = kernel("5", file);
  const browser = await startBrowser(t);
  const { page, complaints, requests } = await openPage(browser, pathToFileURL(file).href, { offline: true });
  const map = await mapInFront(page);
  await solvesAsKernel(t, map, [price, hash], kernel);
  await page.evaluate(() => localStorage.setItem("wattbook:ground", "always"));
  await page.reload();
  const ground = (await mapInFront(page)).locator(".wb-Stage[data-ground=maplibre] .wb-Ground[data-ready]");
  await ground.waitFor({ state: "attached", timeout: 60_000 });

  t.strictSame(complaints, []);
  const left = requests.filter((sent) => !/^GET (blob|data):/.test(sent));
  t.strictSame([...new Set(left)], [`GET ${pathToFileURL(file).href}`]);
});
