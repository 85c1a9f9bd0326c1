// Compares a map without a kernel with the numbers of a kernel.
import type { Locator } from "playwright-core";
import type { Test } from "tap";
import { formatPrice } from "@service/widgets/text";
import { eventually } from "../eventually.ts";
import { atRevision, dragSlider } from "./notebook.ts";

/** The price at the selected bus, and the prefix of the result's hash. */
export type KernelNumbers = [price: number, hash: string];

/**
 * Checks that the map shows the numbers of the kernel, and after a drag of its slider the kernel's numbers at that
 * demand.
 */
export async function solvesAsKernel(
  t: Test,
  map: Locator,
  before: KernelNumbers,
  kernel: (demand: string) => KernelNumbers,
): Promise<void> {
  const certificate = (): Promise<string> => map.getByRole("dialog", { name: "Certificate" }).innerText();
  const shows = async ([price, hash]: KernelNumbers): Promise<void> => {
    await eventually.match(t, () => map.innerText(), `${formatPrice(price)} $/MWh`, "the kernel's price");
    await map.locator(".wb-Pill").click();
    await eventually.match(t, certificate, `Result ${hash}`, "the kernel's result");
    await map.page().keyboard.press("Escape");
  };
  await shows(before);
  const revision = Number(await map.getAttribute("data-revision"));
  const hand = await dragSlider(map, 0.62);
  await map.page().locator('.wb-Map[data-status="previewing"]').waitFor();
  await hand.release();
  await atRevision(map, revision + 1);
  const moved = kernel(await map.locator(".wb-Entry").first().inputValue());
  t.not(moved[1], before[1], "the hand moved it");
  await shows(moved);
}
