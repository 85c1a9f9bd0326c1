// A machine without a browser, where set-up may not install one: only the end-to-end tests are affected, and set-up
// reports it.
import { test } from "tap";
// @ts-expect-error plain JavaScript, which runs before TypeScript is installed
import { chromium, findChromium } from "../../binder/steps/chromium.mjs";

test("without Chromium and apt set-up reports both", async (t) => {
  const { PATH, CHROMIUM } = process.env;
  t.teardown(() => Object.assign(process.env, { PATH }, CHROMIUM === undefined ? {} : { CHROMIUM }));
  process.env.PATH = t.testdir({});
  delete process.env.CHROMIUM;
  t.equal(chromium.current(), false);
  await t.rejects(chromium.run(), { message: /apt-get install --no-install-recommends chromium/ });
  await t.rejects(chromium.run(), { message: /`npm start` works without it/ });
});

test("the variable CHROMIUM names a browser that is not on PATH", async (t) => {
  const { CHROMIUM } = process.env;
  t.teardown(() => {
    if (CHROMIUM === undefined) delete process.env.CHROMIUM;
    else process.env.CHROMIUM = CHROMIUM;
  });
  process.env.CHROMIUM = "/opt/browser/chrome";
  t.equal(findChromium(), "/opt/browser/chrome");
});
