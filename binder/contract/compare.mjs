// Compares contracts and finds the version step of a change. A contract is a list of lines `name : shape`; the shape
// begins with the role: `field` and `parameter` (with a question mark where they are optional), `member`, `value`,
// `returns`.

const STEPS = ["none", "patch", "minor", "major"];

/** Shapes by name. */
export function parsed(text) {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(" : ")), line.slice(line.indexOf(" : ") + 3)]));
}

/** The owner of a name: the function of a parameter, the type of a field. */
function ownerOf(name) {
  const end = [/\([^(]*\)$/, /\.[^. ]+$/, / [^ ]+$/].find((pattern) => pattern.test(name));
  return end === undefined ? name : name.replace(end, "");
}

/** Whether writers of such a value or callers of such a function have to add it. */
const demanded = (shape) => /^(field|parameter)(?!\?)/.test(shape);

/**
 * The differences between two contracts, each with the version step that it needs, and the largest of them.
 *
 * @param {Map<string, string>} before
 * @param {Map<string, string>} after
 * @returns {{step: "none" | "minor" | "major", changes: {name: string, step: string, before?: string, after?: string}[]}}
 */
export function changesBetween(before, after) {
  const changes = [];
  for (const [name, shape] of before) {
    const now = after.get(name);
    if (now === undefined) changes.push({ name, step: "major", before: shape });
    else if (now !== shape) changes.push({ name, step: "major", before: shape, after: now });
  }
  for (const [name, shape] of after) {
    if (before.has(name)) continue;
    const step = demanded(shape) && before.has(ownerOf(name)) ? "major" : "minor";
    changes.push({ name, step, after: shape });
  }
  const step = changes.reduce((most, { step }) => (STEPS.indexOf(step) > STEPS.indexOf(most) ? step : most), "none");
  return { step, changes };
}

/** The step between two versions: the first part that increased. */
export function stepBetween(from, to) {
  const [a, b] = [from, to].map((version) => version.split(".").map(Number));
  const grown = a.findIndex((part, index) => b[index] !== part);
  if (grown < 0) return "none";
  if (b[grown] < a[grown]) throw new RangeError(`${to} comes before ${from}.`);
  return ["major", "minor", "patch"][grown];
}

/** Whether a version step suffices for a change. Before 1.0 a minor version may change anything. */
export function suffices(from, to, needed) {
  const least = needed === "major" && from.startsWith("0.") ? "minor" : needed;
  return STEPS.indexOf(stepBetween(from, to)) >= STEPS.indexOf(least);
}
