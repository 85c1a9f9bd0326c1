// A map that was written as one page, opened from the disk with the network off: it shows the cost that the kernel which wrote it has,
// solves what is changed in it, and asks nobody for anything.
import { execFileSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { ENVIRONMENT } from "../lab.ts";
import { atRevision } from "../notebook.ts";
import { mapInFront, openPage, startBrowser } from "../page.ts";

const PYTHON = join(ENVIRONMENT, "bin", "python");
/** Writes the map of a congested network of three buses; prints what the kernel's prices are before and after the edit of the test. */
const WRITE = `
import json, sys, wattbook as wb
case = wb.open_case(sys.argv[1]).with_layout((-98, 36))
study = case.study()
study.commit({2: 5})
study.map(bus=2).to_html(sys.argv[2])
before = study.solution.objective
study.commit({2: 9})
print(json.dumps([before, study.solution.objective] ))
`;

t.test("a map written as one page works from the disk without a network", async (t) => {
  const file = join(t.testdir(), "map.html");
  const fixture = fileURLToPath(new URL("../../fixtures/three_bus.m", import.meta.url));
  const told = execFileSync(PYTHON, ["-c", WRITE, fixture, file], { encoding: "utf8" });
  const [before, after] = JSON.parse(told) as [number, number];
  const browser = await startBrowser(t);
  const { page, complaints, requests } = await openPage(browser, pathToFileURL(file).href, { offline: true });
  const map = await mapInFront(page);
  const objective = (value: number): string =>
    value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  await eventually.match(t, () => page.locator("#study-panel").innerText(), objective(before));
  const revision = Number(await map.getAttribute("data-revision"));
  await map.locator(".wb-Entry").first().fill("9");
  await map.locator(".wb-Entry").first().press("Enter");
  await atRevision(map, revision + 1);
  await eventually.match(t, () => page.locator("#study-panel").innerText(), objective(after));
  t.same(complaints, []);
  const left = requests.filter((sent) => !/^GET (blob|data):/.test(sent));
  t.same(left, [`GET ${pathToFileURL(file).href}`]);
});
