// Failures during work in the stand-alone page: a change that hangs, a tab closed in the middle of a solve, a worker's
// thread that ends, and files of another build on the server. The previous state stays, and nothing is lost silently.
import t, { type Test } from "tap";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../../eventually.ts";
import { HANGS } from "../../engine/worker/page.ts";
import { fixture } from "../../fixtures/cases.ts";
import { dropFiles } from "../files.ts";
import { mapInFront, openPage, startBrowser, startGate, startServer, type WatchedPage } from "../page.ts";

const THREE = await fixture("three_bus.m");
const server = await startServer(t);
const browser = await startBrowser(t);
let gates = 0;
/** The request of a commit of 77 MW at bus 2, without its other fields: the budgets of jobs depend on the clock. */
const COMMIT = JSON.stringify('{"2":77}').slice(1, -1);

/** A page whose worker hangs, or whose worker's thread ends, at each commit of 77 MW. */
async function opened(t: Test, says: "HANG_FOR_EVER" | "CLOSE_THE_THREAD", lost = () => false): Promise<WatchedPage> {
  const script = Buffer.from(HANGS.replace(`"${says}"`, JSON.stringify(COMMIT)));
  gates += 1;
  const url = await startGate(t, server.url, `/gate${gates}/`, (path, body) =>
    lost() ? Buffer.from("gone") : path.includes("engine.worker") ? Buffer.concat([script, body]) : body,
  );
  const watched = await openPage(browser, url);
  t.teardown(() => watched.page.context().close());
  await dropFiles(watched.page.locator("main"), [{ name: "three.m", bytes: THREE }]);
  const map = await mapInFront(watched.page);
  await map.getByRole("button", { name: "Table of buses" }).click();
  await map.locator('tr[data-bus="2"] button').click();
  await map.getByRole("button", { name: "Table of buses" }).click();
  await map.locator(".wb-Band-exact:not([hidden])").waitFor();
  await enter(map, "10");
  await at(map, 1);
  return watched;
}

async function enter(map: Locator, mw: string): Promise<void> {
  await map.locator(".wb-Entry").first().fill(mw);
  await map.locator(".wb-Entry").first().press("Enter");
}

async function at(map: Locator, revision: number): Promise<void> {
  await map.and(map.page().locator(`[data-revision="${revision}"][data-status="ready"]`)).waitFor();
}

const front = (page: Page): Locator => page.locator(".wb-Page-document:not([hidden]) .wb-Map");

t.test("a hanging change is cancelled at once, and the next one is made", async (t) => {
  const { page, complaints } = await opened(t, "HANG_FOR_EVER");
  const map = front(page);
  const before = await map.locator(".wb-EditBar-value").innerText();
  await enter(map, "77");
  const cancel = map.locator(".wb-Status").getByRole("button", { name: "Cancel" });
  await cancel.click();
  await at(map, 1);
  await cancel.waitFor({ state: "detached" });
  await eventually.equal(t, () => map.locator(".wb-EditBar-value").innerText(), before, "the state before");
  await enter(map, "20");
  await at(map, 2);
  await eventually.match(t, () => map.locator(".wb-Status").innerText(), /^Optimal/);
  t.strictSame(complaints, []);
});

t.test("a tab closed during a solve does not affect others", async (t) => {
  const { page, complaints } = await opened(t, "HANG_FOR_EVER");
  await enter(front(page), "77");
  await front(page).and(page.locator('[data-status="solving"]')).waitFor();
  await page
    .getByRole("button", { name: /^Close/ })
    .first()
    .click();
  await front(page).waitFor({ state: "detached" });
  await dropFiles(page.locator("main"), [{ name: "again.m", bytes: THREE }]);
  const map = await mapInFront(page);
  await eventually.match(t, () => map.locator(".wb-Status").innerText(), /^Optimal/, "the same case opens again");
  t.strictSame(complaints, []);
});

t.test("when a worker's thread ends the change is refused, the state stays and work continues", async (t) => {
  const { page } = await opened(t, "CLOSE_THE_THREAD");
  const map = front(page);
  await enter(map, "77");
  await map.and(page.locator('[data-status="failed"][data-revision="1"]')).waitFor({ timeout: 10_000 });
  await eventually.match(
    t,
    () => map.locator(".wb-Status").innerText(),
    /engine failed on this input and was restarted/,
  );
  await enter(map, "20");
  await at(map, 2);
  await eventually.match(t, () => map.locator(".wb-Status").innerText(), /^Optimal/);
});

t.test(
  "files of another build on the server: what is open goes on, what cannot be loaded says to reload",
  async (t) => {
    let upgraded = false;
    const { page } = await opened(t, "HANG_FOR_EVER", () => upgraded);
    upgraded = true;
    const map = front(page);
    await enter(map, "77");
    await map.locator(".wb-Status").getByRole("button", { name: "Cancel" }).click();
    await at(map, 1);
    await enter(map, "20");
    await at(map, 2);
    await eventually.match(
      t,
      () => map.locator(".wb-Status").innerText(),
      /^Optimal/,
      "also after a worker had to be started anew",
    );
    const other = Buffer.from(THREE.toString("utf8").replace("90\t", "91\t"));
    await dropFiles(page.locator("main"), [{ name: "second.m", bytes: other }]);
    await page.locator(".wb-Page-document").nth(1).locator('.wb-Map[data-status="ready"]').waitFor();
    await eventually.equal(t, () => page.locator(".wb-Page-document").count(), 2, "further files are read and solved");
    const short = Buffer.from(THREE.toString("utf8").replace(/^(\s*2\s+\d\s+)90\b/m, "$1600"));
    await dropFiles(page.locator("main"), [{ name: "short.m", bytes: short }]);
    // The viewer of networks without prices has not been loaded before.
    await eventually.match(t, () => page.getByRole("alert").innerText(), /could not be shown.*Reload the page/s);
  },
);
