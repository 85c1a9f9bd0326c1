// Writes the notices of all third-party software and data in the product after everything is built: one text in the top
// folder (for the wheel's metadata), beside the server, in the page and in the JupyterLab extension.
import { main } from "../lib/fail.mjs";
import { writeNotices } from "./write.mjs";

await main(async () => writeNotices());
