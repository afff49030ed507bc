// The dialogs: built-in instances, texts and files, and the address to share.

import { ask, file, picture } from "./api.js";
import { button, find, make } from "./dom.js";
import { faultOf } from "./edit.js";
import { textOf } from "./fault.js";
import * as kept from "./kept.js";

const open = (title, word, ...content) => {
  const dialog = find("dialog");
  const heading = make("h2", { id: "dialog-title" }, title);
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.replaceChildren(make("div", { class: "row top" }, heading, button(word("close"), () => dialog.close())), ...content);
  dialog.showModal();
};

/** Chooses a built-in instance. */
export const instances = (puzzle, { word, isDark, start, solved }) => {
  const search = make("input", { type: "search", placeholder: word("search"), "aria-label": word("search") });
  const cards = make("div", { class: "cards" });
  const show = () => {
    const plain = (text) => text.toLowerCase().replaceAll(/[\s-]/g, "");
    const wanted = plain(search.value);
    const textsOf = ({ names, about, moves }) => [...names, about, String(moves ?? word("unsolvable"))];
    const found = puzzle.builtins.filter((builtin) => textsOf(builtin).some((text) => plain(text).includes(wanted)));
    cards.replaceChildren(...(found.length === 0 ? [word("nothing")] : []), ...found.map((builtin) => {
      const [name, ...others] = builtin.names;
      const image = make("img", { alt: "", loading: "lazy" });
      picture({ puzzle: puzzle.name, name, theme: isDark() ? "dark" : "light" }).then((address) => { image.src = address; }, () => {});
      const moves = builtin.moves === null ? word("unsolvable") : `${builtin.moves} ${word("moves")}`;
      const choose = () => {
        find("dialog").close();
        start(builtin);
      };
      return make("button", { type: "button", onclick: choose, "data-name": name },
        image, make("span", {}, name), ...others.slice(0, 1).map((other) => make("span", {}, other)), make("span", { class: "small" }, moves),
        ...(solved.has(name) ? [make("span", { class: "small solved" }, `✓ ${solved.get(name)}`)] : []));
    }));
  };
  search.addEventListener("input", show);
  search.addEventListener("keydown", (event) => event.key === "Enter" && cards.querySelector("button")?.click());
  show();
  const lines = kept.recent().map(({ puzzle: of, name, moves, packed }) => button(
    `${word(of, of)}${name ? `: ${name}` : ""}, ${moves} ${word("moves")}`,
    () => {
      find("dialog").close();
      location.hash = packed;
    },
  ));
  const recent = lines.length === 0 ? [] : [make("h3", {}, word("recent")), make("div", { class: "row", id: "recent" }, ...lines)];
  const own = make("p", { class: "row" },
    button(word("exportKept"), () => save("fewest.json", new Blob([kept.all()], { type: "application/json" }))),
    button(word("removeKept"), () => {
      kept.remove();
      find("dialog").close();
    }));
  open(word("instances"), word, search, cards, ...recent, make("h3", {}, word("kept")), own);
};

const save = (name, blob) => {
  const link = make("a", { download: name, href: URL.createObjectURL(blob) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

/** Reads and writes texts and files. `whole` is the line with all its moves, `position` with those that are made. */
export const texts = async ({ word, puzzle, position, whole, lineText, theme, read, say }) => {
  const area = make("textarea", { spellcheck: false, "aria-label": word("importText"), id: "import-text" });
  const faults = make("div");
  // What the text does not say itself.
  const fields = puzzle.import_options.map(([option, example]) => {
    const field = make("input", { type: "text", placeholder: example, size: 6, id: `import-${option}` });
    return { name: option, input: field, label: make("label", {}, `${word(option)}: `, field) };
  });
  const second = make("textarea", { spellcheck: false, "aria-label": word(puzzle.second_text ?? ""), id: "import-second" });
  const secondLabel = make("label", { for: "import-second" }, word(puzzle.second_text ?? ""));
  const readText = async () => {
    try {
      const options = Object.fromEntries(fields.filter(({ input: field }) => field.value !== "").map(({ name: option, input: field }) =>
        [option, /^[0-9]+$/.test(field.value) ? [Number(field.value)] : field.value]));
      const at = { puzzle: puzzle.name, options, text: area.value };
      const imported = await ask("import", { at, ...(second.value === "" ? {} : { second: second.value }) });
      await read(imported.text);
      find("dialog").close();
    } catch (fault) {
      faults.replaceChildren(faultOf(fault, area.value, word));
    }
  };
  const take = async (chosen) => {
    if (!chosen) return;
    area.value = await chosen.text();
    readText();
  };
  const input = make("input", { type: "file", "aria-label": word("choose") });
  input.addEventListener("change", () => take(input.files[0]));
  area.addEventListener("dragover", (event) => event.preventDefault());
  area.addEventListener("drop", (event) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
  const drawn = async (format, name, at) => {
    try {
      save(name, await file("draw", { at, format, theme: theme() }));
    } catch (fault) {
      faults.replaceChildren(faultOf(fault, "", word));
    }
  };
  const name = puzzle.name;
  const downloads = [
    button(word("asText"), () => save(`${name}.plan`, new Blob([lineText()], { type: "text/plain" }))),
    button(word("asBoard"), () => drawn("board", `${name}.svg`, position())),
    button(word("asStrip"), () => drawn("svg", `${name}-moves.svg`, whole())),
    button(word("asGif"), () => drawn("gif", `${name}.gif`, whole())),
    button(word("asPage"), () => drawn("html", `${name}.html`, whole())),
  ];
  let written = [];
  try {
    written = await ask("texts", { at: position() });
  } catch (fault) {
    say(textOf(fault, word), true);
  }
  const copies = written.map(({ noun, text }) => make("div", {},
    make("p", { class: "row" }, make("b", {}, noun), copyButton(word, () => text)), make("pre", { class: "fault" }, text)));
  open(word("texts"), word, make("h3", {}, word("importText")), make("p", { class: "small" }, word("drop")), area,
    ...(puzzle.second_text ? [secondLabel, second] : []), faults,
    make("p", { class: "row" }, ...fields.map(({ label }) => label), button(word("read"), readText, { id: "import-read" }), input),
    make("h3", {}, word("download")), make("p", { class: "row" }, ...downloads),
    make("h3", {}, word("textOf")), ...copies);
};

const copyButton = (word, text) => {
  const copy = button(word("copy"), async () => {
    try {
      await navigator.clipboard.writeText(text());
      copy.textContent = word("copied");
    } catch {
      // The text is selected, or can be.
    }
  });
  return copy;
};

/** Shows a link, or what to put behind the address of a page if no page is published. */
export const share = (page, packed, word) => {
  const address = `${page ?? ""}#${packed}`;
  const field = make("input", { type: "text", value: address, readOnly: true, size: 60, id: "share-address", "aria-label": word("share") });
  const about = make("p", {}, word(page ? "sharePage" : "shareAbout"));
  open(word("share"), word, about, make("p", { class: "row" }, field, copyButton(word, () => address)));
  field.select();
};
