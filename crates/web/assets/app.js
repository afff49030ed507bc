// The page: a board, the tree of the moves made on it, and what is proved of each position.

import { answers, ask, catalog, here, limits } from "./api.js";
import { interactive } from "./board.js";
import { learn } from "./chinese.js";
import { comparison } from "./compare.js";
import { scrub, showCurve } from "./curve.js";
import { close, share } from "./dialog.js";
import { button, find, make, pointing } from "./dom.js";
import { editor, forget } from "./edit.js";
import { Fault, textOf } from "./fault.js";
import { collection, gallery } from "./gallery.js";
import * as kept from "./kept.js";
import * as know from "./know.js";
import { playerIn } from "./player.js";
import * as link from "./share.js";
import { showStart } from "./start.js";
import { texts } from "./texts.js";
import * as tree from "./tree.js";
import { isHan, isLanguage, preferred, wordsOf } from "./words.js";

let language = isLanguage(kept.get("language")) ? kept.get("language") : preferred;
let word = wordsOf(language);
const { puzzles, start: first, page } = await catalog().catch((fault) => {
  find("notice").textContent = word("lost");
  throw fault;
});
puzzles.forEach(learn);
let puzzle = puzzles[0];
let start = null; // the instance: its name or label and its place in a list, whether it is a draft, its text, also as a drawing, and its size
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
let comparing = null; // the comparison that is shown
let hints = 0; // how much of a hint is shown
let planning = null; // the search for a plan that runs
let isChallenged = false; // whether who was sent the board is still to be asked for its fewest moves
let loading = 0; // the number of the last instance that was asked for

/** Tells something below the board. Progress is not read aloud. */
const say = (text, isBad = false, isProgress = false) => {
  const status = find("status");
  status.setAttribute("aria-live", isProgress ? "off" : "polite");
  // What has no sentence in Chinese is English.
  status.lang = language === "zh" && isHan(text) ? "zh-CN" : "en";
  status.classList.toggle("bad", isBad);
  status.textContent = find("notice").textContent = word.line(text);
};
const complain = (fault) => {
  if (fault.name !== "AbortError") say([textOf(fault, word), fault.hint && word.said(fault.hint)].filter(Boolean).join("; "), true);
};

/** A position for the program. */
const positionOf = (at) => ({
  puzzle: puzzle.name, options, pictures, text: start.text, moves: tree.pathTo(at).slice(1).map(({ step }) => step.move),
});

// What is shown.

const noun = (number) => (language === "en" ? unit[number === 1 ? 0 : 1] : word("moves"));
const counted = (number) => `${number} ${noun(number)}`;
/** A limit: some answers have its name, and others say it. */
const limitText = (limit) => word.said(word(limit));
/** Why a search was stopped. A larger limit does not help if the server ends. */
const stoppedText = (limit) =>
  [`${word("stopped")} ${limitText(limit)}`, /time|memory/.test(limit) && word(limits)].filter(Boolean).join("; ");
