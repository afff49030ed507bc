// The page: a board, the tree of the moves made on it, and what is proved of each position.

import { answers, ask, catalog, here, limits } from "./api.js";
import { interactive } from "./board.js";
import * as dialogs from "./dialogs.js";
import { comparison } from "./compare.js";
import { scrub, showCurve } from "./curve.js";
import { button, find, make, pointing } from "./dom.js";
import { editor } from "./edit.js";
import { Fault, textOf } from "./fault.js";
import * as kept from "./kept.js";
import * as know from "./know.js";
import { playerIn } from "./player.js";
import * as link from "./share.js";
import * as tree from "./tree.js";
import { preferred, wordsOf } from "./words.js";

let language = kept.get("language") ?? preferred;
let word = wordsOf(language);
const { puzzles, start: first, page } = await catalog().catch((fault) => {
  find("status").textContent = word("lost");
  throw fault;
});
let puzzle = puzzles[0];
let start = null; // the instance: its name if it has one, its text, and its text as a drawing
let options = {};
let pictures = {}; // the options of pictures
let root = tree.node();
let current = root;
let line = [root]; // the positions that the player goes through
let shown = null; // the position that the page shows
let board = null;
let unit = ["move", "moves"];
let player = null;
let editing = null;
let endComparison = () => {};
let hints = 0; // how much of a hint is shown
let planning = null; // the search for a plan that runs
let isChallenged = false; // whether who was sent the board is still to be asked for its fewest moves
let loading = 0; // the number of the last instance that was asked for

/** Tells something below the board. Progress is not read aloud; what the program says is English. */
const say = (text, isBad = false, isProgress = false) => {
  const status = find("status");
  status.setAttribute("aria-live", isProgress ? "off" : "polite");
  status.lang = isBad ? "en" : document.documentElement.lang;
  status.classList.toggle("bad", isBad);
  status.textContent = text;
};
const complain = (fault) => {
  if (fault.name !== "AbortError") say([textOf(fault, word), fault.hint].filter(Boolean).join("; "), true);
};

/** A position for the program. */
const positionOf = (at) => ({
  puzzle: puzzle.name, options, pictures, text: start.text, moves: tree.pathTo(at).slice(1).map(({ step }) => step.move),
});

// What is shown.

const noun = (number) => (language === "en" ? unit[number === 1 ? 0 : 1] : word("moves"));
const counted = (number) => `${number} ${noun(number)}`;
/** Why a search was stopped. A larger limit does not help if the server ends. */
const stoppedText = (limit) =>
  [`${word("stopped")} ${word(limit)}`, /time|memory/.test(limit) && word(limits)].filter(Boolean).join("; ");
