// What the browser keeps of the page, if it may: choices, what was solved, recent lines, and texts that were read.

/** Other pages of the same origin have names of their own. */
const named = (key) => `fewest.${key}`;

export const get = (key) => {
  try {
    return localStorage.getItem(named(key));
  } catch {
    return null;
  }
};
export const set = (key, value) => {
  try {
    localStorage.setItem(named(key), value);
  } catch {
    // Then it is asked for again.
  }
};

const isText = (value) => typeof value === "string";
/** What is kept as lists, and what their items must be. */
const lists = {
  solved: ({ puzzle, options, name, moves }) => [puzzle, options, name].every(isText) && Number.isInteger(moves),
  recent: ({ puzzle, of, line, packed }) => [puzzle, of, line, packed].every(isText),
  collections: ({ puzzle, texts }) => isText(puzzle) && Array.isArray(texts) && texts.every(isText),
};

/** A list that was kept, without what is damaged. */
const list = (key) => {
  try {
    const items = JSON.parse(get(key) ?? "[]");
    return Array.isArray(items) ? items.filter((item) => typeof item === "object" && item !== null && lists[key](item)) : [];
  } catch {
    return [];
  }
};
const keep = (key, items) => set(key, JSON.stringify(items));

/** The fewest moves in which instances of a puzzle with these options were solved here, by name. */
export const solved = (puzzle, options) => new Map(
  list("solved").filter((item) => item.puzzle === puzzle && item.options === options).map(({ name, moves }) => [name, moves]));

/** The most letters of a text, and of a collection, that are kept. */
const MOST_LETTERS = [1000, 200_000];

/** Notes that an instance was solved; it may have its text as its name. */
export const noteSolved = (puzzle, options, name, moves) => {
  if (name.length > MOST_LETTERS[0] || solved(puzzle, options).get(name) <= moves) return;
  const isOther = (item) => item.puzzle !== puzzle || item.options !== options || item.name !== name;
  keep("solved", [...list("solved").filter(isOther), { puzzle, options, name, moves }]);
};

/** The most lines that are kept. */
const MOST_RECENT = 12;

/** Notes the line that another one replaces: of which instance it is, its moves as a text, and all of it as a link. */
export const noteRecent = (added) => {
  const isWithin = (one, other) => one.of === other.of && other.line.startsWith(one.line);
  const known = recent();
  if (known.some((item) => isWithin(added, item))) return;
  keep("recent", [added, ...known.filter((item) => !isWithin(item, added))].slice(0, MOST_RECENT));
};
export const recent = () => list("recent");

/** Keeps the first instances of a text, in place of those before. */
export const keepCollection = (puzzle, texts) => {
  let left = MOST_LETTERS[1];
  const kept = texts.filter((text) => (left -= text.length) >= 0);
  keep("collections", [...list("collections").filter((item) => item.puzzle !== puzzle), { puzzle, texts: kept }]);
};
export const collection = (puzzle) => list("collections").find((item) => item.puzzle === puzzle)?.texts ?? [];

/** All of it, as a text. */
export const all = () => JSON.stringify(Object.fromEntries(Object.keys(lists).map((key) => [key, list(key)])), null, 2);
export const remove = () => Object.keys(lists).forEach((key) => keep(key, []));