const knownText = ({ moves, unsolvable, lower_bound: bound, stopped }) => {
  if (unsolvable) return [word("noPlan")];
  if (moves === 0) return [make("b", {}, word("solved")), endText()];
  if (moves !== null && stopped === null) return [make("b", {}, String(moves)), word("fewest").replace("#", noun(moves))];
  return [word.line(`${stoppedText(stopped)}. ${word("proved")} ${word("atLeast")} ${counted(bound ?? 0)}.`)];
};
/** How good the line is that has solved the board: once the fewest moves are known. */
const endText = () => {
  const [made, fewest] = [tree.pathTo(current).length - 1, root.known?.moves];
  if (made === 0) return "";
  const judged = fewest == null ? "in" : made === fewest ? "endBest" : "end";
  return word(judged).replace("#", counted(made)).replace("##", fewest);
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
    known.replaceChildren(word.line(`${word("searching")} ${word("atLeast")} ${counted(progress.lower_bound)}; `
      + `${progress.expanded.toLocaleString(language)} ${word("states")}, ${progress.elapsed_seconds.toFixed(1)} s`));
  } else if (progress !== null) known.replaceChildren(word("searching"));
  if (isChallenged && root.known?.moves > 0) {
    isChallenged = false;
    if (find("status").textContent === "") say(word("challenge").replace("#", counted(root.known.moves)));
  }
  const isSolved = current.known?.moves === 0;
  for (const id of ["hint", "solve"]) find(id).hidden = isSolved;
  find("onward").hidden = !isSolved || following() === null;
  if (isSolved) {
    const isOver = !wasPlaying || current === line[line.length - 1];
    if (!find("play").hidden && current !== root && isOver) board.leave();
    noteSolved();
  }
  showWasted();
  showMoves();
  showTree();
};
/** Names the moves of the line that did not help, if it has solved the board and was judged. */
const showWasted = () => {
  const isJudged = line[line.length - 1].known?.moves === 0 && root.known?.moves != null;
  const wasted = isJudged ? line.map((at, index) => [at, index]).filter(([at]) => tree.keeps(at) === false) : [];
  const jumps = wasted.slice(0, 12).map(([at, number]) => button(`${number} ${at.step.text}`, () => goTo(at)));
  // Elements stay while they are true.
  const isShown = wasted.length === shownWasted.length && wasted.every(([at], index) => at === shownWasted[index]);
  if (isShown && language === find("wasted").lang) return;
  shownWasted = wasted.map(([at]) => at);
  find("wasted").lang = language;
  find("wasted").replaceChildren(...(jumps.length > 0 ? [word("wasted"), ...jumps, wasted.length > 12 ? " …" : ""] : []));
};
let shownWasted = []; // the positions after the moves that are named
/** Notes that the player has solved the board: what the program has found does not count. */
const noteSolved = () => {
  const path = tree.pathTo(current).slice(1);
  if (path.length === 0 || !path.every(({ isByHand }) => isByHand)) return;
  kept.noteSolved(puzzle.name, JSON.stringify(options), start.name ?? start.text, path.length);
};
let listed = null; // the moves in the list
let placeOfKey = null; // the place in the list that a key has chosen, which the next move takes
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
    const choose = (move, place) => ({ detail }) => {
      placeOfKey = detail === 0 ? place : null;
      makeMove(move, false, at);
    };
    list.replaceChildren(...moves.list.map((move, place) => make("li", {}, pointing(button("", choose(move, place)),
      () => board.preview(move), () => board.preview(null)))),
      ...notes.map((note) => make("li", { class: "small" }, word(note))));
    const next = placeOfKey === null || document.activeElement !== document.body ? null
      : list.querySelectorAll("button")[Math.min(placeOfKey, moves.list.length - 1)];
    next?.focus({ preventScroll: true });
  }
  moves.list.forEach((move, index) => {
    const row = list.children[index].firstElementChild;
    const mark = markOf(move);
    const text = `${move.text}${mark && ` ${mark}`}`;
    if (row.textContent !== text) row.textContent = text;
    row.classList.toggle("keeps", mark === "✓");
    row.classList.toggle("unexamined", mark === "…");
    row.title = mark === "✓" ? word("keeps") : mark === "…" ? word("unexamined") : mark[0] === "+" ? word("worse").replace("#", mark.slice(1)) : "";
  });
  if (find("play").hidden || board.isStaged()) return;
  if (current.known?.moves === 0) return board.mark([], []);
  const keeping = moves.list.filter(keepsTo);
  const others = moves.list.filter((move) => current.after.has(move.move) && !keeping.includes(move));
  const hinted = hints > 1 && current.plan ? current.plan.slice(0, 1) : [];
  board.mark([...hinted, ...keeping], isMarking() ? others : []);
};
const showTree = () => {
  find("no-moves").hidden = root.children.length > 0;
  showCurve(find("curve"), line, current, word("curve"));
  tree.show(find("tree"), root, current, isMarking() ? word : null, goTo, (step) => board.preview(step));
};
const setDisabled = (id, isDisabled) => find(id).setAttribute("aria-disabled", String(isDisabled));

