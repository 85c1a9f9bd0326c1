// The stand-alone page in Firefox: a grid opens, its prices are shown, a drag changes the demand of a bus, and its
// commit has the server's own optimum. Firefox and its driver are installed by `npm test -- --all`.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import { which } from "../../../binder/lib/paths.mjs";
import { startServer } from "../page.ts";
import { CASE, MAP, checkCommitted, thumb } from "./committed.mjs";

const PATIENCE_MS = 120_000;
const packages = process.env.WATTBOOK_EXTRA_PACKAGES;
const firefox = which("firefox-esr") ?? which("firefox");

/** Starts Firefox with the protocol WebDriver BiDi. */
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

/** Drags the slider's thumb to a share of its track without a release. */
async function drag(page, share) {
  const slider = await page.waitForSelector(".wb-Slider");
  const box = await slider?.boundingBox();
  if (!slider || !box) throw new Error("The slider is not on screen.");
  const state = await slider.evaluate(({ value, min, max }) => ({ value: +value, min: +min, max: +max }));
  const [from, to] = [thumb({ box, ...state }), thumb({ box, ...state }, share)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 12 });
}

const skip =
  packages === undefined || firefox === null
    ? "Firefox is driven by `npm test -- --all`, where it is installed"
    : false;

t.test(
  "a case is opened by its address and edited to a committed optimum",
  { skip, timeout: 2 * PATIENCE_MS },
  async (t) => {
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
    await page.goto(`${url}/?case=${CASE}`, { timeout: PATIENCE_MS });
    await page.waitForSelector(`${MAP} .wb-Stage[data-placed]`);

    await page.focus(`${MAP} .wb-Canvas`);
    await page.keyboard.press("ArrowRight");
    await drag(page, 0.62);
    await page.waitForSelector('.wb-Map[data-status="previewing"]');
    await page.mouse.up();
    await page.waitForSelector('.wb-Map[data-revision="1"][data-status="ready"]');

    await checkCommitted(t, url, {
      name: await page.$eval(".wb-EditBar-name", ({ textContent }) => textContent),
      entry: await page.$eval(".wb-Entry", ({ value }) => value),
      bar: await page.$eval(".wb-EditBar", ({ innerText }) => innerText),
    });
    t.strictSame(complaints, []);
  },
);
