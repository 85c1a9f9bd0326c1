// The edit bar below the map in Chromium: a row for every selected element, what is typed, undo and redo by keys, fingers.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import t from "tap";
import type { Selection } from "@service/widgets/workspace";
import { eventually } from "../../eventually.ts";
import { fixture } from "../../fixtures/cases.ts";
import type { MapPage } from "../mapPage/main.ts";
import { startMapPage } from "../mapPage/serve.ts";

declare const window: Window & { mapPage: MapPage; hostHeard: string[] };

if (!existsSync(fileURLToPath(new URL("../../../engine/lib/engine.worker.js", import.meta.url)))) {
  t.fail("run `npm run build` first: the engine is not built");
  process.exit(1);
}

t.setTimeout(300_000);
const carolina = gunzipSync(await readFile(new URL("../../../server/grids/carolina.json.gz", import.meta.url)));
const places = new TextEncoder().encode("bus,lat,lon\n1,40,-105\n2,40.5,-104\n3,39.5,-104.5\n");
const three = new Uint8Array(await fixture("three_bus.m"));
const server = await startMapPage({ "three_bus.m": three, "places.csv": places, "carolina.json": carolina });
t.teardown(() => server.stop());

const BUS_2: Selection = { kind: "bus", id: 2 };
const LINE_2: Selection = { kind: "branch", id: 2 };

/** Shows a map of a case with some elements selected, once the path of the primary one has come. */
async function show(page: Page, file: string, selected: readonly Selection[]): Promise<void> {
  await page.evaluate(
    async ([file, selected]) => {
      const isModule = file.endsWith(".json");
      const layer = isModule ? undefined : "/files/places.csv";
      const session = await window.mapPage.openSession(`/files/${file}`, isModule ? "module" : "matpower", layer);
      window.mapPage.showMap(session, { quantity: "lmp", height: 420 });
      await session.selectMany(selected);
      await session.pathSettled;
      window.hostHeard = [];
      document.addEventListener("keydown", ({ key }) => window.hostHeard.push(key));
    },
    [file, selected] as const,
  );
  await page.locator(".wb-Stage[data-placed]").waitFor();
}

const edits = (page: Page): Promise<unknown> =>
  page.evaluate(() => window.mapPage.workspace.sessions[0]?.state.edits ?? null);
/** Waits for a revision, and for the frame after that of its prices, in which the rest follows. */
const revision = async (page: Page, wanted: number): Promise<void> => {
  await page.waitForFunction((wanted) => window.mapPage.workspace.sessions[0]?.state.revision === wanted, wanted);
  await shown(page);
};
const shown = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
const row = (page: Page, { kind, id }: Selection): ReturnType<Page["locator"]> =>
  page.locator(`.wb-EditBarRow[data-kind="${kind}"][data-id="${id}"]`);