let looking = Promise.resolve(); // until the moves of the current position are there
/** Asks for the moves of the current position, and what is proved of it. */
const look = () => {
  looking = lookUp();
};
const lookUp = async () => {
  const at = current;
  board.stay();
  setDisabled("undo", at.parent === null);
  setDisabled("redo", !next());
  hints = 0;
  board.hint([]);
  board.setMoves(at.moves?.list ?? []);
  board.mark([], []);
  board.preview(null);
  know.stop();
  if (planning) say("");
  stopPlanning();
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
  if (at !== current || view() !== "board") return;
  board.setMoves(at.moves?.list ?? []);
  for (const one of line.length > 1000 ? [at] : line) {
    if (!one.isRecalled) know.recall(positionOf(one), one);
    one.isRecalled = true;
  }
  showKnown();
  remember();
  if (!find("edit").hidden && editedAt !== at) showEditor();
  examine(at);
};
/** Asks what is proved of a position, and then of the rest of the line: for its curve, and for its end. */
const examine = async (at) => {
  const onChange = (...news) => at === current && view() === "board" && showKnown(...news);
  if (await know.start(positionOf(at), at, onChange)) know.startLine(line, positionOf, onChange);
};
let isNew = false; // whether the address is that of the instance before
let address = location.hash; // that of what is shown; null while another one is opened
let remembered = 0; // the number of the last state that is to be kept
let remembering = Promise.resolve(); // until it is
/** Puts the position into the address, so that it is there after a reload, and *Back* leads to the instance before. */
const remember = (at = current) => {
  if (branching !== loading) remembering = keepState(at);
};
const keepState = async (at) => {
  const [of, number] = [root, remembered += 1];
  const packed = await link.pack(ownState(at));
  if (of !== root || number !== remembered) return;
  // Where one stopped is where moves were made, or a board of one's own.
  if (line.length > 1 || !start.name || !kept.get("here")) kept.set("here", packed);
  // Where the browser goes in the meantime is not overwritten.
  if (view() !== "board" || location.hash !== address) return;
  history[isNew ? "pushState" : "replaceState"](null, "", `#${packed}`);
  address = location.hash;
  isNew = false;
};

// Moves.