const knownText = ({ moves, unsolvable, lower_bound: bound, stopped }) => {
  if (unsolvable) return [word("noPlan")];
  if (moves === 0) return [make("b", {}, word("solved"))];
  if (moves !== null && stopped === null) return [make("b", {}, String(moves)), ` ${noun(moves)} ${word("fewest")}`];
  return [`${stoppedText(stopped)}. ${word("proved")} ${word("atLeast")} ${counted(bound ?? 0)}.`];
};
const isMarking = () => find("show-best").checked;
/** What is known of a move of the current position, as `tree.markOf` says it. */
const markOf = (move) => (isMarking() ? tree.markOf(current.known, current.after.get(move.move), word) : "");
const keepsTo = (move) => markOf(move) === "✓";
const showKnown = (progress, fault) => {
  const known = find("known");
  known.setAttribute("aria-live", current.known ? "polite" : "off");
  const shownText = known.textContent;
  if (current.known) {
    const text = knownText(current.known);
    if (text.map((part) => part.textContent ?? part).join("") !== shownText) known.replaceChildren(...text);
  } else if (fault) known.replaceChildren(textOf(fault, word));
  else if (progress) {
    known.replaceChildren(`${word("searching")} ${word("atLeast")} ${counted(progress.lower_bound)}; `
      + `${progress.expanded.toLocaleString(language)} ${word("states")}, ${progress.elapsed_seconds.toFixed(1)} s`);
  } else if (progress !== null) known.replaceChildren(word("searching"));
  if (isChallenged && root.known?.moves > 0) {
    isChallenged = false;
    if (find("status").textContent === "") say(word("challenge").replace("#", counted(root.known.moves)));
  }
  if (current.known?.moves === 0) showEnd();
  showMoves();
  showTree();
};
/** Tells how good the line to the current position is, which is solved: once the fewest moves are known. */
const showEnd = () => {
  const path = tree.pathTo(current);
  const [made, fewest] = [path.length - 1, root.known?.moves];
  if (made === 0 || fewest == null || shownEnd === current) return;
  shownEnd = current;
  if (start.name) kept.noteSolved(puzzle.name, JSON.stringify(options), start.name, made);
  if (made === fewest) return say(word("endBest").replace("#", counted(made)));
  say(`${word("end").replace("#", counted(made))} ${fewest}.`);
  const wasted = path.slice(1).map((at, index) => [at, index + 1]).filter(([at]) => tree.keeps(at) === false);
  if (wasted.length === 0) return;
  const jump = ([at, number]) => [" ", button(`${number} ${at.step.text}`, () => goTo(at))];
  find("status").append(` ${word("wasted")}`, ...wasted.slice(0, 12).flatMap(jump), ...(wasted.length > 12 ? [" …"] : []));
};
let shownEnd = null; // the position whose end was told last
let listed = null; // the moves in the list
const showMoves = () => {
  const moves = current.moves;
  const list = find("legal-moves");
  if (!moves) {
    listed = null;
    return list.replaceChildren();
  }
  // Elements stay while they are true, so that a click does not miss one that was replaced.
  if (listed !== moves) {
    listed = moves;
    const at = current;
    const notes = [moves.count > moves.list.length && "more", puzzle.moves_at_once && "joint"].filter(Boolean);
    list.replaceChildren(...moves.list.map((move) => make("li", {}, pointing(button("", () => makeMove(move, false, at)),
      () => board.preview(move), () => board.preview(null)))),
      ...notes.map((note) => make("li", { class: "small" }, word(note))));
  }
  moves.list.forEach((move, index) => {
    const row = list.children[index].firstElementChild;
    const mark = markOf(move);
    const text = `${move.text}${mark && ` ${mark}`}`;
    if (row.textContent !== text) row.textContent = text;
    row.classList.toggle("keeps", mark === "✓");
    row.classList.toggle("unexamined", mark === "…");
    row.title = mark === "✓" ? word("keeps") : mark === "…" ? word("unexamined") : "";
  });
  if (find("play").hidden || board.isStaged()) return;
  const keeping = moves.list.filter(keepsTo);
  const others = moves.list.filter((move) => current.after.has(move.move) && !keeping.includes(move));
  board.mark(keeping, isMarking() ? others : []);
};
const showTree = () => {
  showCurve(find("curve"), line, current, word("curve"));
  tree.show(find("tree"), root, current, isMarking() ? word : null, goTo);
};
const setDisabled = (id, isDisabled) => find(id).setAttribute("aria-disabled", String(isDisabled));

let looking = Promise.resolve(); // until the moves of the current position are there
/** Asks for the moves of the current position, and what is proved of it. */
const look = () => {
  looking = lookUp();
};
const lookUp = async () => {
  const at = current;
  setDisabled("undo", at.parent === null);
  setDisabled("redo", !next());
  hints = 0;
  board.hint([]);
  board.setMoves(at.moves?.list ?? []);
  board.mark([], []);
  board.preview(null);
  know.stop();
  stopPlanning();
  if (!find("compare").hidden) showComparison();
  showKnown();
  const [position, { step }] = [positionOf(at), board];
  try {
    if (!at.moves) {
      const { moves, count, solved } = await ask("moves", { at: position });
      at.moves = { list: moves.map(step), count };
      if (solved) know.learn(at, know.proved(0));
    }
  } catch (fault) {
    complain(fault);
  }
  if (at !== current) return;
  board.setMoves(at.moves?.list ?? []);
  know.recall(position, at);
  showKnown();
  know.start(position, at, (...news) => at === current && showKnown(...news));
  remember();
};
let isNew = false; // whether the address is that of the instance before
/** Puts the position into the address, so that it is there after a reload, and *Back* leads to the instance before. */
const remember = async () => {
  const at = current;
  const packed = await link.pack(stateOf());
  if (at !== current) return;
  history[isNew ? "pushState" : "replaceState"](null, "", `#${packed}`);
  kept.set("here", packed);
  isNew = false;
};

