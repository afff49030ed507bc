// The dialog of texts and files: a text is read as a board, as many boards, or as the moves of a plan; and what is
// shown is written as texts and pictures.

import { ask, file } from "./api.js";
import { close, copyButton, open, save } from "./dialog.js";
import { button, make } from "./dom.js";
import { faultOf, placeOf } from "./edit.js";
import { textOf } from "./fault.js";

/** Whether a text starts with a number of moves, as plans do. */
const isPlan = (text) => /^\s*\d+ (?:[a-z]+ )?(?:move|step)s?\b/.test(text);

/**
 * `at` has the position that is shown, `whole` that at the end of the line, and `start` that before its first move.
 * `read(texts, note)` opens what was read, and `readMoves(moves)` follows a plan. `given` is read at once, and `name`
 * is for files.
 */
export const texts = async ({ word, puzzle, at, whole, start, plan, theme, read, readMoves, say, given, name }) => {
  const area = make("textarea", { value: given, spellcheck: false, "aria-label": word("importText"), id: "import-text" });
  const faults = make("div");
  // What the text does not say itself.
  const fields = puzzle.import_options.map(([option, example]) => {
    const field = make("input", { type: "text", placeholder: example, size: 6, id: `import-${option}` });
    return { name: option, input: field, label: make("label", {}, word.line(`${word(`option.${option}`, word(option))}: `), field) };
  });
  const second = make("textarea", { spellcheck: false, "aria-label": word(puzzle.second_text ?? ""), id: "import-second" });
  const secondLabel = make("label", { for: "import-second" }, word(puzzle.second_text ?? ""));
  const readBoards = async (text) => {
    const options = Object.fromEntries(fields.filter(({ input: field }) => field.value !== "").map(({ name: option, input: field }) =>
      [option, /^[0-9]+$/.test(field.value) ? [Number(field.value)] : field.value]));
    const of = { puzzle: puzzle.name, options, text };
    const imported = await ask("import", { at: of, ...(second.value === "" ? {} : { second: second.value }) });
    const { texts: boards, fault, has_more: hasMore } = imported;
    const ended = fault && `${fault.line ? placeOf(fault, word) : ""}${word.said(fault.message)}`;
    await read(boards, ended ?? (hasMore ? word("more") : null));
  };
  const readPlan = async (text) => {
    const { moves } = await ask("read-plan", { at: start, plan: text });
    await readMoves(moves);
    close();
  };
  const readText = async () => {
    const text = area.value;
    try {
      if (isPlan(text)) return await readPlan(text);
      // Moves without their number are no board, except by chance.
      await readBoards(text).catch((fault) => readPlan(text).catch((other) => {
        // The rules refuse what is read as moves.
        throw /^(?:move|step) \d+: /.test(other.message) ? other : fault;
      }));
    } catch (fault) {
      faults.replaceChildren(faultOf(fault, text, word));
    }
  };
  const take = async (chosen) => {
    if (!chosen) return;
    area.value = await chosen.text();
    readText();
  };
  const input = make("input", { type: "file" });
  input.addEventListener("change", () => take(input.files[0]));
  area.addEventListener("dragover", (event) => event.preventDefault());
  area.addEventListener("drop", (event) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
  const drawn = async (format, name, of) => {
    try {
      save(name, await file("draw", { at: of, format, theme }));
    } catch (fault) {
      faults.replaceChildren(faultOf(fault, "", word));
    }
  };
  const downloads = [
    button(word("asText"), () => save(`${name}.plan`, new Blob([plan], { type: "text/plain" }))),
    button(word("asBoard"), () => drawn("board", `${name}.svg`, at)),
    button(word("asStrip"), () => drawn("svg", `${name}-moves.svg`, whole)),
    button(word("asGif"), () => drawn("gif", `${name}.gif`, whole)),
    button(word("asPage"), () => drawn("html", `${name}.html`, whole)),
  ];
  let written = [];
  try {
    written = await ask("texts", { at });
  } catch (fault) {
    say(textOf(fault, word), true);
  }
  const copies = written.map(({ nouns, text }) => make("div", {},
    make("p", { class: "row" }, make("b", {}, nouns.map((noun) => noun === "text" ? word("text") : word.said(noun)).join(word("comma"))), copyButton(word, () => text)),
    make("pre", { class: "fault" }, text)));
  open(word("texts"), word, make("h3", {}, word("importText")), make("p", { class: "small" }, word("drop")), area,
    ...(puzzle.second_text ? [secondLabel, second] : []), faults,
    make("p", { class: "row" }, ...fields.map(({ label }) => label), button(word("read"), readText, { id: "import-read" }),
      make("label", { class: "button" }, word("choose"), input)),
    make("h3", {}, word("download")), make("p", { class: "row" }, ...downloads),
    make("h3", {}, word("textOf")), ...copies);
  if (given !== "") readText();
};