/** The player shows the line; `made` moves of it are on the board. */
const load = (made) => {
  find("controls").classList.toggle("off", line.length === 1);
  player.load(board, line.slice(1).map(({ step }) => step), made);
};
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
  at.isByHand = true;
  const made = tree.pathTo(current).length - 1;
  follow(at, made);
  // It is not lost if the page is left before the board has followed.
  remember(at);
  if (isShown) player.go(made + 1);
  else player.forward();
};
/** Ends what moves, so that the board is that of the current position. */
const settle = () => {
  board.stay();
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
/** Asks for the move of pushed parts, of which the only one has this label on the board. */
const push = async (pushes, label) => {
  const at = current;
  try {
    const { step } = await ask("by-hand", { at: positionOf(at), pushes });
    makeMove(board.step(step), false, at);
    return true;
  } catch (fault) {
    // It is about this move, and the program calls a piece by its letter.
    fault.message = fault.message.replace(/^(?:move|step) \d+: /, "");
    if (label) fault.message = fault.message.replace(/piece `.`/, () => `piece \`${label}\``);
    if (language === "en") fault.message = fault.message.replaceAll("`", "");
    complain(fault);
    return false;
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
  find("solve").textContent = word("solve");
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
    // One search is enough.
    know.stop();
    find("solve").textContent = word("stop");
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
      if (planning === abort) stopPlanning();
    }
    if (at !== current) return;
    showKnown(null);
    examine(at);
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
  remember();
  setDisabled("redo", false);
  showKnown(null);
};
const notProved = ({ limit }) => `${word("notProved")} ${limitText(limit)}`;
const hint = () => withPlan(false, (plan, answer) => {
  hints += 1;
  const [first] = plan;
  board.hint(first.motions.map(([part]) => part).filter((part) => board.parts[part].dataset.part !== "line"));
  if (hints > 1) board.mark([first], []);
  if (hints > 2) addPlan(plan);
  const told = [word("hintPart"), `${word("hintMove")} ${first.text}`, word("hintPlan")][Math.min(hints, 3) - 1];
  say(answer.optimal ? told : `${told} ${notProved(answer)}`);
});
const findPlan = () => withPlan(puzzle.counts_plans, (plan, answer) => {
  addPlan(plan);
  const { plan_count: plans, plans_limit: limit } = answer;
  const many = plans ? word(plans === "1" ? "onePlan" : "plans").replace("#", plans) : limit ? `${word("planLimit")} ${limitText(limit)}` : "";
  say(answer.optimal ? word("plan").replace("#", counted(plan.length)) + many : notProved(answer));
});
/** Searches for a plan, or stops to. */
const solve = () => {
  if (!planning) return findPlan();
  stopPlanning();
  say("");
  examine(current);
};

// Instances.

const isStaging = () => puzzle.moves_at_once && find("together").checked;
const actions = {
  make: makeMove, inOrder,
  nameOf: (label, row, column) => word.line(`${word(label, label)}, ${word("cell").replace("#", row).replace("#", column)}`),
  settle: () => (isStaging() ? player.finish() : settle()),
  push: (cell, path, label) => push([{ cell, path }], label),
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
const makeStep = async () => {
  if (!await push(board.staged())) board.unstage();
};

/** Notes a line that something else replaces, if it has moves. */
const noteLine = (state, packed) => {
  const { puzzle: of, options: chosen, name, text, moves } = state;
  if (moves.length > 0) kept.noteRecent({ puzzle: of, name, of: JSON.stringify([of, chosen, name ?? text]), line: moves.map((move) => `${move}\n`).join(""), packed });
};
const keepLine = () => {
  const state = ownState();
  link.pack(state).then((packed) => noteLine(state, packed));
};
/** Keeps the line of the last visit, unless it is the one that is opened. */
const keepLast = async (opened) => {
  const packed = kept.get("here");
  const state = packed && packed !== opened && await link.unpack(packed).catch(() => null);
  if (state) noteLine(state, packed);
};
/**
 * Draws an instance, with moves up to `made`; throws, and changes nothing, if the program refuses it. `opened` is
 * its link, if it has one, which the address has already if it `isHere`; drafts of the editor are no instances of
 * their own. Returns whether it is shown: something else may have been asked for.
 */
const begin = async (chosen, moves = [], made = 0, { opened = null, isDraft = false, isHere = false } = {}) => {
  const number = (loading += 1);
  const asked = { puzzle: chosen.puzzle ?? puzzle, options: chosen.options ?? options, pictures: chosen.pictures ?? pictures };
  // The solver may still be on its way.
  const timer = setTimeout(() => number === loading && say(word("loading"), false, true), 300);
  const picture = await ask("board", { at: { ...asked, puzzle: asked.puzzle.name, text: chosen.text, moves } }).finally(() => clearTimeout(timer));
  if (number !== loading) return false;
  // What was typed in the editor stays there.
  if (isDraft && picture.has_more) throw new Fault({ message: "the text has several boards; expected one" });
  address = location.hash;
  know.stop();
  stopPlanning();
  if (board) {
    settle();
    keepLine();
  } else keepLast(opened);
  if (!isDraft) forget();
  const isOther = view() === "start" || board !== null && !(isDraft && start.isDraft && line.length === 1);
  isNew = !isHere && (isNew || isOther);
  ({ puzzle, options, pictures } = asked);
  const { name = null, label = null, place = null } = chosen;
  start = { name, label, place, isDraft, text: name ? chosen.text : picture.text, drawing: picture.text, size: picture.size };
  unit = picture.unit;
  const isFirst = view() !== "board";
  if (isFirst) show("board");
  board = interactive(find("picture"), picture, word("board"), actions);
  performance.mark("picture");
  if (isFirst) board.svg.focus({ preventScroll: true });
  isChallenged = false;
  root = current = tree.node();
  addSteps(picture.steps);
  line = tree.lineThrough(root);
  showBoard(made);
  say(word.said(picture.note ?? ""));
  document.documentElement.dataset.begun = number;
  return true;
};
/** Draws the instance in another way; the moves stay, and all that is known. */
const redraw = async (chosen) => {
  const number = (loading += 1);
  const picture = await ask("board", { at: { ...positionOf(root), pictures: chosen } });
  if (number !== loading) return;
  settle();
  pictures = chosen;
  board = interactive(find("picture"), picture, word("board"), actions);
  tree.each(root, (at) => {
    if (at.step) at.step = board.named(at.step);
    if (at.moves) at.moves = { ...at.moves, list: at.moves.list.map(board.named) };
    if (at.plan) at.plan = at.plan.map(board.named);
    delete at.row;
  });
  showBoard(line.indexOf(current));
};
/** Shows a board that is new, with `made` moves of the line. */
const showBoard = (made) => {
  shown = root;
  load(0);
  shown = null;
  showFrame();
  player.go(made);
};
/** What was chosen is not shown. */
const refuse = (fault) => {
  complain(fault);
  if (board) showFrame();
};
/** Opens the instances of a text: the only one, or a list of them. */
const openTexts = (found, note) => {
  if (found.length === 1) return startText(found[0], word("ownBoard")).then(close).then(() => note && say(note, true));
  kept.keepCollection(puzzle.name, found);
  collection(puzzle, found, note, choices());
};
const startText = (text, label, place) => begin({ text, label, place });
/** Follows the moves of a plan from the start. */
const followMoves = (moves) => begin({ ...start }, moves, 0);
const startBuiltin = (builtin) => begin({ name: builtin.names[0], text: builtin.text }).catch(refuse);
/** The built-in instance with this name. */
const builtinOf = ({ builtins }, name) => builtins.find(({ names }) => names[0] === name);
/** Its name in the language of the page. */
const localName = (builtin) => builtin && word.names(builtin.names)[0];
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

/** Goes on with other options; the line becomes what it is under them. */
const setOptions = async (chosen) => {
  const number = (loading += 1);
  const [of, before, made, { byHand }] = [{ puzzle, ...start }, line.length - 1, line.indexOf(current), ownState()];
  const { moves, made: after, is_whole: isWhole } = before === 0 ? { moves: [], made: [], is_whole: true }
    : await ask("convert", { at: positionOf(line[before]), options: chosen });
  if (number !== loading) return;
  const there = made === 0 ? 0 : after.findIndex((moved) => moved >= made) + 1;
  const isShown = await begin({ ...of, options: chosen }, moves, there || (made > 0 ? moves.length : 0));
  if (!isShown) return;
  line.slice(1).forEach((at, index) => { at.isByHand = after[index] <= byHand; });
  if (!isWhole) say(word("cutShort"));
};
/** Options without those that are as they are at first. */
const plainOptions = (of, chosen) => {
  const isPlain = ([key, value]) => of.choices.some(({ option, values }) => option === key && values[0] === value);
  return Object.fromEntries(Object.entries(chosen).filter((entry) => !isPlain(entry)));
};
const showChoices = () => {
  const set = (of, key, value) => {
    settle();
    if (of === "pictures") redraw({ ...pictures, [key]: value }).catch(refuse);
    else setOptions(plainOptions(puzzle, { ...options, [key]: value })).catch(refuse);
  };
  find("choices").replaceChildren(...puzzle.choices.map(({ option, values, of_pictures: ofPictures }) => {
    const of = ofPictures ? "pictures" : "options";
    const value = (ofPictures ? pictures : options)[option];
    if (values.length === 0) {
      const box = make("input", { type: "checkbox", id: `choice-${option}`, checked: value === true, onchange: () => set(of, option, box.checked) });
      return make("label", { class: "check" }, box, word(option));
    }
    const select = make("select", { id: `choice-${option}`, "aria-label": word(option), onchange: () => set(of, option, select.value) });
    values.forEach((one) => select.append(new Option(word(one), one, false, one === (value ?? values[0]))));
    return select;
  }));
};
/** Shows all that depends on the language only. */
const showWords = () => {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  document.querySelectorAll("[data-word]").forEach((element) => { element.textContent = word(element.dataset.word); });
  document.querySelectorAll("[data-label]").forEach((element) => element.setAttribute("aria-label", word(element.dataset.label)));
};
/** Shows all that depends on the puzzle, the instance and the language. */
const showFrame = () => {
  const focused = document.activeElement?.id;
  showWords();
  find("puzzle").replaceChildren(...puzzles.map(({ name }) => new Option(word(name, name), name, false, name === puzzle.name)));
  const name = localName(builtinOf(puzzle, start.name)) ?? start.label ?? word("ownBoard");
  find("instances").textContent = name;
  find("about").textContent = word(`${puzzle.name}.about`, puzzle.about);
  find("instances").setAttribute("aria-label", `${word("instances")}: ${name}`);
  find("at-once").hidden = !puzzle.moves_at_once;
  find("tab-edit").hidden = puzzle.brushes.length === 0;
  find("tab-compare").hidden = puzzle.engines.length < 2;
  document.title = `${name} – fewest`;
  showChoices();
  if (!find("edit").hidden) showEditor();
  if (!find("compare").hidden) showComparison();
  // What had the focus may be another element now.
  if (focused && document.activeElement?.id !== focused) find(focused)?.focus();
};
let editedAt = null; // the position that the editor is made for
const showEditor = async () => {
  const at = current;
  editedAt = at;
  const edit = (text) => editor(find("edit"), {
    puzzle, word, text, say, position: () => positionOf(current), size: start.size, open: (read) => begin({ text: read, label: word("ownBoard") }, [], 0, { isDraft: true }),
  });
  let text = start.drawing;
  if (at !== root) {
    find("edit").replaceChildren();
    // Not all positions have a text; then there is that of the start.
    await ask("texts", { at: positionOf(at) }).then(([own]) => { text = own.text; }, () => {});
  }
  if (at === current && !find("edit").hidden) editing = edit(text);
};
const endComparison = () => {
  comparing?.end();
  comparing = null;
};
const showComparison = () => {
  endComparison();
  comparing = comparison(find("compare"), find("compared-boards"), { puzzle, word, position: () => positionOf(current) });
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
  find("table").classList.toggle("playing", name === "play");
  find("table").classList.toggle("comparing", name === "compare");
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
    if (shown && line[at] !== shown) say("");
    wasPlaying = isPlaying;
    shown = current = line[at];
    if (!isPlaying) return look();
    know.stop();
    stopPlanning();
    board.stay();
    board.mark([], []);
    board.hint([]);
    showKnown();
  });
};
const setLanguage = (chosen) => {
  kept.set("language", chosen);
  language = chosen;
  word = wordsOf(language);
  listed = null;
  const made = line.indexOf(current);
  if (board) settle();
  say("");
  makePlayer();
  if (board) load(made);
  if (view() === "start") return openStart();
  showFrame();
  look();
};
const isDark = () => {
  const chosen = find("theme").value;
  return chosen === "dark" || chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches;
};