// Moves.

/** The player shows the line; `made` moves of it are on the board. */
const load = (made) => player.load(board, line.slice(1).map(({ step }) => step), made);
/** Makes the line go through a position; `made` moves of it are on the board. */
const follow = (at, made) => {
  line = tree.lineThrough(at);
  load(made);
};
/** Goes to any position of the tree. */
const goTo = (at) => {
  settle();
  const there = tree.pathTo(at);
  if (line.includes(at)) return player.go(there.length - 1);
  let common = 0;
  while (line[common + 1] === there[common + 1]) common += 1;
  isJumping = true;
  player.go(common);
  follow(at, common);
  isJumping = false;
  player.go(there.length - 1);
};
/** Makes a move of a position; `isShown` if its parts are where it ends. */
const makeMove = (step, isShown = false, from = current) => {
  settle();
  // What moved has led to another position.
  if (current !== from) return;
  say("");
  const at = tree.child(current, step);
  const made = tree.pathTo(current).length - 1;
  follow(at, made);
  if (isShown) player.go(made + 1);
  else player.forward();
};
/** Ends what moves, so that the board is that of the current position. */
const settle = () => {
  board.unstage();
  player.finish();
};
let waiting = 0; // actions that wait for those before them
let order = Promise.resolve();
/** Does something after all that was asked for before is done and the moves are known. */
const inOrder = (action) => {
  const isReady = waiting === 0 && current.moves;
  const done = isReady ? Promise.resolve(action()) : order.then(() => looking).then(action);
  waiting += 1;
  order = done.catch(complain).finally(() => { waiting -= 1; });
};
const push = async (pushes) => {
  const at = current;
  try {
    const { step } = await ask("by-hand", { at: positionOf(at), pushes });
    makeMove(board.step(step), false, at);
  } catch (fault) {
    complain(fault);
  }
};
const undo = () => {
  settle();
  if (current.parent) goTo(current.parent);
};
const next = () => line[line.indexOf(current) + 1];
const redo = () => {
  settle();
  if (next()) goTo(next());
};

