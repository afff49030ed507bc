// What the browser keeps of the page, if it may: choices, what was solved, recent lines, and texts that were read.

export const get = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
export const set = (key, value) => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then it is asked for again.
  }
};

/** A list that was kept; empty if there is none, or if it is damaged. */
const list = (key) => {
  try {
    const items = JSON.parse(get(key) ?? "[]");
    return Array.isArray(items) ? items.filter((item) => typeof item === "object" && item !== null) : [];
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

/** Notes the line that another instance replaces: `{ puzzle, name, moves, packed }`. */
export const noteRecent = (line) => {
  const others = recent().filter(({ packed }) => packed !== line.packed);
  keep("recent", [line, ...others].slice(0, MOST_RECENT));
};
export const recent = () => list("recent").filter(({ packed }) => typeof packed === "string");

/** Keeps the instances of a text, in place of those before. */
export const keepCollection = (puzzle, texts) => {
  const others = list("collections").filter((item) => item.puzzle !== puzzle);
  const isSmall = texts.join("").length <= MOST_LETTERS[1];
  keep("collections", isSmall ? [...others, { puzzle, texts }] : others);
};
export const collection = (puzzle) => list("collections").find((item) => item.puzzle === puzzle)?.texts ?? [];

/** All of it, as a text. */
const lists = ["solved", "recent", "collections"];
export const all = () => JSON.stringify(Object.fromEntries(lists.map((key) => [key, list(key)])), null, 2);
export const remove = () => lists.forEach((key) => keep(key, []));
