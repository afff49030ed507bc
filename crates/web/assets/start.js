// The first thing one sees: the puzzles, and where one stopped.

import { card, inlinePicture, ofPosition } from "./cards.js";
import { make } from "./dom.js";

/** `last` is the last position, if there is one: its puzzle, its position for the program, and its name. */
export const showStart = (element, { puzzles, last, word, theme, open, goOn }) => {
  const title = (of) => make("b", {}, word(of.name, of.name));
  const about = (of) => make("span", { class: "small" }, word(`${of.name}.about`, of.about));
  const cards = puzzles.map((puzzle) => card(inlinePicture(puzzle.picture), [title(puzzle), about(puzzle)],
    () => open(puzzle), { "data-puzzle": puzzle.name }));
  const lastCard = last && card(ofPosition(last.at, theme), [make("b", {}, word("goOn")), make("span", {}, last.name)], goOn, { id: "go-on" });
  element.replaceChildren(make("h2", {}, word("startTitle")), make("p", {}, word("startAbout")),
    ...(lastCard ? [lastCard] : []), make("div", { class: "cards large" }, ...cards));
  performance.mark("picture");
};
