// The offer of changes that a kernel lost, in Chromium: all of them are counted, so that nobody dismisses an edit
// unseen.
import { fileURLToPath } from "node:url";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { startMapPage } from "../mapPage/serve.ts";
import type { OfferPage } from "./offerPage.ts";

declare const window: Window & { mapPage: OfferPage };

t.test("changes of generators and reactive demand are offered like those of demand and ratings", async (t) => {
  const three = fileURLToPath(new URL("../../fixtures/three_bus.m", import.meta.url));
  const server = await startMapPage({ "three_bus.m": three }, [], "tests/widgets/notebook/offerPage.ts");
  t.teardown(() => server.stop());
  const { page, complaints } = await server.open();
  const edits = { deltas: {}, rates: {}, reactive: { 2: 3 }, generators: { 1: { cost: 20 }, 2: { p_max: 300 } } };
  await page.evaluate((given) => window.mapPage.offer(given), edits);
  const offer = page.locator(".wb-Offer");
  await eventually.match(t, () => offer.innerText(), "Before the kernel restarted this map had 3 changes.");
  await offer.getByRole("button", { name: "Apply again" }).click();
  await eventually.strictSame(t, () => page.evaluate(() => window.mapPage.edits()), edits);
  t.equal(await offer.count(), 0);
  t.strictSame(complaints, []);
});
