// The workflows: checked by actionlint, and they publish all parts of a release.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "tap";

const FOLDER = fileURLToPath(new URL("../../.github/workflows", import.meta.url));
const CHECK = fileURLToPath(new URL("../../binder/workflows.mjs", import.meta.url));
const checked = (folder) => spawnSync(process.execPath, [CHECK, folder], { encoding: "utf8" });
const text = (name) => readFileSync(`${FOLDER}/${name}`, "utf8");

test("actionlint has no findings, and finds an error", async (t) => {
  t.match(checked(FOLDER), { status: 0, stdout: /^\n$/, stderr: "" });
  const steps = "    steps:\n      - run: echo ${{ matrix.x }}\n";
  const folder = t.testdir({ "x.yml": `on: push\njobs:\n  a:\n    runs-on: ubuntu-99\n${steps}` });
  const { status, stdout } = checked(folder);
  t.equal(status, 1);
  t.match(stdout.split("\n"), [/^x\.yml:4:14: label "ubuntu-99" is unknown/, /^x\.yml:6:.*property "x"/]);
});

test("a release", async (t) => {
  const release = text("release.yml");
  for (const runner of [
    "ubuntu-24.04",
    "ubuntu-24.04-arm",
    "macos-15-intel",
    "macos-15",
    "windows-2022",
    "windows-11-arm",
  ]) {
    t.match(release, runner);
  }
  for (const part of [
    "cibuildwheel",
    "--sdist",
    "npm run pack",
    "npm run docs",
    "binder-wheel.txt",
    "sha256sum",
    "--draft",
  ]) {
    t.match(release, part);
  }
  t.match(
    release,
    /cibuildwheel --output-dir wheels sources\/wattbook-\*\.tar\.gz/,
    "wheels are built from the source distribution",
  );
  // Only the job that writes the release may write, and no text that others can change is put into a command.
  t.equal(release.match(/contents: write/g)?.length, 1);
  for (const file of ["release.yml", "tests.yml"]) {
    t.match(text(file), /^permissions:\n {2}contents: read$/m);
    t.notMatch(text(file), /run: .*\$\{\{ *github\./);
  }
});
