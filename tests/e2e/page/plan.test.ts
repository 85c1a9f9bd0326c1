// A plan on the stand-alone page: candidates, trials, the proposal on the map, approved by a mouse click and applied;
// the server finds the same cost for the raised ratings.
import t from "tap";
import type { Optimum } from "@service/engine";
import { formatMoney } from "@service/widgets/text";
import { eventually } from "../../eventually.ts";
import { all } from "../../server/events.ts";
import { mapInFront, openPage, startBrowser, startServer, withGrids } from "../page.ts";

const server = await startServer(t, await withGrids(t));
const browser = await startBrowser(t);
const cases = (await (await fetch(`${server.url}/api/cases`)).json()) as { id: string }[];
const illinois = cases.some(({ id }) => id === "illinois");

t.test("a plan is made, inspected, approved and applied", { skip: !illinois && "a build without grids" }, async (t) => {
  const { page, complaints } = await openPage(browser, `${server.url}/?case=illinois`);
  const map = await mapInFront(page);
  const plan = page.locator('[data-section="plan"]');
  await plan.locator(".wb-Section-head").click();

  // Candidates from the map: by a drag, then by keys alone.
  const button = plan.locator('[data-action="box"]');
  const candidates = plan.locator(".wb-Plan-candidates tbody tr");
  await button.click();
  const stage = await map.locator("canvas").boundingBox();
  const at = (x: number, y: number): [number, number] => [
    (stage?.x ?? 0) + x * (stage?.width ?? 0),
    (stage?.y ?? 0) + y * (stage?.height ?? 0),
  ];
  await page.mouse.move(...at(0.45, 0.45));
  await page.mouse.down();
  await page.mouse.move(...at(0.55, 0.55), { steps: 3 });
  const counted = Number.parseInt(await map.locator(".wb-Box-label").innerText(), 10);
  await page.mouse.up();
  t.ok(counted > 0);
  await eventually.equal(t, () => candidates.count(), counted, "the lines that the box counted");
  await plan.getByRole("button", { name: "Remove all" }).click();
  await button.focus();
  await page.keyboard.press("Enter");
  await map.locator(".wb-Box-label").waitFor();
  await page.keyboard.press("Shift+ArrowRight");
  const more = Number.parseInt(await map.locator(".wb-Box-label").innerText(), 10);
  await page.keyboard.press("Enter");
  await eventually.equal(t, () => candidates.count(), more);
  t.ok(await button.evaluate((node) => document.activeElement === node), "the focus comes back to the panel");
  await plan.getByRole("button", { name: "Remove all" }).click();
  await plan.getByRole("button", { name: /^\+ Binding lines/ }).click();
  await plan.locator('[data-action="plan"]').click();
  await plan.locator('[data-plan="done"]').waitFor({ timeout: 60_000 });
  t.match(await plan.locator(".wb-Plan-outcome").innerText(), /^Best verified within the budget\s/);
  t.equal(await map.getAttribute("data-revision"), "0", "nothing is applied");

  await plan.getByRole("button", { name: "Inspect the candidate" }).click();
  const mark = map.locator(".wb-Inspecting");
  await eventually.match(t, () => mark.innerText(), /^Inspecting\s+Candidate: /);
  t.equal(await map.getAttribute("data-revision"), "0");
  t.ok(await plan.locator('[data-action="approve"]').isDisabled());
  await mark.getByRole("button", { name: "Back to the live state" }).click();
  await mark.waitFor({ state: "hidden" });

  await plan.locator('[data-action="approve"]').click();
  await plan.locator('[data-action="apply"]').click();
  await page.locator('.wb-Map[data-revision="1"]').waitFor();
  const raised = await plan.locator(".wb-Plan-changes tbody tr").evaluateAll((rows) =>
    rows.map((row) => {
      const [line = "", change = ""] = [
        row.querySelector("th")?.textContent,
        row.querySelector("td:last-child")?.textContent,
      ];
      return `${String(/^Line (\d+)/.exec(line)?.[1])}:${String(Number(change.replace("+", "")))}`;
    }),
  );
  t.ok(raised.length > 0);
  const answer = await all(await fetch(`${server.url}/api/cases/illinois/solve?rates=${raised.join(",")}`));
  const { objective } = answer.find(({ event }) => event === "solution")?.data as unknown as Optimum;
  await eventually.match(t, () => page.locator(".wb-Panel-objective").innerText(), formatMoney(objective ?? NaN));
  t.strictSame(complaints, []);
});
