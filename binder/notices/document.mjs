// The notices as one text.

const RULE = "=".repeat(80);

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const nameOf = ({ name, version }) => `${name} ${version}`;

/**
 * The whole document: the contents by kind and name, then every text once under the names it applies to.
 *
 * @param {string} product  name and version
 * @param {{ title: string, notices: import("./licences.mjs").Notice[] }[]} kinds
 */
export function documentOf(product, kinds) {
  const sorted = kinds.map(({ title, notices }) => ({ title, notices: unique(notices) }));
  const head = [
    `THIRD-PARTY NOTICES of ${product}`,
    "",
    `${product} is licensed under the Apache License, Version 2.0 (file LICENSE). It contains the packages and data`,
    "listed here, under licences of their own; their texts follow the lists. Where a package leaves the choice",
    "between licences, the text is that of the one chosen.",
  ];
  const lists = sorted.flatMap(({ title, notices }) => [
    "",
    "",
    title,
    "-".repeat(title.length),
    "",
    ...notices.flatMap(line),
  ]);
  return `${[...head, ...lists, ...texts(sorted).flatMap(section)].join("\n")}\n`;
}

/** Packages without duplicates by name and version, in order. */
function unique(notices) {
  const byName = new Map(notices.map((notice) => [nameOf(notice), notice]));
  return [...byName.values()].sort((a, b) => compare(nameOf(a), nameOf(b)));
}

function line(notice) {
  const { licence, standard, about } = notice;
  const shipped = standard === undefined ? "" : `; ships no licence text, below is the standard text of ${standard}`;
  return [`${nameOf(notice)}: ${licence}${shipped}`, ...(about === undefined ? [] : [`  ${about}`])];
}

/** Every text once, with the names it applies to. Texts that differ only in line breaks are equal. */
function texts(kinds) {
  const found = new Map();
  for (const notice of kinds.flatMap(({ notices }) => notices)) {
    for (const text of notice.texts) {
      const key = text.replace(/\s+/g, " ").trim();
      const entry = found.get(key) ?? { text, names: new Set() };
      entry.names.add(nameOf(notice));
      found.set(key, entry);
    }
  }
  return [...found.values()];
}

function section({ text, names }) {
  return ["", "", RULE, ...names, RULE, "", text];
}
