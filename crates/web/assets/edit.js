// The editor: brushes on the board, and its text with faults at their place.

import { ask } from "./api.js";
import { button, make } from "./dom.js";
import { textOf, visible } from "./fault.js";

/** Where a fault of a text is. */
export const placeOf = ({ line, column }, word) => word("place").replace("#", line).replace("#", column);

/** A fault of a text, with the line and a mark below the place. */
export const faultOf = (fault, text, word) => {
  const message = make("p", { class: "fault", role: "alert" }, textOf(fault, word));
  const line = fault.line && !fault.option ? text.split("\n")[fault.line - 1] : undefined;
  if (fault.line && !fault.option) message.prepend(placeOf(fault, word));
  if (line !== undefined) {
    const before = visible([...line].slice(0, fault.column - 1).join(""));
    message.append(make("pre", {}, `${visible(line)}\n${" ".repeat([...before].length)}^`));
  }
  if (fault.hint) message.append(word.line(` (${word.said(fault.hint)})`));
  return message;
};

/** The place of a fault in a text, for its selection. */
export const offsetOf = ({ line, column }, text) => {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
};

/** A text whose paragraphs are as wide as the page; lines that begin with a space stay. */
const unwrapped = (text) => text.replaceAll(/(?<=^\S.*)\n(?=\S)/gm, " ");

// The editor is made anew for each text.
let lastBrush = null;
let strokes = Promise.resolve();
let history = []; // the texts before each change

/** Forgets the texts before, as another instance is shown. */
export const forget = () => { history = []; };

/**
 * The editor in an element, of a board with `size` rows and columns. `open(text)` starts from another text,
 * `position()` is that of the text, `say` tells a message.
 */
export const editor = (element, { puzzle, word, text, size: own, position, open, say }) => {
  let brush = puzzle.brushes.find(({ name }) => name === lastBrush) ?? puzzle.brushes[0];
  const about = make("p", { class: "small" });
  const choose = (chosen) => {
    brush = chosen;
    lastBrush = chosen.name;
    buttons.forEach((one, index) => one.setAttribute("aria-pressed", String(puzzle.brushes[index] === chosen)));
    about.textContent = word.said(chosen.about);
  };
  const buttons = puzzle.brushes.map((one) => button(word(one.name), () => choose(one), { "data-brush": one.name, id: `brush-${one.name}` }));
  const area = make("textarea", { value: text, spellcheck: false, "aria-label": word("text"), id: "edit-text" });
  const faults = make("div");
  const read = async () => {
    try {
      await open(area.value);
      history.push(text);
    } catch (fault) {
      faults.replaceChildren(faultOf(fault, area.value, word));
      if (fault.line && !fault.option) {
        const at = offsetOf(fault, area.value);
        area.focus();
        area.setSelectionRange(at, at + 1);
      }
    }
  };
  const undo = () => {
    if (history.length > 0) open(history.pop()).catch((fault) => say(textOf(fault, word), true));
  };
  const size = make("input", { type: "text", value: own.join("x"), size: 6, id: "edit-size" });
  const blank = async () => {
    const [rows, columns] = size.value.split(/[^0-9]+/).filter((part) => part !== "").map(Number);
    if (rows === undefined || columns === undefined) return say(word("badSize"), true);
    try {
      const { text: drawn } = await ask("blank", { at: position(), rows, columns });
      history.push(text);
      await open(drawn);
    } catch (fault) {
      say(textOf(fault, word), true);
    }
  };
  element.replaceChildren(
    make("div", { class: "row brushes", role: "group", "aria-label": word("brushes") }, ...buttons),
    about,
    make("div", { class: "row" }, button(word("undo"), undo, { id: "edit-undo" }), make("label", { for: "edit-size" }, word("size")), size, button(word("blank"), blank, { id: "edit-blank" })),
    make("label", { for: "edit-text" }, word("text")), area, faults,
    make("div", { class: "row" }, button(word("read"), read, { id: "read-text" })),
    make("details", {}, make("summary", {}, word("format")), make("pre", { class: "small" }, unwrapped(word.said(puzzle.format)))),
  );
  if (brush) choose(brush);
  return {
    onEdges: () => brush.on_edges,
    // One after the other, each on the board that the one before has left.
    stroke: (cells) => {
      const used = brush.name;
      strokes = strokes.then(async () => {
        try {
          const edited = await ask("edit", { at: position(), brush: used, cells });
          history.push(text);
          await open(edited.text);
        } catch (fault) {
          say(textOf(fault, word), true);
        }
      });
    },
  };
};
