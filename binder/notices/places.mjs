import { join } from "node:path";
import { LABEXTENSION, WHEEL_DATA, at } from "../lib/paths.mjs";

const NAME = "THIRD-PARTY-NOTICES.txt";

/**
 * Locations of the notices: for the wheel's metadata, beside the server, in the page (also compressed), and in the
 * extension.
 */
export const PLACES = [
  at(NAME),
  at("server", "dist", NAME),
  at("server", "dist", "page", NAME),
  at("server", "dist", "page", `${NAME}.gz`),
  join(WHEEL_DATA, LABEXTENSION, "static", NAME),
];
