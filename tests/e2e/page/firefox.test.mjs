// The stand-alone page in Firefox: a grid opens, its prices are shown, a hand drags the demand of a bus, and what it commits is the
// server's own optimum. Firefox and what drives it are there with `npm test -- --all`.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import { formatPrice } from "@service/widgets/text";
import { which } from "../../../binder/lib/paths.mjs";
import { all } from "../../server/events.ts";
import { startServer } from "../page.ts";

const PATIENCE_MS = 120_000;
const MAP = '.wb-Page-document:not([hidden]) .wb-Map[data-status="ready"]';
const packages = process.env.WATTBOOK_EXTRA_PACKAGES;
const firefox = which("firefox-esr") ?? which("firefox");

/** Firefox, by the protocol WebDriver BiDi. */
async function launch(folder, executablePath) {
  const entry = createRequire(join(folder, "package.json")).resolve("puppeteer-core");
  const { launch } = await import(pathToFileURL(entry).href);
  return launch({
    browser: "firefox",
    executablePath,
    headless: true,
    protocolTimeout: PATIENCE_MS,
    timeout: PATIENCE_MS,
  });
}

/** Takes the slider's thumb and moves it to a share of its track; the hand stays down. */
async function drag(page, share) {
  const slider = await page.waitForSelector(".wb-Slider");
  const box = await slider?.boundingBox();
  if (!slider || !box) throw new Error("The slider is not on screen.");
  const now = await slider.evaluate(({ value, min, max }) => (+value - +min) / (+max - +min));
  const x = (part) => box.x + 8 + (box.width - 16) * part;
  await page.mouse.move(x(now), box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(x(share), box.y + box.height / 2, { steps: 12 });
}

const skip =
  packages === undefined || firefox === null
    ? "Firefox is driven by `npm test -- --all`, where it is installed"
    : false;

t.test("a case from its address to a committed optimum", { skip, timeout: 2 * PATIENCE_MS }, async (t) => {
  const { url } = await startServer(t);
  const browser = await launch(packages ?? "", firefox ?? "");
  t.teardown(() => browser.close());
  t.match(await browser.version(), /^firefox\//);
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.setViewport({ width: 1280, height: 850 });
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${url}/?case=case500_goc`, { timeout: PATIENCE_MS });
  await page.waitForSelector(`${MAP} .wb-Stage[data-placed]`);

  await page.focus(`${MAP} .wb-Canvas`);
  await page.keyboard.press("ArrowRight");
  await drag(page, 0.62);
  await page.waitForSelector('.wb-Map[data-status="previewing"]');
  await page.mouse.up();
  await page.waitForSelector('.wb-Map[data-revision="1"][data-status="ready"]');

  const name = await page.$eval(".wb-EditBar-name", ({ textContent }) => textContent);
  const bus = Number(/\d+/.exec(name)?.[0]);
  const entry = await page.$eval(".wb-Entry", ({ value }) => value);
  const deltaMw = Number(entry.replaceAll(",", "").replace("\u2212", "-"));
  t.ok(deltaMw > 0, "the hand moved it");
  const stream = await all(await fetch(`${url}/api/cases/case500_goc/solve?d=${bus}:${deltaMw}`));
  const solved = stream.find(({ event }) => event === "solution")?.data;
  const price = solved.prices.find((row) => row.bus === bus)?.value ?? NaN;
  const bar = await page.$eval(".wb-EditBar", ({ innerText }) => innerText);
  t.ok(bar.includes(formatPrice(price)), `${formatPrice(price)} in ${bar}`);
  t.strictSame(complaints, []);
});