const stopPlanning = () => {
  planning?.abort();
  planning = null;
};
/** Searches for a plan from the current position, and passes it to `take`; one search at a time. */
const withPlan = async (count, take) => {
  if (planning) return;
  settle();
  const [at, abort] = [current, new AbortController()];
  if (at.known?.moves === 0) return say(word("solved"));
  const isEnough = at.plan && (!count || at.answer.plan_count !== undefined || at.answer.plans_limit !== undefined);
  if (!isEnough) {
    planning = abort;
    say(word("searching"), false, true);
    const { step } = board;
    try {
      for await (const { answer, steps, progress } of answers("solve", { at: positionOf(at), count }, abort.signal)) {
        if (progress) say(`${word("searching")} ${word("atLeast")} ${counted(progress.lower_bound)}`, false, true);
        if (!answer) continue;
        at.plan = steps.map(step);
        at.answer = answer;
        const [moves, isUnsolvable] = [answer.optimal ? answer.cost : null, answer.outcome === "unsolvable"];
        know.learn(at, { moves, unsolvable: isUnsolvable, lower_bound: answer.lower_bound, stopped: answer.limit });
      }
    } catch (fault) {
      if (planning === abort) complain(fault);
      return;
    } finally {
      if (planning === abort) planning = null;
    }
    showKnown(null);
  }
  if (at.answer.outcome === "unsolvable") return say(word("noPlan"));
  if (at.plan.length === 0) return say(stoppedText(at.answer.limit));
  take(at.plan, at.answer);
};
/** Adds a plan to the tree, as the line that the player goes through. */
const addPlan = (plan) => {
  const made = tree.pathTo(current).length - 1;
  const isShortest = current.known?.moves === plan.length;
  let at = current;
  plan.forEach((step, index) => {
    at = tree.child(at, step);
    if (isShortest) know.learn(at, know.proved(plan.length - index - 1));
  });
  follow(at, made);
  setDisabled("redo", false);
  showKnown(null);
};
const notProved = ({ limit }) => `${word("notProved")} ${word(limit)}`;
const hint = () => withPlan(false, (plan, answer) => {
  hints += 1;
  const [first] = plan;
  board.hint(first.motions.map(([part]) => part).filter((part) => board.parts[part].dataset.part !== "line"));
  if (hints > 1) board.mark([first], []);
  if (hints > 2) addPlan(plan);
  const told = [word("hintPart"), `${word("hintMove")} ${first.text}`, word("hintPlan")][Math.min(hints, 3) - 1];
  say(answer.optimal ? told : `${told} ${notProved(answer)}`);
});
const solve = () => withPlan(puzzle.counts_plans, (plan, answer) => {
  addPlan(plan);
  const { plan_count: plans, plans_limit: limit } = answer;
  const many = plans ? `; ${plans} ${word(plans === "1" ? "onePlan" : "plans")}` : limit ? `; ${word("planLimit")} ${word(limit)}` : "";
  say(answer.optimal ? `${word("plan")} ${counted(plan.length)}${many}` : notProved(answer));
});

// Instances.

const isStaging = () => puzzle.moves_at_once && find("together").checked;
const actions = {
  make: makeMove, inOrder,
  nameOf: (label, row, column) => `${word(label, label)}, ${word("row")} ${row}, ${word("column")} ${column}`,
  settle: () => (isStaging() ? player.finish() : settle()),
  push: (cell, path) => push([{ cell, path }]),
  isStaging,
  onStaged: (count) => {
    find("step").hidden = count === 0;
    if (count > 0) board.mark([], []);
    else showMoves();
    find("step").textContent = `${word("step")} (${count})`;
  },
  get stroke() { return editing && !find("edit").hidden ? editing.stroke : null; },
  onEdges: () => editing.onEdges(),
};
const makeStep = () => push(board.staged());

/** Keeps the line, which another instance replaces. */
const keepLine = () => {
  const of = { puzzle: puzzle.name, name: start.name, moves: line.length - 1 };
  link.pack(stateOf()).then((packed) => kept.noteRecent({ ...of, packed }));
};
/** Draws an instance, with moves up to `made`; throws, and changes nothing, if the program refuses it. */
const begin = async (chosen, moves = [], made = 0) => {
  const number = (loading += 1);
  const asked = { puzzle: chosen.puzzle ?? puzzle, options: chosen.options ?? options, pictures: chosen.pictures ?? pictures };
  const picture = await ask("board", { at: { ...asked, puzzle: asked.puzzle.name, text: chosen.text, moves } });
  if (number !== loading) return;
  know.stop();
  learning?.abort();
  stopPlanning();
  if (board) settle();
  // Another look at the same instance, and each stroke of a brush, are no other one.
  const isSame = puzzle === asked.puzzle && options === asked.options && start?.text === chosen.text;
  if (board && !isSame && find("edit").hidden) {
    isNew = true;
    if (line.length > 1) keepLine();
  }
  ({ puzzle, options, pictures } = asked);
  start = { name: chosen.name ?? null, text: chosen.name ? chosen.text : picture.text, drawing: picture.text };
  unit = picture.unit;
  board = interactive(find("picture"), picture, word("board"), actions);
  performance.mark("picture");
  isChallenged = false;
  root = current = tree.node();
  let last = root;
  for (const step of picture.steps) last = tree.child(last, board.step(step));
  line = tree.lineThrough(root);
  shown = root;
  load(0);
  shown = null;
  showFrame();
  player.go(made);
  say(picture.note ?? "");
  document.documentElement.dataset.begun = number;
};
/** What was chosen is not shown. */
const refuse = (fault) => {
  complain(fault);
  showFrame();
};
const startBuiltin = (builtin) => begin({ name: builtin.names[0], text: builtin.text }).catch(refuse);
/** The options of pictures that are on in this language. */
const picturesOf = ({ choices }) => {
  const flags = choices.filter(({ of_pictures: ofPictures, language: of }) => ofPictures && of === language);
  return Object.fromEntries(flags.map(({ option }) => [option, true]));
};
const startPuzzle = (chosen) => {
  const [first] = chosen.builtins;
  const fresh = { options: {}, pictures: picturesOf(chosen) };
  begin({ puzzle: chosen, ...fresh, name: first.names[0], text: first.text }).catch(refuse);
};

