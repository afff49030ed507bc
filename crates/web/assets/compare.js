// Two engines side by side on one board: which boards each expands, and how many at each lower bound, until it stops.

import { answers } from "./api.js";
import { ofPosition } from "./cards.js";
import { button, draw, find, isStill, make } from "./dom.js";
import { textOf } from "./fault.js";

const WIDTH = 200;
const ROW = 12;

/** How many states are expanded while each lower bound is proved, after `expanded` expansions. */
const bars = (snapshots, expanded) => {
  const of = new Map();
  let before = snapshots[0];
  for (const snapshot of snapshots) {
    const bound = before.lower_bound ?? 0;
    const made = Math.max(0, Math.min(snapshot.expanded, expanded) - before.expanded);
    if (made > 0) of.set(bound, (of.get(bound) ?? 0) + made);
    before = snapshot;
  }
  return of;
};

const chart = (title, word) => {
  const board = make("div", { class: "expanded", role: "img", "aria-label": word("expandedBoard") });
  const picture = draw("svg", { class: "chart", role: "img", "aria-label": title });
  const table = make("table");
  return { element: make("div", {}, make("h3", {}, title), board, picture, table), board, picture, table, word };
};

const show = (chart, { snapshots, boards, known }, expanded, { bounds, most }) => {
  const { board, picture, table, word } = chart;
  const shown = boards.findLast(([number]) => number <= Math.max(1, expanded));
  if (chart.shown !== shown) board.innerHTML = shown?.[1] ?? "";
  chart.shown = shown;
  const last = snapshots[snapshots.length - 1];
  const [whole, made] = [bars(snapshots, last.expanded), bars(snapshots, expanded)];
  picture.setAttribute("viewBox", `0 0 ${WIDTH} ${bounds * ROW}`);
  const rows = [];
  for (let bound = 0; bound < bounds; bound += 1) {
    const length = (of) => ((of.get(bound) ?? 0) / most) * (WIDTH - 20);
    const at = { x: 18, y: bound * ROW + 1, height: ROW - 2 };
    rows.push(draw("text", { x: 14, y: bound * ROW + ROW - 3 }, String(bound)));
    rows.push(draw("rect", { class: "bar", ...at, width: length(whole) }));
    rows.push(draw("rect", { class: "done", ...at, width: length(made) }));
  }
  picture.replaceChildren(...rows);
  const reached = snapshots.findLast((one) => one.expanded <= expanded) ?? snapshots[0];
  const isDone = expanded >= last.expanded;
  const cells = [
    ["expanded", Math.min(expanded, last.expanded)], ["generated", reached.generated], ["duplicates", reached.duplicates],
    ["bound", isDone ? last.lower_bound ?? "–" : reached.lower_bound ?? "–"],
    ["answer", isDone ? (known.moves ?? word("unsolvable")) : "…"],
  ];
  table.replaceChildren(...cells.map(([name, value]) => make("tr", {}, make("td", {}, word(name)), make("td", {}, String(value)))));
};

let board = null; // the board that was chosen last: `example` or `here`

/**
 * The comparison in an element, of engines of a puzzle: on an example where a bound pays, which runs at once, or at
 * the position that `position()` is. Returns how to end it, and what to do if the position is another one.
 */
export const comparison = (element, { puzzle, word, position, theme }) => {
  const choice = (id, label, values, initial) => {
    const select = make("select", { id, "aria-label": word(label) });
    for (const [value, name] of values) select.append(new Option(name, value, false, value === initial));
    return select;
  };
  const engines = puzzle.engines.map((name) => [name, name]);
  const initial = (name, otherwise) => (puzzle.engines.includes(name) ? name : otherwise);
  const one = choice("engine-1", "engine", engines, initial("bfs", puzzle.engines[0]));
  const other = choice("engine-2", "engine", engines, initial("astar", puzzle.engines[puzzle.engines.length - 1]));
  const boards = [...(puzzle.compared ? ["example"] : []), "here"].map((name) => [name, word(`compare.${name}`)]);
  const on = choice("compared", "board", boards, board);
  const example = ofPosition({ puzzle: puzzle.name, text: puzzle.compared }, theme, { alt: word("compare.example"), class: "example" });
  const at = () => (on.value === "example" ? { puzzle: puzzle.name, text: puzzle.compared } : position());
  const result = make("div");
  let abort = null;
  let timer = 0;
  const end = () => {
    abort?.abort();
    clearInterval(timer);
  };
  const compare = async () => {
    end();
    abort = new AbortController();
    result.replaceChildren(make("p", {}, word("searching")));
    const found = [];
    try {
      const request = { at: at(), engines: [one.value, other.value] };
      for await (const answer of answers("compare", request, abort.signal)) if (answer.engine) found.push(answer);
    } catch (fault) {
      if (fault.name !== "AbortError") result.replaceChildren(make("p", { class: "fault", role: "alert" }, textOf(fault, word)));
      return;
    }
    const charts = found.map(({ engine }) => chart(engine, word));
    const most = Math.max(...found.map(({ snapshots }) => snapshots[snapshots.length - 1].expanded));
    // The same scale for both.
    const wholes = found.map(({ snapshots }) => bars(snapshots, Infinity));
    const scale = {
      bounds: Math.max(...found.flatMap(({ snapshots }) => snapshots.map((snapshot) => snapshot.lower_bound ?? 0))) + 1,
      most: Math.max(1, ...wholes.flatMap((whole) => [...whole.values()])),
    };
    const scrub = make("input", { type: "range", min: 0, max: most, value: most, id: "expansions", "aria-label": word("expanded") });
    const draws = () => found.forEach((answer, index) => show(charts[index], answer, Number(scrub.value), scale));
    const play = () => {
      clearInterval(timer);
      if (isStill()) return;
      scrub.value = 0;
      timer = setInterval(() => {
        // As the boards come, so that those of an engine that needs few are seen.
        scrub.value = Number(scrub.value) + Math.max(1, Math.floor(scrub.value / 8));
        draws();
        if (Number(scrub.value) >= most || !find("expansions")) clearInterval(timer);
      }, 120);
    };
    scrub.addEventListener("input", () => {
      clearInterval(timer);
      draws();
    });
    const totals = word.line(found.map(({ engine, snapshots }) =>
      `${engine}: ${snapshots[snapshots.length - 1].expanded.toLocaleString()} ${word("states")}`).join("; "));
    result.replaceChildren(
      make("p", { id: "totals" }, make("b", {}, totals)), make("div", { class: "row" }, button(word("play"), play), scrub),
      make("p", { class: "small" }, word("compareAbout")), make("div", { class: "pair" }, ...charts.map((each) => each.element)),
    );
    draws();
    play();
  };
  const setBoard = () => {
    board = on.value;
    end();
    result.replaceChildren();
    example.hidden = board !== "example";
    if (board === "example") compare();
  };
  on.addEventListener("change", setBoard);
  element.replaceChildren(
    make("p", {}, word("compareText")),
    make("div", { class: "row" }, on, one, other, button(word("compare"), compare, { id: "run-compare" })), example, result,
  );
  setBoard();
  const moved = () => {
    if (board !== "here") return;
    end();
    result.replaceChildren();
  };
  return { end, moved };
};
