// Every text that people read is translated: the views in a language whose letters have accents, and nothing in plain letters.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import t from "tap";
import { eventually } from "../eventually.ts";
import { pseudo, textsOfPage, untranslated } from "../fixtures/pseudo.ts";
import type { MapPage } from "./mapPage/main.ts";
import { startMapPage } from "./mapPage/serve.ts";
import type { TranslatedPage } from "./translatedPage.ts";

declare const window: Window & { mapPage: MapPage; translatedPage: TranslatedPage };

t.setTimeout(180_000);
const engine = fileURLToPath(new URL("../../engine/lib/engine.worker.js", import.meta.url));
if (!existsSync(engine)) {
  t.fail("run `npm run build` first: the engine is not built");
  process.exit(1);
}

const server = await startMapPage(
  {
    "three_bus.m": fileURLToPath(new URL("../fixtures/three_bus.m", import.meta.url)),
    "places.csv": new TextEncoder().encode("bus,lat,lon\n1,40,-105\n2,40.5,-104\n3,39.5,-104.5\n"),
  },
  [],
  "tests/widgets/translatedPage.ts",
);
t.teardown(() => server.stop());

/** Names of the case, of files, of formats and of the convention: data. */
const DATA = [
  "three_bus three_bus.m places.csv feeder.dss notes.log feeder service",
  "MATPOWER PSLF EPC epc CDF cdf PSS RAW RAWX raw rawx PowSybl JIIDM XIIDM jiidm xiidm PowerModels PowerWorld AUX aux Surge",
  "m pwb pwd dss geojson dat txt Egret UCTE DEF uct pandapower JSON PDF CGMES zip xml con mon sub",
];

/** The engine formats the reason why a slider ends, in its own language. */
const ENGINE_WORDS = /^title of span\.wb-mod-limit /;

/** What is not translated in a part of the page. */
async function plainIn(page: Page, selector: string): Promise<string[]> {
  const texts = await page.evaluate(textsOfPage, [selector, ".wb-Attribution"] as const);
  t.ok(texts.length > 0, `there is something to read in ${selector}`);
  return untranslated(
    texts.filter(({ where }) => !ENGINE_WORDS.test(where)),
    DATA,
  );
}

/** What the pages complained about. */
const pages: string[][] = [];

/** A map with a committed change, a bus and a line selected, and the panel with all its sections. */
async function openAll(width = 1400, height = 1000): Promise<Page> {
  const { page, complaints } = await server.open("light", { width, height });
  pages.push(complaints);
  await page.addStyleTag({
    content:
      "body { display: flex; } body > :first-of-type { flex: 1 1 0; min-width: 0; } .test-panel { width: 420px; height: 100vh; }",
  });
  await page.evaluate(async () => {
    const { mapPage, translatedPage } = window;
    const session = await mapPage.openSession("/files/three_bus.m", "matpower", "/files/places.csv");
    mapPage.workspace.activate(session);
    mapPage.showMap(session, { quantity: "lmp", height: 460 });
    translatedPage.showPanel();
    await session.commit({ deltas: { "2": 1 }, rates: { "2": -210 } }, 0);
    await session.selectMany([
      { kind: "branch", id: 1 },
      { kind: "branch", id: 2 },
      { kind: "bus", id: 2 },
    ]);
  });
  await page.locator(".wb-Band-tick").first().waitFor();
  await page.waitForTimeout(500);
  return page;
}

t.test("the pseudo-language marks exactly the translated texts", async (t) => {
  t.equal(pseudo("Line %1"), "\u27e6Ĺííńéé %1\u27e7");
  const found = (text: string) => [{ text, where: "" }];
  t.strictSame(untranslated(found("\u27e6Ĺííńéé 17\u27e7 250.0 MW")), []);
  t.equal(untranslated(found("\u27e6Ĺííńéé 17\u27e7 binds at 250.0 MW")).length, 1);
  t.equal(untranslated(found("\u27e6Ḿááƥ Ash\u27e7"), []).length, 1, "what is put into a text is looked at too");
  t.strictSame(untranslated(found("\u27e6Ḿááƥ Ash\u27e7"), ["Ash"]), []);
});

