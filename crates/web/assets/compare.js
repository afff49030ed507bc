// Two engines side by side on one board: which boards each expands, and how many at each lower bound, until it stops.

import { answers } from "./api.js";
import { button, draw, isStill, make } from "./dom.js";
import { textOf } from "./fault.js";

const WIDTH = 200;
/** The height of a row, and the most of all of them. */
const ROW = 12;
const HEIGHT = 400;

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
  const table = make("table");
  const picture = draw("svg", { class: "chart", role: "img", "aria-label": title });
  return { element: make("div", {}, make("h3", {}, title), board, table, picture), board, picture, table, word };
};

const show = (chart, { snapshots, boards, known }, expanded, { bounds, most }) => {
  const { board, picture, table, word } = chart;
  const shown = boards.findLast(([number]) => number <= Math.max(1, expanded)) ?? boards[0];
  if (chart.shown !== shown) board.innerHTML = shown?.[1] ?? "";
  chart.shown = shown;
  const last = snapshots[snapshots.length - 1];
  const [whole, made] = [bars(snapshots, last.expanded), bars(snapshots, expanded)];
  const row = Math.min(ROW, HEIGHT / bounds);
  const labelled = Math.ceil(ROW / row);
  picture.setAttribute("viewBox", `0 0 ${WIDTH} ${bounds * row}`);
  const rows = [];
  for (let bound = 0; bound < bounds; bound += 1) {
    const length = (of) => ((of.get(bound) ?? 0) / most) * (WIDTH - 20);
    const at = { x: 18, y: (bound + 0.1) * row, height: 0.8 * row };
    if (bound % labelled === 0) rows.push(draw("text", { x: 14, y: (bound + 0.5) * row }, String(bound)));
    rows.push(draw("rect", { class: "bar", ...at, width: length(whole) }));
    rows.push(draw("rect", { class: "done", ...at, width: length(made) }));
  }
  picture.replaceChildren(...rows);
  const reached = snapshots.findLast((one) => one.expanded <= expanded) ?? snapshots[0];
  const isDone = expanded >= last.expanded;
  const number = (value) => value?.toLocaleString() ?? "–";
  const cells = [
    ["expanded", number(Math.min(expanded, last.expanded))], ["generated", number(reached.generated)],
    ["duplicates", number(reached.duplicates)], ["bound", number(isDone ? last.lower_bound : reached.lower_bound)],
    ["answer", isDone ? (known.moves ?? word("unsolvable")) : "…"],
  ];
  table.replaceChildren(...cells.map(([name, value]) => make("tr", {}, make("td", {}, word(name)), make("td", {}, String(value)))));
};

let board = null; // the board that was chosen last: `example` or `here`
let chosen = ["bfs", "astar"]; // the engines that were chosen last

/**
 * The comparison of engines of a puzzle, which runs at once: on an example where a bound pays, or at the position that
 * `position()` is. Its controls are in `element`, and the boards in `pair`. Returns how to end it.
 */
export const comparison = (element, pair, { puzzle, word, position }) => {
  const choice = (id, label, values, initial) => {
    const select = make("select", { id, "aria-label": word(label), onchange: () => compare() });
    for (const [value, name] of values) select.append(new Option(name, value, false, value === initial));
    return select;
  };
  const nameOf = (engine) => word(`engine.${engine}`, engine);
  const engines = puzzle.engines.map((name) => [name, nameOf(name)]);
  const [one, other] = chosen.map((name, index) => choice(`engine-${index + 1}`, "engine", engines,
    puzzle.engines.includes(name) ? name : puzzle.engines[0]));
  const boards = [...(puzzle.compared ? ["example"] : []), "here"].map((name) => [name, word(`compare.${name}`)]);
  const on = choice("compared", "board", boards, board);
  const result = make("div");
  let abort = null;
  let timer = 0;
  const end = () => {
    abort?.abort();
    clearInterval(timer);
    pair.replaceChildren();
  };
  const compare = async () => {
    end();
    [board, chosen] = [on.value, [one.value, other.value]];
    const own = abort = new AbortController();
    result.replaceChildren(make("p", { role: "status" }, word("searching")));
    const found = [];
    try {
      const at = board === "example" ? { puzzle: puzzle.name, text: puzzle.compared } : position();
      for await (const answer of answers("compare", { at, engines: chosen }, own.signal)) if (answer.engine) found.push(answer);
    } catch (fault) {
      if (fault.name !== "AbortError") result.replaceChildren(make("p", { class: "fault", role: "alert" }, textOf(fault, word)));
      return;
    }
    const charts = found.map(({ engine }) => chart(nameOf(engine), word));
    const most = Math.max(...found.map(({ snapshots }) => snapshots[snapshots.length - 1].expanded));
    // The same scale for both.
    const wholes = found.map(({ snapshots }) => bars(snapshots, Infinity));
    const scale = {
      bounds: Math.max(...found.flatMap(({ snapshots }) => snapshots.map((snapshot) => snapshot.lower_bound ?? 0))) + 1,
      most: Math.max(1, ...wholes.flatMap((whole) => [...whole.values()])),
    };
    const scrub = make("input", { type: "range", min: 0, max: most, value: most, id: "expansions", "aria-label": word("expanded") });
    const draws = () => found.forEach((answer, index) => show(charts[index], answer, Number(scrub.value), scale));
    const stops = [...new Set(found.flatMap(({ boards }) => boards.map(([number]) => number)))].sort((least, greater) => least - greater);
    // From board to board, so that those of an engine that needs few are seen.
    const play = () => {
      clearInterval(timer);
      let at = 0;
      timer = setInterval(() => {
        scrub.value = at < stops.length ? stops[at] : most;
        draws();
        if (at === stops.length) clearInterval(timer);
        at += 1;
      }, 120);
    };
    scrub.addEventListener("input", () => {
      clearInterval(timer);
      draws();
    });
    const totals = word.line(found.map(({ engine, snapshots }) =>
      `${nameOf(engine)}: ${snapshots[snapshots.length - 1].expanded.toLocaleString()} ${word("states")}`).join("; "));
    result.replaceChildren(
      make("p", { id: "totals" }, make("b", {}, totals)), make("div", { class: "row" }, button(word("play"), play), scrub),
      make("p", { class: "small" }, word("compareAbout")),
    );
    pair.replaceChildren(...charts.map((each) => each.element));
    draws();
    if (!isStill()) play();
  };
  element.replaceChildren(make("div", { class: "row" }, on, one, other), result, make("p", { class: "small" }, word("compareText")));
  compare();
  return { end };
};
