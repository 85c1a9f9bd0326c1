// The layout of the edit bar: narrow maps, many rows, touch.
import t from "tap";
import { eventually } from "../../../eventually.ts";
import { pageText } from "../../catalogue.ts";
import type { MapPage } from "../../mapPage/main.ts";
import { BUS_2, LINE_2, show, shown, startEditBarPage } from "./editBarPage.ts";

declare const window: Window & { mapPage: MapPage; hostHeard: string[] };

t.setTimeout(300_000);
const server = await startEditBarPage(t);

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
      await page.locator(".wb-EditBar-readout", { hasText: "Preview = exact" }).waitFor();
      await note("commit");
      const entry = page.locator(".wb-EditBar .wb-Entry");
      await entry.fill("99999");
      await entry.press("Enter");
      await page.locator(".wb-EditBar-readout", { hasText: /At most \+157\.\d MW\.$/ }).waitFor();
      const why = page.locator(".wb-EditBar-why p", { hasText: "Minimum relaxation" });
      await why.waitFor({ state: "attached" });
      await note("refusal");
      await eventually.equal(t, () => entry.inputValue(), "99999", "what was typed stays");
      const limit = /can be at most 158\.9 MW\. Minimum relaxation/;
      await eventually.match(t, () => why.textContent(), limit, "the limit comes before what would help");
      const all = [...heights.values()];
      t.strictSame(all, all.fill(heights.get("selected")), `${width} px: ${JSON.stringify([...heights])}`);
      await entry.press("Escape");
    }
    t.strictSame(complaints, []);
    await page.close();
  },
);

t.test("in a low window the edit bar scrolls to all of its parts, and the top bar stays visible", async (t) => {
  const { page, complaints } = await server.open("light", { width: 700, height: 456 });
  const lines = [3, 4, 5, 6].map((id) => ({ kind: "branch", id }) as const);
  for (const selected of [[{ kind: "bus", id: 241 } as const], [{ kind: "bus", id: 241 } as const, ...lines]]) {
    await show(page, "carolina.json", selected, null);
    const [map, editBar] = [page.locator(".wb-Map").last(), page.locator(".wb-EditBar").last()];
    await map.locator(".wb-Path:not([hidden]) > summary").focus();
    await page.keyboard.press("Enter");
    await map.locator(".wb-Path-body tbody tr").first().waitFor();
    const reachable = await editBar.evaluate((bar) =>
      [...bar.querySelectorAll<HTMLElement>("button, input, summary")]
        .filter((control) => control.checkVisibility())
        .filter((control) => {
          control.scrollIntoView({ block: "nearest" });
          const [own, box] = [control.getBoundingClientRect(), bar.getBoundingClientRect()];
          return own.top < box.top - 1 || own.bottom > Math.min(box.bottom, innerHeight) + 1; // scrolling rounds
        })
        .map((control) => control.getAttribute("aria-label") ?? control.textContent),
    );
    t.strictSame(reachable, [], `${selected.length} selected: nothing lies outside`);
    t.equal(await map.evaluate((node) => node.scrollTop), 0, "the map itself does not scroll");
    t.ok(((await map.locator(".wb-Stage").boundingBox())?.height ?? 0) >= 160, "the picture keeps its room");
    t.equal((await map.locator(".wb-Bar").boundingBox())?.y, (await map.boundingBox())?.y, "the bar is on top");
    await page.evaluate(() => document.body.replaceChildren());
  }
  t.strictSame(complaints, []);
  await page.close();
});

t.test("at 400 px the whole price is shown, and the menu leads to the table and back", async (t) => {
  const { page, complaints } = await server.open("light", { width: 400, height: 760 });
  await show(page, "carolina.json", [{ kind: "bus", id: 241 }]);
  const value = page.locator(".wb-EditBar-value");
  await eventually.match(t, () => value.innerText(), /\$\/MWh$/);
  const outside = await value.evaluate((node) => {
    const [own, head] = [node.getBoundingClientRect(), node.closest(".wb-EditBar-head")?.getBoundingClientRect()];
    const [plot] = [document.querySelector(".wb-EditBar-head > .wb-EditBar-scale")?.getBoundingClientRect()];
    const cut = node.scrollWidth > node.clientWidth;
    return cut || own.bottom > (plot?.top ?? NaN) + 0.5 || own.right > (head?.right ?? NaN);
  });
  t.equal(outside, false, "all of it is in the edit bar, above the plot");
  const under = await value.evaluate((node) => {
    const { left, bottom } = node.getBoundingClientRect();
    return document.elementFromPoint(left + 4, bottom - 4) === node;
  });
  t.ok(under, "and nothing cuts it off");
  const table = page.locator(".wb-Table table");
  const choose = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: pageText("menu"), exact: true }).focus();
    await page.keyboard.press("Enter");
    const item = page.getByRole("menuitem", { name, exact: true });
    await item.waitFor();
    await item.focus();
    await page.keyboard.press("Enter");
  };
  await choose(pageText("tableOfBuses"));
  await table.waitFor();
  await choose(pageText("closeTable"));
  await table.waitFor({ state: "hidden" });
  t.strictSame(complaints, []);
  await page.close();
});

t.test("the bar is one row with its menu at every width and with any content", async (t) => {
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

t.test(
  "with many elements selected the picture has a constant height, and columns are computed for visible rows",
  async (t) => {
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
  },
);

t.test("on touch screens every control of map and edit bar has at least 32 px", async (t) => {
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
