// The instances of a puzzle to choose from: built-in ones in groups, those of a text that was read, and recent lines.

import { card, ofPosition } from "./cards.js";
import { close, open, save } from "./dialog.js";
import { button, make } from "./dom.js";
import * as kept from "./kept.js";

const orders = {
  listed: () => 0,
  fewest: (one, other) => (one.moves ?? Infinity) - (other.moves ?? Infinity),
  most: (one, other) => (other.moves ?? -1) - (one.moves ?? -1),
};

/** A text as it is searched: without case, spaces and hyphens. */
const plain = (text) => text.toLowerCase().replaceAll(/[\s-]/g, "");
/** Whether what is searched is part of a name or a description, or the number of moves. */
const isFound = ({ names, about, moves }, wanted) => (/^[0-9]+$/.test(wanted)
  ? String(moves) === wanted || names.some((name) => plain(name).includes(wanted))
  : [...names, about].some((text) => plain(text).includes(wanted)));

let order = "listed"; // as it was chosen last

/** `start(builtin)` and `read(text, label)` open an instance; `solved` says in how many moves each was solved, by its name or text. */
export const gallery = (puzzle, { word, theme, start, read, solved, nameOf, openPacked, hasPlainOptions }) => {
  const solvedLine = (key) => solved.has(key) && make("span", { class: "small solved" }, `✓ ${solved.get(key)}`);
  const choose = (action) => () => {
    close();
    action();
  };
  const cardOf = (builtin) => {
    const { names, moves, text } = builtin;
    const [title, other] = word.names(names);
    return card(ofPosition({ puzzle: puzzle.name, text }, theme), [
      make("span", {}, title), other && make("span", { class: "small" }, other),
      hasPlainOptions && make("span", { class: "small" }, moves === null ? word("unsolvable") : `${moves} ${word("moves")}`), solvedLine(names[0]),
    ], choose(() => start(builtin)), { "data-name": names[0] });
  };
  const search = make("input", { type: "search", placeholder: word("search"), "aria-label": word("search") });
  const sort = make("select", { id: "order", "aria-label": word("order") });
  for (const name of Object.keys(orders)) sort.append(new Option(word(`order.${name}`), name, false, name === order));
  const unsolved = make("input", { type: "checkbox", id: "unsolved" });
  const found = make("div", { id: "found" });
  const group = (title, cards, isOpen) => make("details", { open: isOpen },
    make("summary", {}, `${title} (${cards.length})`), make("div", { class: "cards" }, ...cards));
  const show = () => {
    order = sort.value;
    const wanted = plain(search.value);
    const all = puzzle.builtins.filter((builtin) => isFound(builtin, wanted) && !(unsolved.checked && solved.has(builtin.names[0])));
    const groups = new Map();
    for (const builtin of all) {
      const of = builtin.group ?? null;
      groups.set(of, [...groups.get(of) ?? [], builtin]);
    }
    if (all.length === 0) found.replaceChildren(make("p", {}, word("nothing")));
    else if (groups.size < 2 || order !== "listed" || wanted !== "") {
      found.replaceChildren(make("div", { class: "cards" }, ...[...all].sort(orders[order]).map(cardOf)));
    } else {
      found.replaceChildren(...[...groups].map(([name, builtins], index) => group(word(`group.${name}`), builtins.map(cardOf), index === 0)));
    }
  };
  for (const input of [search, sort, unsolved]) input.addEventListener("input", show);
  search.addEventListener("keydown", (event) => event.key === "Enter" && search.value !== "" && found.querySelector(".card")?.click());
  show();
  const texts = kept.collection(puzzle.name);
  const collection = texts.length === 0 ? [] : [group(word("collection"), cardsOfTexts(puzzle, texts, { word, theme, read, solved }), false)];
  const lines = kept.recent().map(({ puzzle: of, name, line, packed }) => button(
    [word(of, of), name && nameOf(of, name), line.split("\n").length - 1].filter(Boolean).join(" · "), choose(() => openPacked(packed))));
  const recent = lines.length === 0 ? [] : [make("details", {}, make("summary", {}, `${word("recent")} (${lines.length})`),
    make("div", { class: "row", id: "recent" }, ...lines))];
  const removal = button(word("removeKept"), () => {
    if (removal.textContent === word("removeSure")) return choose(kept.remove)();
    removal.textContent = word("removeSure");
  }, { id: "remove-kept" });
  const own = make("details", { id: "own" }, make("summary", {}, word("kept")), make("p", { class: "row" },
    button(word("exportKept"), () => save("fewest.json", new Blob([kept.all()], { type: "application/json" }))), removal));
  open(word("instances"), word,
    make("div", { class: "row" }, search, sort, make("label", { class: "check" }, unsolved, word("unsolved"))),
    ...recent, ...collection, found, own);
};

const cardsOfTexts = (puzzle, texts, { word, theme, read, solved }) => texts.map((text, index) => {
  const label = `${index + 1} / ${texts.length}`;
  return card(ofPosition({ puzzle: puzzle.name, text }, theme), [
    make("span", {}, label), solved.has(text) && make("span", { class: "small solved" }, `✓ ${solved.get(text)}`),
  ], () => {
    close();
    read(text, label, index);
  });
});

/** Lists the instances of a text; `note` says why these are not all of them, if so. */
export const collection = (puzzle, texts, note, choices) => {
  const { word } = choices;
  open(`${word("collection")} (${texts.length})`, word, ...(note ? [make("p", { class: "fault", role: "alert" }, note)] : []),
    make("div", { class: "cards", id: "collection" }, ...cardsOfTexts(puzzle, texts, choices)));
};
