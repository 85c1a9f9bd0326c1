// Why rows of the corpus have no answer that agrees: the first that fits a row is its explanation.
export const EXPLAINED = [];