t.test("several selected: one row each with slider, band, ticks in words, entry and Reset", async (t) => {
  const { page, complaints } = await server.open("light", { width: 900, height: 760 });
  await show(page, "three_bus.m", [LINE_2, BUS_2]);
  await eventually.equal(t, () => page.locator(".wb-EditBarRow").count(), 2);
  const line = row(page, LINE_2);
  await line.locator(".wb-Band-exact").waitFor();
  await line.locator(".wb-Band-tick").first().waitFor();
  // Line 2 carries 50.17 MW of its 250: it binds 199.8 MW lower, or never.
  await eventually.equal(
    t,
    () => line.locator(".wb-Band-tick").first().getAttribute("title"),
    "\u2212199.8 MW, then line 2 (2 to 3) binds",
  );
  await eventually.match(t, () => line.innerText(), /Line 2 \(2 to 3\)\D+250\.0 MW, 20 %/);
  await eventually.match(t, () => row(page, BUS_2).innerText(), /Bus 2\D+90\.0 MW, 11\.49 \$\/MWh/);
  await eventually.match(
    t,
    () => page.locator(".wb-EditBar-readout").innerText(),
    /^Bus 2: /,
    "the words say whose they are",
  );

  const slider = line.getByRole("slider");
  await eventually.equal(t, () => slider.getAttribute("aria-label"), "Change of the rating of line 2 (2 to 3), MW");
  const kinds = (): Promise<unknown> =>
    page.locator(".wb-EditBarRow").evaluateAll((rows) => rows.map(({ dataset }) => dataset["kind"]));
  const before = await kinds();
  await slider.focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await revision(page, 1);
  await eventually.strictSame(t, () => edits(page), { deltas: {}, rates: { 2: -10 } });
  await eventually.match(t, () => line.getAttribute("class"), /wb-mod-primary/);
  t.strictSame(await kinds(), before, "a row keeps its place when it becomes the primary");

  await row(page, BUS_2).getByRole("slider").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("20 kW");
  await page.keyboard.press("Enter");
  await revision(page, 2);
  await eventually.strictSame(t, () => edits(page), { deltas: { 2: 0.02 }, rates: { 2: -10 } }, "a unit is understood");
  await line.locator(".wb-EditBar-controls > .wb-Button").first().click();
  await revision(page, 3);
  await eventually.strictSame(t, () => edits(page), { deltas: { 2: 0.02 }, rates: {} }, "each row has its own Reset");
  await line.locator(".wb-EditBarRow-remove").click();
  await eventually.equal(t, () => page.locator(".wb-EditBarRow").count(), 1);
  await eventually.equal(t, () => page.locator(".wb-EditBar-name").innerText(), "Bus 2");
  await eventually.match(t, () => page.locator(".wb-EditBar-change").innerText(), "90.000 \u2192 90.020 MW");
  t.strictSame(complaints, []);
  await page.close();
});

t.test("a text that is not a valid value in MW is told; Escape brings the number back, then lets go", async (t) => {
  const { page, complaints } = await server.open();
  await show(page, "three_bus.m", [BUS_2]);
  const entry = page.locator(".wb-EditBar .wb-Entry");
  await entry.fill("20 kg");
  await page.keyboard.press("Enter");
  await eventually.equal(t, () => entry.getAttribute("aria-invalid"), "true");
  const said =
    "\u201c20 kg\u201d is not a valid value in MW. Type MW, or a number with kW, MW or GW, for instance 12.5, \u22123 or 20 kW.";
  await eventually.equal(t, () => page.getByRole("alert").innerText(), said);
  await page.keyboard.press("Escape");
  await eventually.strictSame(t, async () => [await entry.inputValue(), await entry.getAttribute("aria-invalid")], [
    "0.0",
    null,
  ]);
  await eventually.match(
    t,
    () => page.locator(".wb-EditBar-readout").innerText(),
    /^Prices do not|^(The l|L)inear estimate/,
  );
  await entry.fill("much");
  await page.getByRole("switch").focus();
  await eventually.equal(t, () => entry.inputValue(), "much", "what was not taken stays, to be corrected");
  await eventually.match(
    t,
    () => page.locator(".wb-EditBar-readout").innerText(),
    "\u201cmuch\u201d is not a valid value in MW",
    "and says why",
  );
  await entry.focus();
  await page.keyboard.press("Escape");
  await eventually.equal(t, () => entry.inputValue(), "0.0");
  await page.keyboard.press("Escape");
  await eventually.equal(t, () => page.locator(".wb-EditBar").isVisible(), false);
  await eventually.equal(
    t,
    () => page.evaluate(() => document.activeElement?.className),
    "wb-Canvas",
    "the picture has the focus",
  );
  await eventually.strictSame(t, () => edits(page), { deltas: {}, rates: {} });
  t.strictSame(complaints, []);
  await page.close();
});

