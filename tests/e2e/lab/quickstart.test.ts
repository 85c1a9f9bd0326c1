// The quickstart in real JupyterLab: run all cells, drag, see the preview, release, compare with the kernel.
import t from "tap";
import { formatMoney, formatMw, formatPrice } from "@service/widgets/text";
import { eventually } from "../../eventually.ts";
import { openNotebook, startLab } from "../lab.ts";
import { atRevision, dragSlider, pixels, runCode, runCommand, theMap } from "../notebook.ts";

const lab = await startLab(["examples/quickstart.ipynb"]);
t.teardown(() => lab.stop());

const { page, complaints } = await openNotebook(lab, "quickstart.ipynb");
await runCommand(page, "notebook:run-all-cells");
const map = await theMap(page);
/** The bus with demand and the highest price, as the notebook found it. */
const BUS = Number(await inKernel("print(BUS)"));

const text = (selector: string): Promise<string> => map.locator(selector).innerText();

const certificate = (): Promise<string> => map.getByRole("dialog", { name: "Certificate of the result" }).innerText();

interface KernelState {
  lmp: number;
  demand: number;
  revision: number;
  objective: number;
  sha256: string;
}

/** Runs code below all other cells, then returns to the map. */
async function inKernel(code: string): Promise<string> {
  const printed = await runCode(page, code);
  await theMap(page);
  return printed;
}

async function kernelState(): Promise<KernelState> {
  const printed = await inKernel(
    `import json
s = study.solution
print(json.dumps({"lmp": float(s.buses.loc[${BUS}, "lmp"]), "demand": float(s.buses.loc[${BUS}, "demand_mw"]),
  "revision": study.revision, "objective": s.objective, "sha256": s.sha256}))`,
  );
  return JSON.parse(printed) as KernelState;
}

t.test("the notebook runs from top to bottom and the map follows the kernel's commit", async (t) => {
  await atRevision(map, 1);
  const errors = page.locator(
    '[data-mime-type="application/vnd.jupyter.stderr"], [data-mime-type="application/vnd.jupyter.error"]',
  );
  t.strictSame(await errors.allInnerTexts(), [], "no cell wrote an error");
  await eventually.match(t, () => text(".wb-EditBar-name"), `Bus ${BUS}`);
  const kernel = await kernelState();
  t.equal(kernel.revision, 1);
  await eventually.match(t, () => text(".wb-EditBar-value"), `Price ${formatPrice(kernel.lmp)} $/MWh`);
});

t.test("a drag previews in the page, and its release commits in page and kernel", async (t) => {
  await map.getByRole("button", { name: "Price", exact: true }).click();
  const [picture, price] = [await pixels(map), await text(".wb-EditBar-value")];

  const hand = await dragSlider(map, 0.6);
  await map.and(page.locator('[data-status="previewing"]')).waitFor();
  await page.waitForTimeout(100);
  await eventually.match(t, () => text(".wb-Status"), "Previewing, exact");
  await eventually.match(
    t,
    () => text(".wb-EditBar-words"),
    /^Exact\. Passed \+\S+ MW, where generator \d+/,
    "the last event",
  );
  await eventually.not(t, () => pixels(map), picture, "the colours moved with the hand");
  await eventually.not(t, () => text(".wb-EditBar-value"), price, "so did the price");
  await eventually.equal(
    t,
    () => map.getAttribute("data-revision"),
    "1",
    "nothing is committed while the slider moves",
  );

  await hand.release();
  await atRevision(map, 2);
  await eventually.match(t, () => text(".wb-Status"), /^Optimal, /);
  await eventually.match(
    t,
    () => text(".wb-EditBar-words"),
    /^Preview = exact: \S+ \$\/MWh/,
    "preview and exact result",
  );

  const kernel = await kernelState();
  t.equal(kernel.revision, 2);
  await eventually.equal(
    t,
    () => text(".wb-EditBar-value"),
    `Price ${formatPrice(kernel.lmp)} $/MWh`,
    "the price on screen is the kernel's",
  );
  await eventually.match(t, () => text(".wb-EditBar-change"), `${formatMw(kernel.demand)} MW`);
  await map.locator(".wb-Pill").click();
  await eventually.match(t, certificate, `Result ${kernel.sha256.slice(0, 12)}`, "page and kernel have one result");
  await eventually.match(t, certificate, formatMoney(kernel.objective));
  await page.keyboard.press("Escape");
});

t.test("the Study panel follows, and its reset reaches the kernel", async (t) => {
  await runCommand(page, "wattbook:show-study-panel");
  const panel = page.locator(".wb-Panel");
  await panel.waitFor();
  await eventually.match(t, () => panel.innerText(), `Bus ${BUS}`);
  const objective = formatMoney((await kernelState()).objective);
  await eventually.match(t, () => panel.locator(".wb-Panel-objective").innerText(), objective);
  await panel.getByRole("button", { name: "Reset to the base case" }).click();
  await atRevision(map, 3);
  t.equal((await kernelState()).revision, 3);
  t.equal(await inKernel("print(dict(study.edits.demand))"), "{}");
});

t.test("a change in the kernel moves the map; the table shows it too", async (t) => {
  await inKernel(`study.commit({${BUS}: 5})`);
  await atRevision(map, 4);
  const { lmp } = await kernelState();
  await map.getByRole("button", { name: "Table of buses" }).click();
  await eventually.match(t, () => map.locator(`tr[data-bus="${BUS}"]`).innerText(), formatPrice(lmp));
  await map.getByRole("button", { name: "Table of buses" }).click();
});

t.test("a change without a solution is reported in a sentence, and the previous state stays", async (t) => {
  const [before, price] = [await kernelState(), await text(".wb-EditBar-value")];
  await map.locator(".wb-Entry").fill("90000");
  await map.locator(".wb-Entry").press("Enter");
  await map.and(page.locator('[data-status="failed"]')).waitFor();
  await eventually.match(t, () => text(".wb-Status"), /^No solution/);
  await eventually.equal(t, () => text(".wb-EditBar-value"), price);
  t.strictSame(await kernelState(), before);
});

t.test("without its kernel the map continues alone", async (t) => {
  const { demand } = await kernelState(); // with 5 MW more than the base case
  await runCommand(page, "kernelmenu:shutdown");
  await map.locator(".wb-Entry").fill("7");
  await map.locator(".wb-Entry").press("Enter");
  await atRevision(map, 5);
  await eventually.match(t, () => text(".wb-EditBar-change"), `${formatMw(demand + 2)} MW`);
  await map.locator("canvas").press("ArrowRight");
  await eventually.notMatch(t, () => text(".wb-EditBar-name"), `Bus ${BUS}`, "another bus is selected");
});

t.test("no errors occurred", async (t) => {
  t.strictSame(complaints, []);
});
