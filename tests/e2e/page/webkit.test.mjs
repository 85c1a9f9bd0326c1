// The stand-alone page in WebKit, like firefox.test.mjs. Debian's `webkit2gtk-driver` provides the browser and its
// driver; with `npm test -- --all`.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import { which } from "../../../binder/lib/paths.mjs";
import { eventually } from "../../eventually.ts";
import { freePort } from "../lab.ts";
import { startServer } from "../page.ts";
import { CASE, MAP, checkCommitted, thumb } from "./committed.mjs";

const PATIENCE_MS = 120_000;
const packages = process.env.WATTBOOK_EXTRA_PACKAGES;
const driver = which("WebKitWebDriver");
const screen = which("xvfb-run");

/** Starts WebKit on a virtual screen with the protocol WebDriver. */
async function launch(t, folder) {
  const port = await freePort();
  const child = spawn(screen, ["-a", "-s", "-screen 0 1400x1000x24", driver, `--port=${port}`], {
    stdio: "ignore",
    detached: true,
  });
  t.teardown(() => process.kill(-child.pid));
  const entry = createRequire(join(folder, "package.json")).resolve("selenium-webdriver");
  const { default: selenium } = await import(pathToFileURL(entry).href);
  const capabilities = { browserName: "MiniBrowser", "webkitgtk:browserOptions": { args: ["--automation"] } };
  let browser;
  await eventually.ok(t, async () => {
    browser = await new selenium.Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities(capabilities)
      .build()
      .catch(() => undefined);
    return browser !== undefined;
  });
  t.teardown(() => browser.quit());
  return { browser, ...selenium };
}

const skip =
  packages === undefined || driver === null || screen === null
    ? "WebKit is driven by `npm test -- --all`, where webkit2gtk-driver and xvfb are installed"
    : false;

t.test(
  "a case is opened by its address and edited to a committed optimum",
  { skip, timeout: 2 * PATIENCE_MS },
  async (t) => {
    const { url } = await startServer(t);
    const { browser, By, Key, until } = await launch(t, packages ?? "");
    const found = (selector) => browser.wait(until.elementLocated(By.css(selector)), PATIENCE_MS, selector);
    await browser.get(`${url}/?case=${CASE}`);
    await found(`${MAP} .wb-Stage[data-placed]`);

    const canvas = await found(`${MAP} .wb-Canvas`);
    await browser.executeScript("arguments[0].focus()", canvas);
    await browser.actions().sendKeys(Key.ARROW_RIGHT).perform();
    const slider = await browser.executeScript(
      "const { value, min, max } = arguments[0], box = arguments[0].getBoundingClientRect();" +
        "return { box: box.toJSON(), value: +value, min: +min, max: +max };",
      await found(".wb-Slider"),
    );
    const at = (share) =>
      Object.fromEntries(Object.entries(thumb(slider, share)).map(([axis, px]) => [axis, Math.round(px)]));
    await browser
      .actions()
      .move({ ...at(), duration: 0 })
      .press()
      .move({ ...at(0.62), duration: 300 })
      .perform();
    await found('.wb-Map[data-status="previewing"]');
    await browser.actions().release().perform();
    await found('.wb-Map[data-revision="1"][data-status="ready"]');

    await checkCommitted(t, url, {
      name: await (await found(".wb-EditBar-name")).getProperty("textContent"),
      entry: await (await found(".wb-Entry")).getProperty("value"),
      bar: await (await found(".wb-EditBar")).getProperty("innerText"),
    });
  },
);