/** What the page shows: `start`, `board`, or nothing yet. */
const view = () => document.documentElement.dataset.view;
const show = (name) => {
  document.documentElement.dataset.view = name;
  scrollTo(0, 0);
};
const theme = () => (isDark() ? "dark" : "light");
/** The last position: its puzzle, its position for the program, and its name. */
const lastPosition = async () => {
  const packed = kept.get("here");
  const state = packed && await link.unpack(packed).catch(() => null);
  const of = state && puzzles.find(({ name }) => name === state.puzzle);
  if (!of) return null;
  const builtin = builtinOf(of, state.name);
  const text = builtin?.text ?? state.text;
  const at = { puzzle: of.name, options: state.options, pictures: picturesOf(of), text, moves: state.moves.slice(0, state.at) };
  return text && { at, name: [word(of.name, of.name), localName(builtin), state.at > 0 && `${state.at} ${word(state.at === 1 ? "move" : "moves")}`].filter(Boolean).join(" · ") };
};
/** Shows the start page, if there is a choice. */
const openStart = async () => {
  // What was asked for before is not shown any more.
  const number = (loading += 1);
  if (board) {
    settle();
    know.stop();
    stopPlanning();
    showTab("play");
  }
  // From now on, the board does not write its address.
  show("start");
  find("go-on")?.remove();
  showWords();
  document.title = "fewest";
  await remembering;
  const last = await lastPosition();
  const goOn = () => openPacked(kept.get("here"));
  if (number === loading) showStart(find("start"), { puzzles, last, word, theme: theme(), open: startPuzzle, goOn });
};