t.test("undo and redo by keys, buttons and menu; the page around hears nothing of them", async (t) => {
  const { page, complaints } = await server.open("light", { width: 900, height: 700 });
  await show(page, "three_bus.m", [BUS_2]);
  const [undo, redo] = [page.locator(".wb-Bar-step").first(), page.locator(".wb-Bar-step").last()];
  await eventually.equal(t, () => undo.isVisible(), false, "nothing to undo, no button");
  const slider = page.locator(".wb-EditBar").getByRole("slider");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await revision(page, 1);
  await page.keyboard.press("Shift+ArrowRight");
  await revision(page, 2);
  await eventually.strictSame(t, () => edits(page), { deltas: { 2: 11 }, rates: {} });
  await eventually.equal(t, () => undo.getAttribute("title"), "Undo: Bus 2 demand +11.0 MW");
  await page.keyboard.press("Control+z");
  await revision(page, 3);
  await eventually.strictSame(t, () => edits(page), { deltas: { 2: 1 }, rates: {} });
  await eventually.equal(t, () => slider.inputValue(), "1");
  await page.locator(".wb-Canvas").focus();
  await page.keyboard.press("Meta+z");
  await revision(page, 4);
  await page.keyboard.press("Control+Shift+z");
  await revision(page, 5);
  await page.keyboard.press("Control+y");
  await revision(page, 6);
  await eventually.strictSame(t, () => edits(page), { deltas: { 2: 11 }, rates: {} });
  await eventually.match(t, () => page.locator(".wb-Map > .wb-Announcer").innerText(), "Redo: Bus 2 demand +11.0 MW");

  const entry = page.locator(".wb-EditBar .wb-Entry");
  await entry.fill("5");
  await page.keyboard.press("Control+z");
  await page.waitForTimeout(100);
  t.strictSame(await edits(page), { deltas: { 2: 11 }, rates: {} }, "a text that is written has its own");
  await page.keyboard.press("Escape");
  t.strictSame(
    await page.evaluate(() => window.hostHeard.filter((key) => /^[zy]$/i.test(key))),
    [],
    "nothing for the undo of the page",
  );
  await undo.click();
  await revision(page, 7);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("menuitem", { name: "Redo: Bus 2 demand +11.0 MW" }).click();
  await revision(page, 8);
  await eventually.equal(t, () => redo.getAttribute("title"), "Nothing to redo");
  await eventually.equal(t, () => redo.isDisabled(), true);
  t.strictSame(complaints, []);
  await page.close();
});

