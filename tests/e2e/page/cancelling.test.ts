// The stand-alone page while the engine hangs: Cancel takes effect at once, other cases open and are solved meanwhile;
// a case without solution is reported at once, and the remedy follows.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { HANGS } from "../../engine/worker/page.ts";
import { fixture } from "../../fixtures/cases.ts";
import { meshedCase } from "../../engine/cases/meshes.ts";
import { dropFiles } from "../files.ts";
import { mapInFront, openPage, startBrowser, startGate, startServer } from "../page.ts";

const THREE = (await fixture("three_bus.m")).toString("utf8");
const HANGING = `${THREE}\n% HANG_FOR_EVER\n`;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A server whose worker script hangs at marked calls. */
const server = await startServer(t);
const hanging = await startGate(t, server.url, "/hangs/", (path, body) =>
  path.includes("engine.worker") ? Buffer.concat([Buffer.from(HANGS), body]) : body,
);
const browser = await startBrowser(t);

t.test("while a file hangs others open, and Cancel takes effect at once", async (t) => {
  const { page, complaints } = await openPage(browser, hanging);
  t.teardown(() => page.context().close());
  await page.locator(".wb-Page-list, main").first().waitFor();
  await dropFiles(page.locator("main"), [{ name: "stuck.m", bytes: bytes(HANGING) }]);
  const row = page.locator(".wb-Files-batches .wb-Files-head").filter({ hasText: "stuck.m" });
  await row.first().waitFor();
  await eventually.equal(t, () => row.first().locator(".wb-Files-words").innerText(), "Reading stuck.m\u2026");

  await dropFiles(page.locator("main"), [{ name: "other.m", bytes: bytes(THREE) }]);
  const map = await mapInFront(page);
  await eventually.match(t, () => map.locator(".wb-Status").innerText(), /^Optimal/, "another file is read and solved");
  await row.first().getByRole("button", { name: "Cancel" }).click();
  await row.first().waitFor({ state: "detached" });
  await eventually.match(
    t,
    () => page.locator(".wb-Files-list:visible").first().innerText(),
    /stuck\.m.*Cancelled before it was opened\./s,
  );

  await dropFiles(page.locator("main"), [{ name: "third.m", bytes: bytes(THREE.replace("90\t", "91\t")) }]);
  await page.locator('.wb-Page-document:not([hidden])[aria-label*="three"]').waitFor();
  t.strictSame(complaints, []);
});

t.test("a cancelled opening of a served case leaves the list unchanged", async (t) => {
  const stuck = await startGate(t, server.url, "/stuck/", (path, body) =>
    path.includes("engine.worker")
      ? Buffer.concat([Buffer.from(HANGS.replace("HANG_FOR_EVER", "createStudy")), body])
      : body,
  );
  const { page } = await openPage(browser, stuck);
  t.teardown(() => page.context().close());
  const served = page.locator(".wb-Page-case[data-available=true] :is(a, button)").first();
  await served.click();
  const box = page.locator(".wb-Page-opening-box");
  await box.getByText("solving the base case").waitFor({ timeout: 30_000 });
  await box.getByRole("button", { name: "Cancel" }).click();
  await box.waitFor({ state: "detached" });
  await eventually.ok(t, () => served.isVisible(), "the list is back");
});

t.test("a case without a solution is reported at once; its remedy follows and is applied", async (t) => {
  const { page, complaints } = await openPage(browser, hanging);
  t.teardown(() => page.context().close());
  await dropFiles(page.locator("main"), [{ name: "mesh.m", bytes: meshedCase(3000) }]);
  const problem = page.locator(".wb-Page-document:not([hidden]) .wb-Problem").first();
  await problem.waitFor({ timeout: 60_000 });
  await eventually.match(t, () => problem.innerText(), /No solution: .*at least 2,749\.0 MW short/s);
  const search = page.locator(".wb-Page-document:not([hidden]) .wb-mod-offer .wb-Relax").first();
  await eventually.match(t, () => search.innerText(), /Looking for the minimum relaxation/);

  await search.getByRole("button", { name: "Cancel" }).click();
  await search.locator(".wb-Relax-words", { hasText: "The search was cancelled." }).waitFor();
  await search.getByRole("button", { name: "Look for the minimum relaxation" }).click();
  await search.getByRole("button", { name: "Stop with the best so far" }).click();
  const found = /(Best relaxation so far|Minimum relaxation)/;
  await search.locator(".wb-Relax-words", { hasText: found }).waitFor({ timeout: 30_000 });
  await search.locator("button[aria-expanded]").click();
  await search.getByRole("button", { name: "Open a case with these changes" }).click();
  await mapInFront(page);
  await eventually.match(t, () => page.locator(".wb-Page-document:not([hidden]) .wb-Status").innerText(), /^Optimal/);
  t.strictSame(complaints, []);
});
