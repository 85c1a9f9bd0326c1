// A series on the stand-alone page: a synthetic day solved in the worker, its time slider by keys, playback, leaving; a
// profile from a dropped file, and a refused one.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { mapInFront, openPage, startBrowser, startServer, withGrids } from "../page.ts";

const server = await startServer(t, await withGrids(t));
const browser = await startBrowser(t);
const cases = (await (await fetch(`${server.url}/api/cases`)).json()) as { id: string }[];
const carolina = cases.some(({ id }) => id === "carolina");

t.test(
  "a day is solved, its hours are shown, and the live state returns",
  { skip: !carolina && "a build without grids" },
  async (t) => {
    const { page, complaints } = await openPage(browser, `${server.url}/?case=carolina`);
    const map = await mapInFront(page);
    const section = page.locator('[data-section="series"]');
    await section.locator(".wb-Section-head").click();
    await section.getByRole("combobox", { name: "Demand profile" }).selectOption({ label: "Synthetic day, 24 hours" });
    await section.getByRole("button", { name: "Solve the series" }).click();
    await eventually.match(t, () => section.innerText(), /24 steps solved in .* Each is exact and certified\./);

    const bar = map.getByRole("region", { name: "Steps of the series" });
    const slider = bar.getByRole("slider", { name: "Step" });
    const words = (): Promise<string> => bar.locator("output").innerText();
    await eventually.equal(t, words, "Step 1 of 24, Mon 00:00, exact");
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await eventually.equal(t, words, "Step 2 of 24, Mon 01:00, exact");
    await page.keyboard.press("End");
    await eventually.equal(t, words, "Step 24 of 24, Mon 23:00, exact");
    t.equal(await slider.getAttribute("aria-valuetext"), "Step 24 of 24, Mon 23:00, exact");
    t.equal(await map.getAttribute("data-revision"), "0", "the live state is what it was");
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await bar.getByRole("button", { name: "Pause" }).waitFor();
    await eventually.match(t, words, /^Step 24 of 24/);
    await bar.getByRole("button", { name: "Play" }).waitFor();
    await slider.focus();
    await page.keyboard.press("Escape");
    await bar.waitFor({ state: "hidden" });
    t.equal(await map.getAttribute("data-step"), "");

    await section.getByRole("button", { name: "Show on the map" }).click();
    await eventually.equal(t, words, "Step 1 of 24, Mon 00:00, exact");
    await bar.getByRole("button", { name: "Back to the live state" }).click();
    await bar.waitFor({ state: "hidden" });
    t.strictSame(complaints, []);
  },
);

t.test("profiles from files", { skip: !carolina && "a build without grids" }, async (t) => {
  const { page } = await openPage(browser, `${server.url}/?case=carolina`);
  const map = await mapInFront(page);
  const drop = (name: string, text: string): Promise<void> =>
    map.evaluate(
      (node, file) => {
        const data = new DataTransfer();
        data.items.add(new File([file.text], file.name));
        for (const type of ["dragenter", "dragover", "drop"]) {
          node.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
        }
      },
      { name, text },
    );
  await drop("bad.csv", "time,bus 999999\n09:00,5\n");
  await eventually.match(t, () => map.innerText(), /Column 2, bus 999999: there is no such bus/);
  await drop("two.csv", "time,system\n09:00,3000\n10:00,3100\n");
  await eventually.match(t, () => map.innerText(), /Demand profile of .*: 2 steps/);
  const section = page.locator('[data-section="series"]');
  await section.locator(".wb-Section-head").click();
  await section.getByRole("button", { name: "Solve the series" }).click();
  await eventually.match(t, () => section.innerText(), /2 steps solved in/);
});