/** Opens a link; returns whether it can be. */
const openPacked = async (packed, isHere = false) => {
  let state;
  try {
    state = await link.unpack(packed);
  } catch {
    say(word("damaged"), true);
    return false;
  }
  const of = puzzles.find(({ name }) => name === state.puzzle);
  const builtin = of && builtinOf(of, state.name);
  if (!of || (state.name && !builtin)) {
    say(word("noSuch"), true);
    return false;
  }
  const shownAs = of === puzzle && board ? pictures : picturesOf(of);
  const chosen = { puzzle: of, options: plainOptions(of, state.options), pictures: shownAs, name: state.name, text: builtin?.text ?? state.text };
  try {
    if (!(await begin(chosen, state.moves, state.at, { opened: packed, isHere }))) return true;
    // Who made the line is not asked to do better.
    isChallenged = state.byHand === undefined;
    line.slice(1, 1 + (state.byHand ?? 0)).forEach((at) => { at.isByHand = true; });
    await addBranches((state.branches ?? []).slice(0, MOST_BRANCHES));
    return true;
  } catch (fault) {
    if (fault instanceof Fault) say(`${word("damaged")} ${textOf(fault, word)}`, true);
    else complain(fault);
    return false;
  }
};
/** Adds moves of the program to the tree, from its first position; returns the position after them. */
const addSteps = (steps) => steps.reduce((at, step) => tree.child(at, board.step(step)), root);
/** Adds lines that branch from the one that is shown, up to one that is not legal. */
const addBranches = async (branches) => {
  if (branches.length === 0) return;
  const number = branching = loading;
  try {
    for (const moves of branches) {
      const { steps } = await ask("board", { at: { ...positionOf(root), moves } });
      if (number !== loading) return;
      addSteps(steps);
    }
  } catch (fault) {
    complain(fault);
  }
  if (number !== loading) return;
  branching = 0;
  showTree();
  remember();
};
let branching = 0; // the number of the instance whose branches are not all there yet
/** Opens what the address has after `#`. */
const openLink = async () => {
  const packed = location.hash.slice(1);
  return packed !== "" && openPacked(packed, true);
};
/** How the next instance is opened: of the built-in ones, or of the texts that were read; `null` if there is none. */
const following = () => {
  const at = puzzle.builtins.findIndex(({ names }) => names[0] === start.name);
  if (at >= 0) return at + 1 < puzzle.builtins.length ? () => startBuiltin(puzzle.builtins[at + 1]) : null;
  const texts = kept.collection(puzzle.name);
  const place = texts[start.place] === start.text ? start.place : texts.indexOf(start.text);
  if (place < 0 || place + 1 >= texts.length) return null;
  return () => startText(texts[place + 1], `${place + 2} / ${texts.length}`, place + 1).catch(refuse);
};
const goOnward = async () => {
  await following()();
  board.svg.focus({ preventScroll: true });
};
/** The position and its line, for a link. */
const stateOf = (at = current) => {
  const moves = line.slice(1).map(({ step }) => step.move);
  const instance = start.name ? { name: start.name } : { text: start.text };
  return { puzzle: puzzle.name, options, ...instance, moves, at: tree.pathTo(at).length - 1 };
};
/** The most branches that are kept. */
const MOST_BRANCHES = 12;
/** The same with what others are not sent: how many of its first moves were made by hand, and its branches. */
const ownState = (at) => {
  const byHand = line.findIndex((at) => at !== root && !at.isByHand);
  const branches = tree.ends(root).filter((at) => !line.includes(at)).slice(-MOST_BRANCHES);
  return { ...stateOf(at), byHand: (byHand < 0 ? line.length : byHand) - 1, branches: branches.map((at) => positionOf(at).moves) };
};
const shareLink = async () => share(page ?? here, await link.pack(stateOf()), word);
/** What the lists of instances need. */
const choices = () => ({
  word, theme: theme(), start: startBuiltin, read: (text, label, place) => startText(text, label, place).catch(refuse),
  nameOf: (of, name) => localName(builtinOf(puzzles.find((one) => one.name === of) ?? puzzle, name)) ?? name,
  solved: kept.solved(puzzle.name, JSON.stringify(options)), openPacked, hasPlainOptions: Object.keys(options).length === 0,
});