t.test("the map", async (t) => {
  const page = await openAll();
  await page.locator(".wb-Pill").click();
  await page.locator(".wb-Path summary").first().click();
  t.strictSame(await plainIn(page, ".wb-Map"), []);
  for (const { button } of [{ button: "Colours" }, { button: "Menu" }]) {
    await page.locator(`.wb-Bar button[aria-label="${pseudo(button)}"]`).click();
    await page.locator('.wb-Menu-list:not([hidden]) [role^="menuitem"]').first().waitFor();
    t.strictSame(await plainIn(page, ".wb-Menu-list:not([hidden])"), [], `the menu ${button}`);
    await page.keyboard.press("Escape");
  }
  const canvas = page.locator(".wb-Stage canvas").first();
  await canvas.click({ button: "right", position: { x: 30, y: 200 } });
  t.strictSame(await plainIn(page, ".wb-ContextMenu"), []);
  await page.keyboard.press("Escape");
  await canvas.focus();
  for (const [key, what] of [
    ["?", ".wb-Keys"],
    ["/", ".wb-Search"],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator(`${what}:not([hidden])`).waitFor();
    if (key === "/") {
      await page.keyboard.type("2");
    }
    t.strictSame(await plainIn(page, what), []);
    await page.keyboard.press("Escape");
  }
  await page.locator(`.wb-Bar button[aria-label="${pseudo("Table of buses")}"]`).click();
  t.strictSame(await plainIn(page, ".wb-Table"), []);
});

t.test("messages for placing by hand and for the pointer", async (t) => {
  const page = await openAll();
  for (const key of ["p", "c", "r"]) {
    await page.locator(".wb-Stage canvas").first().focus();
    await page.keyboard.press(key);
    t.strictSame(await plainIn(page, ".wb-Legend"), [], `legend after ${key}`);
  }
  for (const quantity of ["flow", "shadow", "rating_change", "demand", "generation", "angle"]) {
    await page.evaluate((quantity) => window.mapPage.workspace.active?.showQuantity(quantity), quantity);
    t.strictSame(await plainIn(page, ".wb-Legend"), [], quantity);
  }
  const box = await page.locator(".wb-Stage canvas").first().boundingBox();
  const reached = await page.evaluate(
    async ([left, top, width, height]) => {
      // Somewhere on the picture lies a bus or line.
      const canvas = document.querySelector(".wb-Stage canvas");
      for (let x = left + 10; x < left + width; x += 6) {
        for (let y = top + 10; y < top + height; y += 60) {
          canvas?.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y, bubbles: true }));
          await new Promise((resolve) => requestAnimationFrame(resolve));
          if (document.querySelector(".wb-Card:not([hidden])") !== null) {
            return true;
          }
        }
      }
      return false;
    },
    [box?.x ?? 0, box?.y ?? 0, box?.width ?? 0, box?.height ?? 0] as const,
  );
  t.ok(reached, "a card shows");
  await page.waitForTimeout(400);
  t.strictSame(await plainIn(page, ".wb-Card"), []);
  const slider = page.locator(".wb-EditBar .wb-Slider").first();
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  t.strictSame(await plainIn(page, ".wb-EditBar"), [], "while a key is held");
  await page.waitForTimeout(1200);
  t.strictSame(await plainIn(page, ".wb-EditBar, .wb-Status"), [], "after it");
});

t.test("the Study panel", async (t) => {
  const page = await openAll();
  await page.locator(".wb-Outages button").first().click();
  await page.locator(".wb-Outages-box").waitFor();
  await page.locator(".wb-Chart svg.main-svg").first().waitFor();
  t.strictSame(await plainIn(page, ".test-panel"), []);
  for (const kind of ["branches", "generators"]) {
    await page.locator(`.wb-Tables button[data-kind="${kind}"]`).first().click();
    t.strictSame(await plainIn(page, ".wb-Tables"), [], kind);
  }
  await page.locator(".wb-Table-filter").first().fill("colour > 3");
  const status = page.locator(".wb-Table-status").first();
  await eventually.match(t, () => status.innerText(), /colour/, "the word that was typed");
  const count = await status.innerText();
  t.strictSame(untranslated([{ text: count, where: "" }], ["colour"]), []);
});

t.test("no solution", async (t) => {
  const page = await openAll();
  await page.evaluate(() =>
    window.mapPage.workspace.active?.edit([{ element: { kind: "bus", id: 2 }, mw: 5000 }]).catch(() => undefined),
  );
  const [beginning = ""] = pseudo("No solution: %1. %2").split("%1");
  await page.locator(".wb-Pill-text", { hasText: beginning }).waitFor();
  const [readout = ""] = pseudo("No solution at %1.").split("%1");
  await eventually.match(t, () => page.locator(".wb-EditBar-readout").innerText(), readout);
});

t.test("files and networks without prices", async (t) => {
  const { page } = await server.open("light", { width: 1000, height: 900 });
  await page.evaluate(async () => {
    const feeder = [
      "clear",
      "new circuit.feeder basekv=12.47 bus1=a",
      "new linecode.lc nphases=3",
      "new line.one bus1=a bus2=b linecode=lc length=1",
      "new load.two bus1=b kv=12.47 kw=100",
    ].join("\n");
    await window.translatedPage.take([
      { name: "feeder.dss", text: feeder },
      { name: "notes.log", text: "nothing" },
      { name: "places.csv", text: "bus,lat,lon\na,40,-105\nb,40.1,-105\n" },
    ]);
  });
  await page.locator(".test-network .wb-Files-list li").first().waitFor();
  await page.waitForTimeout(500);
  t.strictSame(await plainIn(page, ".test-network"), []);
});

t.test("no page had errors", async (t) => {
  t.strictSame(pages.flat(), []);
});
