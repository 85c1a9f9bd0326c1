// The names of downloads: one safe path component, by the same rule as in Python.
import t from "tap";
import { fileName } from "@service/widgets/workspace";
import NAMES from "../../../fixtures/file_names.json" with { type: "json" };

t.test("a name from a file becomes one path component", (t) => {
  for (const [name = "", safe] of NAMES.names) t.equal(fileName(name), safe, JSON.stringify(name));
  t.end();
});