const TEXT_FIELDS = "input:not([type=range], [type=checkbox]), textarea";

makePlayer();
scrub(find("curve"), (share) => {
  settle();
  player.go(Math.round(share * (line.length - 1)));
});
for (const event of ["click", "input"]) find("controls").addEventListener(event, () => {
  board.stay();
  board.unstage();
}, true);
find("puzzle").addEventListener("change", () => startPuzzle(puzzles.find(({ name }) => name === find("puzzle").value)));
find("instances").addEventListener("click", () => gallery(puzzle, choices()));
/** The most letters that are read, as of a request. */
const MOST_LETTERS = 2 ** 20;
/** Opens the dialog of texts, which reads a text at once if there is one. */
const openTextDialog = (given = "") => {
  if (given.length > MOST_LETTERS) return say(word.said("at most 1 MiB"), true);
  const moves = line.slice(1).map(({ step }) => `${step.move}\n`);
  texts({
    word, puzzle, say, at: positionOf(current), whole: positionOf(line[line.length - 1]), start: positionOf(root), theme: theme(),
    plan: `${moves.length} ${unit[moves.length === 1 ? 0 : 1]}\n${moves.join("")}`, read: openTexts, readMoves: followMoves, given,
    name: start.name ?? puzzle.name,
  });
};
find("texts").addEventListener("click", () => openTextDialog());
find("share").addEventListener("click", shareLink);
find("language").value = language;
find("language").addEventListener("change", () => setLanguage(find("language").value));
const setTheme = () => {
  find("dark").media = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" }[find("theme").value];
};
find("theme").addEventListener("change", () => {
  kept.set("theme", find("theme").value);
  setTheme();
  if (view() === "start") openStart();
});
find("theme").value = kept.get("theme") ?? "auto";
setTheme();
for (const [id, action] of Object.entries({ undo, redo, hint, solve, step: makeStep, onward: goOnward })) find(id).addEventListener("click", action);
find("together").addEventListener("change", () => board.unstage());
find("show-best").checked = kept.get("marks") === "on";
find("show-best").addEventListener("change", () => {
  kept.set("marks", find("show-best").checked ? "on" : "off");
  showKnown(null);
});
const openMenu = (isOpen) => {
  find("menu").classList.toggle("open", isOpen);
  find("more").setAttribute("aria-expanded", String(isOpen));
};
find("more").addEventListener("click", () => openMenu(!find("menu").classList.contains("open")));
document.addEventListener("click", (event) => {
  if (!event.target.closest("#more, #menu :not(button)")) openMenu(false);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !find("menu").classList.contains("open")) return;
  openMenu(false);
  find("more").focus();
});
find("dialog").addEventListener("close", () => find("dialog").replaceChildren());
find("dialog").addEventListener("click", (event) => event.target === find("dialog") && close());
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
  if (view() !== "board" || find("dialog").open || event.defaultPrevented) return;
  if (board.press(event)) return;
  const isText = event.target.matches(`${TEXT_FIELDS}, select`);
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !find("play").hidden;
  const keys = { u: undo, r: redo, h: event.repeat ? null : hint, Backspace: undo, Enter: event.target.closest("button, summary") ? null : makeStep };
  const control = { z: event.shiftKey ? redo : undo, y: redo };
  const action = isText ? null : isPlain ? keys[event.key] : (event.ctrlKey || event.metaKey) && !find("play").hidden ? control[event.key.toLowerCase()] : null;
  if (action && (action !== makeStep || !find("step").hidden)) {
    event.preventDefault();
    action();
  } else if (event.key === "Escape") board.unstage();
  else if (!isText && !find("play").hidden) {
    board.unstage();
    player.press(event);
  }
});
document.addEventListener("keyup", (event) => board?.pressUp(event));
addEventListener("blur", () => board?.unstage());
// What is dropped or pasted anywhere is read. A file that misses the text field does not replace the page.
const isReading = () => view() === "board" && !find("dialog").open;
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (isReading() && file) file.text().then(openTextDialog);
});
document.addEventListener("paste", (event) => {
  if (isReading() && !event.target.closest(TEXT_FIELDS)) openTextDialog(event.clipboardData.getData("text"));
});
let opening = 0; // the number of the last address that was opened
/** Opens what the address says, or else the start page. */
const opens = async () => {
  // Until what it says is shown, nothing is written to it.
  const number = opening += 1;
  address = null;
  if (find("dialog").open) close();
  const isOpened = await openLink();
  const isStart = !isOpened && puzzles.length > 1 && (location.hash.length < 2 || !board);
  if (isStart) await openStart();
  if (number === opening) address = location.hash;
  return isOpened || isStart;
};
addEventListener("hashchange", opens);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => view() === "start" && openStart());
if (puzzles.length === 1) {
  find("home").removeAttribute("href");
  if (first === null && location.hash.length < 2 && kept.get("here")) history.replaceState(null, "", `#${kept.get("here")}`);
}
document.documentElement.dataset.begun = 0;
showTab("play");
if (first !== null && location.hash.length < 2 || !(await opens())) {
  const complaint = find("status").textContent;
  const builtin = puzzle.builtins.find(({ text }) => first === null || text === first);
  await begin({ pictures: picturesOf(puzzle), name: builtin?.names[0], text: first ?? builtin.text }).catch(complain);
  if (complaint) say(complaint, true);
}
document.body.inert = false;
document.documentElement.dataset.ready = "true";
