// Profiles of CGMES in batches: several XML files are one case. Over the real engine.
import { readFile } from "node:fs/promises";
import t from "tap";
import { takeIn, Workspace } from "@service/widgets/workspace";
import { engine } from "../session.ts";
import { file } from "./intakeFile.ts";

const SEEDS = new URL("../../../engine/fuzz/seeds/", import.meta.url);
const WHOLE = await readFile(new URL("every_class.cgmes.xml", SEEDS), "utf8");
const ARCHIVE = await readFile(new URL("every_class.zip", SEEDS));
const XIIDM = await readFile(new URL("two_areas.xiidm", SEEDS), "utf8");

/** EQ, SSH, TP and SV. */
const PROFILES = WHOLE.split(/(?<=<\/rdf:RDF>\n)/);
const NAMES = ["a_EQ.xml", "a_SSH.xml", "a_TP.xml", "a_SV.XML"];

async function taken(files: ReturnType<typeof file>[]) {
  const outcomes = await takeIn(files, new Workspace(engine));
  return outcomes.map(({ name, outcome, sentence }) => [name, outcome, sentence]);
}

t.test("several profiles are one case, in any order, beside other XML", async (t) => {
  const files = NAMES.map((name, k) => file(name, PROFILES[k] ?? ""));
  const [first, ...others] = await taken([...files].reverse());
  t.strictSame(
    [first, ...others].map((outcome) => outcome?.slice(0, 2)),
    [...NAMES].reverse().map((name) => [name, "case"]),
  );
  t.strictSame(
    others.filter(([name]) => name !== "a_EQ.xml").map(([, , sentence]) => sentence),
    ["Read as a part of a_EQ.xml.", "Read as a part of a_EQ.xml."],
  );
  t.match(others.find(([name]) => name === "a_EQ.xml")?.[2], /^Opened a_EQ\.xml: 11 buses/);
  const mixed = await taken([...files, file("two.xml", XIIDM)]);
  t.match(mixed.at(-1), ["two.xml", "case", /^Opened two\.xml: 14 buses/]);
});

t.test("an archive is a case; without a profile nothing is read", async (t) => {
  t.match(await taken([file("a.zip", ARCHIVE)]), [["a.zip", "case", /^Opened a\.zip: 11 buses/]]);
  const rest = NAMES.flatMap((name, k) => (k === 1 ? [] : [file(name, PROFILES[k] ?? "")]));
  const refused = await taken(rest);
  t.match(refused[0], ["a_EQ.xml", "refused", /SSH/]);
  t.match(refused[1], ["a_TP.xml", "refused", /^It belongs to a_EQ\.xml/]);
});