// The frame.

const showChoices = () => {
  const set = (of, key, value) => {
    settle();
    const changed = of === "pictures" ? { pictures: { ...pictures, [key]: value } } : { options: { ...options, [key]: value } };
    // Moves of one metric may be illegal in another one.
    const moves = of === "pictures" ? line.slice(1).map(({ step }) => step.move) : [];
    begin({ ...changed, name: start.name, text: start.text }, moves, of === "pictures" ? line.indexOf(current) : 0).catch(refuse);
  };
  find("choices").replaceChildren(...puzzle.choices.map(({ option, values, of_pictures: ofPictures }) => {
    const of = ofPictures ? "pictures" : "options";
    const value = (ofPictures ? pictures : options)[option];
    if (values.length === 0) {
      const box = make("input", { type: "checkbox", id: `choice-${option}`, checked: value === true, onchange: () => set(of, option, box.checked) });
      return make("label", {}, box, ` ${word(option)}`);
    }
    const select = make("select", { id: `choice-${option}`, "aria-label": word(option), onchange: () => set(of, option, select.value) });
    values.forEach((one) => select.append(new Option(word(one), one, false, one === (value ?? values[0]))));
    return select;
  }));
};
/** Shows all that depends on the puzzle, the instance and the language. */
const showFrame = () => {
  const focused = document.activeElement?.id;
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  document.querySelectorAll("[data-word]").forEach((element) => { element.textContent = word(element.dataset.word); });
  document.querySelectorAll("[data-label]").forEach((element) => element.setAttribute("aria-label", word(element.dataset.label)));
  find("puzzle").replaceChildren(...puzzles.map(({ name }) => new Option(word(name, name), name, false, name === puzzle.name)));
  const builtin = puzzle.builtins.find(({ names }) => names[0] === start.name);
  find("instances").textContent = (language === "zh" ? builtin?.names[1] : null) ?? start.name ?? word("instances");
  find("about").textContent = word(`${puzzle.name}.about`, puzzle.about);
  find("instances").setAttribute("aria-label", `${word("instances")}: ${start.name ?? ""}`);
  find("at-once").hidden = !puzzle.moves_at_once;
  find("tab-edit").hidden = puzzle.brushes.length === 0;
  find("tab-compare").hidden = puzzle.engines.length < 2;
  document.title = `${start.name ?? puzzle.name} – fewest`;
  showChoices();
  if (editing) showEditor();
  if (!find("compare").hidden) showComparison();
  // What had the focus may be another element now.
  if (focused && document.activeElement?.id !== focused) find(focused)?.focus();
};
const showEditor = async () => {
  let text = start.drawing;
  const make = () => editor(find("edit"), { puzzle, word, text, say, position: () => positionOf(current), open: (read) => begin({ text: read }) });
  editing = make();
  if (current === root) return;
  try {
    const [own] = await ask("texts", { at: positionOf(current) });
    text = own.text;
    if (editing) editing = make();
  } catch {
    // Not all positions have a text; then there is that of the start.
  }
};
const showComparison = () => {
  endComparison();
  endComparison = comparison(find("compare"), { puzzle, word, say, position: () => positionOf(current) });
};
const tabs = ["play", "edit", "compare"];
const showTab = (name) => {
  endComparison();
  for (const tab of tabs) {
    find(tab).hidden = tab !== name;
    find(`tab-${tab}`).setAttribute("aria-selected", String(tab === name));
    find(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
  }
  find("picture").classList.toggle("edited", name === "edit");
  say("");
  if (name === "edit") {
    settle();
    board.mark([], []);
    showEditor();
  } else editing = null;
  if (name === "play") showMoves();
  if (name === "compare") showComparison();
};
let wasPlaying = false;
let isJumping = false; // on the way to a position on another line
const makePlayer = () => {
  find("controls").replaceChildren();
  player = playerIn(find("controls"), language, (at, isPlaying) => {
    if (isJumping || line[at] === shown && (wasPlaying === isPlaying || isPlaying)) return;
    if (shown && line[at] !== shown) {
      say("");
      shownEnd = null;
    }
    wasPlaying = isPlaying;
    shown = current = line[at];
    if (!isPlaying) return look();
    know.stop();
    board.mark([], []);
    board.hint([]);
    showKnown();
  });
};
const setLanguage = (chosen) => {
  kept.set("language", chosen);
  language = chosen;
  word = wordsOf(language);
  settle();
  const made = line.indexOf(current);
  makePlayer();
  load(made);
  showFrame();
  look();
};
const isDark = () => {
  const chosen = find("theme").value;
  return chosen === "dark" || chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches;
};

let learning = null; // the search for the fewest moves of the whole board
/** Learns the fewest moves of the whole board, whatever is shown of it. */
const learnRoot = async () => {
  const [at, abort] = [root, new AbortController()];
  learning = abort;
  try {
    for await (const { known } of answers("know", { at: positionOf(at) }, abort.signal)) {
      if (!known) continue;
      know.learn(at, known);
      break;
    }
  } catch {
    // Then nobody is challenged.
  }
  abort.abort();
  if (at === root) showKnown();
};
/** Opens what the address has after `#`, if it has something, or else the last position. */
const openLink = async () => {
  const packed = location.hash.slice(1) || (board === null && first === null && kept.get("here")) || "";
  if (packed === "") return false;
  let state;
  try {
    state = await link.unpack(packed);
  } catch {
    say(word("damaged"), true);
    return false;
  }
  const of = puzzles.find(({ name }) => name === state.puzzle);
  const builtin = of?.builtins.find(({ names }) => names[0] === state.name);
  if (!of || (state.name && !builtin)) {
    say(word("noSuch"), true);
    return false;
  }
  const shownAs = of === puzzle ? pictures : picturesOf(of);
  try {
    await begin({ puzzle: of, options: state.options, pictures: shownAs, name: state.name, text: builtin?.text ?? state.text }, state.moves, state.at);
    // Not after a reload.
    isChallenged = packed !== kept.get("here");
    isNew = false;
    if (isChallenged && current !== root) learnRoot();
    return true;
  } catch (fault) {
    if (fault instanceof Fault) say(`${word("damaged")} ${fault.message}`, true);
    else complain(fault);
    return false;
  }
};
/** The position and its line, for a link. */
const stateOf = () => {
  const moves = line.slice(1).map(({ step }) => step.move);
  const instance = start.name ? { name: start.name } : { text: start.text };
  return { puzzle: puzzle.name, options, ...instance, moves, at: tree.pathTo(current).length - 1 };
};
const shareLink = async () => dialogs.share(page ?? here, await link.pack(stateOf()), word);

makePlayer();
scrub(find("curve"), (share) => {
  settle();
  player.go(Math.round(share * (line.length - 1)));
});
for (const event of ["click", "input"]) find("controls").addEventListener(event, () => board.unstage(), true);
find("puzzle").addEventListener("change", () => startPuzzle(puzzles.find(({ name }) => name === find("puzzle").value)));
find("instances").addEventListener("click", () => dialogs.instances(puzzle, {
  word, isDark, start: startBuiltin, solved: kept.solved(puzzle.name, JSON.stringify(options)),
}));
find("texts").addEventListener("click", () => dialogs.texts({
  word, puzzle, say, position: () => positionOf(current), whole: () => positionOf(line[line.length - 1]),
  lineText: () => {
    const moves = line.slice(1).map(({ step }) => `${step.move}\n`);
    return `${moves.length} ${unit[moves.length === 1 ? 0 : 1]}\n${moves.join("")}`;
  },
  theme: () => (isDark() ? "dark" : "light"), read: (text) => begin({ text }),
}));
find("share").addEventListener("click", shareLink);
find("language").value = language;
find("language").addEventListener("change", () => setLanguage(find("language").value));
const setTheme = () => {
  find("dark").media = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" }[find("theme").value];
};
find("theme").addEventListener("change", () => {
  kept.set("theme", find("theme").value);
  setTheme();
});
find("theme").value = kept.get("theme") ?? "auto";
setTheme();
for (const [id, action] of Object.entries({ undo, redo, hint, solve, step: makeStep })) find(id).addEventListener("click", action);
find("together").addEventListener("change", () => board.unstage());
find("show-best").checked = kept.get("marks") === "on";
find("show-best").addEventListener("change", () => {
  kept.set("marks", find("show-best").checked ? "on" : "off");
  showKnown(null);
});
find("dialog").addEventListener("click", (event) => event.target === find("dialog") && find("dialog").close());
for (const tab of tabs) find(`tab-${tab}`).addEventListener("click", () => showTab(tab));
find("tabs").addEventListener("keydown", (event) => {
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  const there = tabs.filter((name) => !find(`tab-${name}`).hidden);
  const at = there.findIndex((name) => find(`tab-${name}`).getAttribute("aria-selected") === "true");
  const chosen = there[(at + (event.key === "ArrowRight" ? 1 : there.length - 1)) % there.length];
  showTab(chosen);
  find(`tab-${chosen}`).focus();
  event.preventDefault();
  event.stopPropagation();
});
document.addEventListener("keydown", (event) => {
  if (!board || find("dialog").open || event.defaultPrevented) return;
  if (board.press(event)) return;
  const isText = event.target.matches("input:not([type=range]):not([type=checkbox]), textarea, select");
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !find("play").hidden;
  const keys = { u: undo, r: redo, h: event.repeat ? null : hint, Backspace: undo, Enter: event.target.closest("button, summary") ? null : makeStep };
  const control = { z: event.shiftKey ? redo : undo, y: redo };
  const action = isText ? null : isPlain ? keys[event.key] : event.ctrlKey || event.metaKey ? control[event.key.toLowerCase()] : null;
  if (action && (action !== makeStep || !find("step").hidden)) {
    event.preventDefault();
    action();
  } else if (event.key === "Escape") board.unstage();
  else if (!isText) {
    board.unstage();
    player.press(event);
  }
});
document.addEventListener("keyup", (event) => board?.pressUp(event));
addEventListener("blur", () => board?.unstage());
// A file that misses the text field does not replace the page.
for (const event of ["dragover", "drop"]) document.addEventListener(event, (dropped) => dropped.preventDefault());
addEventListener("hashchange", openLink);
showTab("play");
if (!(await openLink())) {
  const complaint = find("status").textContent;
  const builtin = puzzle.builtins.find(({ text }) => first === null || text === first);
  await begin({ pictures: picturesOf(puzzle), name: builtin?.names[0], text: first ?? builtin.text }).catch(complain);
  if (complaint) say(complaint, true);
}
document.body.inert = false;
document.documentElement.dataset.ready = "true";