t.test("the status is announced once, and the keys of the map work in the edit bar", async (t) => {
  const { page, complaints } = await server.open();
  await show(page, "three_bus.m", [BUS_2]);
  await page.evaluate(() => {
    const status = document.querySelector(".wb-Status");
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver(() => said.push(status?.textContent ?? "")).observe(status ?? document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  const slider = page.locator(".wb-EditBar").getByRole("slider");
  await slider.focus();
  for (let k = 0; k < 5; k += 1) {
    await page.keyboard.press("ArrowRight");
  }
  await revision(page, 1);
  await page.locator('.wb-Map[data-status="ready"]').waitFor();
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
  t.strictSame(
    said.map((text) => text.replace(/, .*/, "")),
    ["Previewing", "Optimal"],
    "not once for every position, nor of a solve that ends at once",
  );
  await page.keyboard.press("p");
  await eventually.equal(t, () => page.locator(".wb-Map").getAttribute("data-quantity"), "lmp");
  await page.keyboard.press("r");
  await eventually.equal(t, () => page.locator(".wb-Map").getAttribute("data-quantity"), "sensitivity");
  await page.keyboard.press("/");
  await eventually.equal(t, () => page.evaluate(() => document.activeElement?.getAttribute("role")), "combobox");
  await page.keyboard.press("Escape");
  await slider.focus();
  await page.keyboard.press("?");
  await eventually.ok(t, () => page.getByRole("dialog", { name: "Keys of the map" }).isVisible());
  await page.keyboard.press("Escape");
  const entry = page.locator(".wb-EditBar .wb-Entry");
  await entry.focus();
  await page.keyboard.press("?");
  await eventually.match(t, () => entry.inputValue(), "?");
  await eventually.notOk(
    t,
    () => page.getByRole("dialog", { name: "Keys of the map" }).isVisible(),
    "in a field they write",
  );
  t.strictSame(complaints, []);
  await page.close();
});

t.test("Home and End go as far as the problem has a solution", async (t) => {
  const { page } = await server.open();
  await show(page, "three_bus.m", [BUS_2]);
  await page.locator(".wb-EditBar").getByRole("slider").focus();
  await page.keyboard.press("Home");
  await revision(page, 1);
  await eventually.strictSame(
    t,
    () => edits(page),
    { deltas: { 2: -70 }, rates: {} },
    "the least output of the two units is 20 MW",
  );
  await page.keyboard.press("End");
  await revision(page, 2);
  const most = await page.evaluate(() => window.mapPage.workspace.sessions[0]?.state.edits.deltas[2] ?? NaN);
  t.ok(Math.abs(most - 410) < 1e-9, "what units and lines can bring");
  await page.close();
});

t.test("a row whose element is not the primary ends where there is no solution beyond", async (t) => {
  const { page, complaints } = await server.open("light", { width: 1100, height: 760 });
  await show(page, "three_bus.m", [BUS_2, LINE_2]);
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.commitElement({ kind: "branch", id: 2 }, -210));
  const bus = row(page, BUS_2);
  await bus.getByText("No solution above: +20.0 MW").waitFor();
  await eventually.ok(t, async () => Math.abs(Number(await bus.getByRole("slider").getAttribute("max")) - 20) < 1e-6);
  const entry = bus.getByRole("textbox");
  await entry.fill("140");
  await entry.press("Enter");
  await page.locator('.wb-Map[data-status="failed"]').waitFor();
  await page.locator(".wb-EditBar-readout", { hasText: "Minimum relaxation" }).waitFor();
  await eventually.match(
    t,
    () => page.locator(".wb-EditBar-readout").innerText(),
    /cannot be met .* 110\.0 MW\. Minimum relaxation: /,
    "whole",
  );
  await eventually.match(
    t,
    () => page.locator(".wb-Pill").innerText(),
    /^No solution: the limit of line 2 .* at its minimum output\.$/,
    "in short",
  );
  await eventually.match(t, () => page.locator(".wb-Pill").getAttribute("title"), "Minimum relaxation");
  t.strictSame(complaints, []);
  await page.close();
});

t.test("while a linear estimate is shown the legend says that its lines are those before", async (t) => {
  const { page, complaints } = await server.open("light", { width: 900, height: 760 });
  await show(page, "three_bus.m", [LINE_2]);
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.commitElement({ kind: "branch", id: 2 }, -210));
  const legend = page.locator(".wb-Legend-lines");
  await legend.getByText("1 binding").waitFor();
  await eventually.notMatch(t, () => legend.innerText(), "before the edit");
  await page.evaluate(() => {
    const [session] = window.mapPage.workspace.sessions;
    if (session !== undefined) {
      session.previewMode = "first_order";
      session.preview(-205);
    }
  });
  await legend.getByText("before the edit").waitFor();
  await eventually.match(t, () => legend.innerText(), "1 binding");
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.commitElement({ kind: "branch", id: 2 }, -205));
  await legend.getByText("before the edit").waitFor({ state: "detached" });
  await eventually.match(t, () => page.locator(".wb-Pill").innerText(), /^Optimal, [\d.]+ (ms|s)$/);
  await eventually.match(
    t,
    () => page.locator(".wb-Pill").getAttribute("title"),
    "largest difference between power in and power out",
  );
  t.strictSame(complaints, []);
  await page.close();
});

