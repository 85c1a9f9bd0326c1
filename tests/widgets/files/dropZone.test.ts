// Nested drop zones: the inner one takes the files, and neither keeps showing its prompt.
import t from "tap";
import { startMapPage } from "../mapPage/serve.ts";

declare const window: Window & { mapPage: { taken: string[] } };

t.test("a file is dropped on a map within a page", async (t) => {
  const server = await startMapPage({}, [], "tests/widgets/files/dropPage.ts");
  t.teardown(() => server.stop());
  const { page, complaints } = await server.open();
  const drag = (...steps: readonly (readonly [type: string, id: string])[]): Promise<void> =>
    page.evaluate((all) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["x"], "case.m"));
      for (const [type, id] of all) {
        document
          .getElementById(id)
          ?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
      }
    }, steps);
  const asking = async (): Promise<string[]> => {
    const ids = ["outer", "inner"];
    const shown = await Promise.all(ids.map((id) => page.locator(`#${id} > .wb-Drop`).isVisible()));
    return ids.filter((_, k) => shown[k]);
  };
  const taken = (): Promise<string[]> => page.evaluate(() => window.mapPage.taken);
  t.strictSame(await asking(), [], "nothing is covered before");
  // In the order of the standard: dragenter comes before dragleave.
  await drag(["dragenter", "outer"]);
  t.strictSame(await asking(), ["outer"]);
  await drag(["dragenter", "inner"], ["dragleave", "outer"]);
  t.strictSame(await asking(), ["inner"], "one zone asks at a time");
  await drag(["dragenter", "outer"], ["dragleave", "inner"]);
  t.strictSame(await asking(), ["outer"]);
  await drag(["dragenter", "inner"], ["dragleave", "outer"], ["dragover", "inner"], ["drop", "inner"]);
  t.strictSame(await asking(), [], "nobody asks after the drop");
  t.strictSame(await taken(), ["inner: case.m"]);
  await drag(["dragenter", "outer"], ["dragover", "outer"], ["drop", "outer"]);
  t.strictSame(await taken(), ["inner: case.m", "outer: case.m"]);
  t.strictSame(await asking(), []);
  t.strictSame(complaints, []);
});
