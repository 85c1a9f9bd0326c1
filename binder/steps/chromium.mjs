import { SetupError } from "../lib/fail.mjs";
import { which } from "../lib/paths.mjs";
import { apt, canApt } from "../lib/tools.mjs";

/** Full path of the browser for tests, or null. The variable CHROMIUM names one that is not on PATH. */
export const findChromium = () =>
  process.env.CHROMIUM ||
  ["chromium", "chromium-browser", "google-chrome"].map((name) => which(name)).find(Boolean) ||
  null;

/** A system Chromium for the end-to-end tests. */
export const chromium = {
  name: "chromium",
  title: "Chromium for the end-to-end tests",
  after: ["jupyter-links"], // last, so that everything else is complete where it cannot be installed, as its error says
  current: () => findChromium() !== null,
  async run() {
    if (canApt()) await apt(["chromium"]);
    if (findChromium() === null) {
      throw new SetupError(
        "Chromium is missing. It is needed to run the end-to-end tests; everything else is set up, `npm start` works without it.\n" +
          "  Install it with: sudo apt-get install --no-install-recommends chromium",
      );
    }
  },
};