t.test("a price that is not unique is told where it is read", async (t) => {
  const { page, complaints } = await server.open();
  await show(page, "three_bus.m", [BUS_2]);
  // At 480 MW line 2 is just full: another MW costs 4.10 $ more than the last one saved (closed form, tests/engine/solve/tracks.test.ts).
  await page.locator(".wb-EditBar .wb-Entry").fill("390");
  await page.keyboard.press("Enter");
  await revision(page, 1);
  await page.locator(".wb-EditBar-readout", { hasText: "one-sided" }).waitFor();
  await eventually.match(
    t,
    () => page.locator(".wb-EditBar-readout").innerText(),
    "The price here is not unique: one MW less saves up to 51.20 $/h, one MW more costs at least 55.30 $/h.",
  );
  await page.locator(".wb-Canvas").focus();
  await page.keyboard.press("/");
  await page.keyboard.type("bus 2");
  await page.keyboard.press("Enter"); // which brings it to the middle
  await page.waitForTimeout(600);
  const box = await page.locator(".wb-Canvas").boundingBox();
  const card = page.locator(".wb-Card", { hasText: "Bus 2" });
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
  await card.filter({ hasText: "one MW more costs" }).waitFor();
  await eventually.match(
    t,
    () => card.innerText(),
    /Not unique: one MW less saves\s+up to 51\.20 \$\/h\s+one MW more costs\s+at least 55\.30 \$\/h/,
  );
  t.strictSame(complaints, []);
  await page.close();
});

t.test(
  "the edit bar keeps its height from the selection to a refusal, and slider and picture fit a low window",
  async (t) => {
    const { page, complaints } = await server.open("light", { width: 520, height: 700 });
    await show(page, "carolina.json", []);
    for (const width of [520, 760, 1100]) {
      await page.setViewportSize({ width, height: 700 });
      const heights = new Map<string, number | undefined>();
      const note = async (what: string): Promise<void> => {
        await shown(page);
        heights.set(what, (await page.locator(".wb-EditBar").boundingBox())?.height);
      };
      await page.evaluate(async () => {
        const [session] = window.mapPage.workspace.sessions;
        await session?.reset();
        await session?.select(null);
        void session?.select({ kind: "bus", id: 241 });
      });
      await note("selected");
      await page.evaluate(() => window.mapPage.workspace.sessions[0]?.pathSettled);
      await note("path");
      await page.evaluate(() => window.mapPage.workspace.sessions[0]?.preview(80));
      await page.locator('.wb-Map[data-exact="true"]').waitFor();
      await note("preview");
      await page.evaluate(() => window.mapPage.workspace.sessions[0]?.commitElement({ kind: "bus", id: 241 }, 80));
      await page.locator(".wb-EditBar-readout", { hasText: "error" }).waitFor();
      await note("commit");
      const entry = page.locator(".wb-EditBar .wb-Entry");
      await entry.fill("99999");
      await entry.press("Enter");
      const readout = page.locator(".wb-EditBar-readout", { hasText: "Minimum relaxation" });
      await readout.waitFor();
      await note("refusal");
      await eventually.equal(t, () => entry.inputValue(), "99999", "what was typed stays");
      const limit = /can be at most 158\.9 MW\. Minimum relaxation/;
      await eventually.match(t, () => readout.innerText(), limit, "the limit comes before what would help");
      await eventually.equal(t, () => readout.getAttribute("tabindex"), "0", "a long sentence scrolls by keys");
      const all = [...heights.values()];
      t.strictSame(all, all.fill(heights.get("selected")), `${width} px: ${JSON.stringify([...heights])}`);
      await entry.press("Escape");
    }
    t.strictSame(complaints, []);
    await page.close();
  },
);

t.test("the bar is one row at every width, whatever stands in it, and its menu stays in it", async (t) => {
  const { page, complaints } = await server.open("light", { width: 1100, height: 700 });
  await show(page, "carolina.json", [{ kind: "bus", id: 241 }]);
  const rows = (): Promise<[height: number | undefined, outside: string[]]> =>
    page.evaluate(() => {
      const bar = document.querySelector(".wb-Bar");
      const { left = NaN, right = NaN, height } = bar?.getBoundingClientRect() ?? {};
      const shown = [...(bar?.querySelectorAll("button, select") ?? [])].filter((node) => node.checkVisibility());
      const outside = shown.filter((node) => {
        const box = node.getBoundingClientRect();
        return box.left < left - 0.5 || box.right > right + 0.5;
      });
      return [height, outside.map((node) => node.getAttribute("aria-label") ?? node.textContent ?? "")];
    });
  for (const state of ["selected", "edited", "with a diagram"]) {
    if (state === "edited") {
      await page.evaluate(() => window.mapPage.workspace.sessions[0]?.commitElement({ kind: "bus", id: 241 }, 10));
    } else if (state === "with a diagram") {
      await page.evaluate(() => document.querySelector(".wb-Bar-planes")?.removeAttribute("hidden"));
    }
    for (const width of [420, 480, 520, 619, 640, 699, 720, 752, 760, 839, 900, 960, 1100]) {
      await page.setViewportSize({ width, height: 700 });
      await eventually.strictSame(t, rows, [41, []], `${state}, ${width} px`);
    }
  }
  t.strictSame(complaints, []);
  await page.close();
});

t.test("many selected: the picture keeps its height, and columns come for the rows in sight", async (t) => {
  const { page, complaints } = await server.open("light", { width: 900, height: 900 });
  await show(page, "carolina.json", []);
  const height = (await page.locator(".wb-Stage").boundingBox())?.height;
  await page.evaluate(async () => {
    const [session] = window.mapPage.workspace.sessions;
    await session?.selectMany(session.opened.buses.slice(0, 200).map(({ id }) => ({ kind: "bus", id })));
  });
  const rows = page.locator(".wb-EditBarRow");
  await eventually.equal(t, () => rows.count(), 60);
  await eventually.equal(t, async () => (await page.locator(".wb-Stage").boundingBox())?.height, height);
  await eventually.ok(
    t,
    async () => ((await page.locator(".wb-EditBarRows").boundingBox())?.height ?? NaN) < 220,
    "about four rows, the rest scrolls",
  );
  const bands = (): Promise<number> => page.locator(".wb-EditBarRow .wb-Band-exact:not([hidden])").count();
  await page.waitForFunction(
    () => document.querySelectorAll(".wb-EditBarRow .wb-Band-exact:not([hidden])").length === 24,
  );
  await page.waitForTimeout(300);
  await eventually.equal(t, bands, 24, "the first few at once");
  await rows.nth(50).scrollIntoViewIfNeeded();
  await page.waitForFunction(
    () => document.querySelectorAll(".wb-EditBarRow:nth-child(51) .wb-Band-exact:not([hidden])").length === 1,
  );
  t.ok((await bands()) < 40, `the others when they are looked at: ${await bands()}`);
  await page.getByRole("button", { name: "Show 60 more of 140" }).click();
  await rows.nth(119).waitFor();
  await eventually.equal(t, () => rows.count(), 120);
  t.strictSame(complaints, []);
  await page.close();
});

t.test("under fingers every control of map and edit bar is at least 32 px", async (t) => {
  const { page: first } = await server.open();
  const address = first.url();
  await first.close();
  const context = await server.browser.newContext({
    viewport: { width: 900, height: 760 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => "mapPage" in window);
  await show(page, "three_bus.m", [LINE_2, BUS_2]);
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.commitElement({ kind: "bus", id: 2 }, 3));
  await page.locator(".wb-Path summary").click();
  await page.getByRole("button", { name: "Menu" }).click();
  const small = await page.locator(".wb-Map").evaluate((map) =>
    [...map.querySelectorAll<HTMLElement>('button, input, select, summary, [role^="menuitem"]')]
      .filter((control) => control.checkVisibility())
      .map((control) => {
        const box = (control.closest("label") ?? control).getBoundingClientRect();
        return { name: control.getAttribute("aria-label") ?? control.textContent, box };
      })
      .filter(({ box }) => box.width < 32 || box.height < 32)
      .map(({ name, box }) => `${name}: ${box.width.toFixed(0)} x ${box.height.toFixed(0)}`),
  );
  t.strictSame(small, []);
  await context.close();
});
