// The words of the page.

import { chinese } from "./chinese.js";

const en = {
  "klotski.about": "Slide pieces until some of them are at their goals: the layouts of Huarong Dao, and any board from a text",
  "halloween.about": "Bring every ghost to its goal; all can move at once, but not exchange cells",
  "wall-pusher.about": "Leave the maze; a wall can be pushed if no other one is behind it",
  "black-white.about": "Exchange neighbours until the board is as on the right",
  puzzle: "Puzzle", language: "Language", theme: "Colours", auto: "Auto", light: "Light", dark: "Dark",
  board: "Board", playTab: "Play", editTab: "Edit", compareTab: "Compare",
  startTitle: "Find the fewest moves", startAbout: "Play, and the page proves how many moves are needed, and shows a shortest plan.", goOn: "Go on",
  klotski: "Klotski", halloween: "Halloween", "wall-pusher": "Wall pusher", "black-white": "Black and white",
  texts: "Text and files", share: "Share", instances: "Instances", search: "Name, or number of moves", recent: "Recent",
  order: "Order", "order.listed": "In groups", "order.fewest": "Fewest moves first", "order.most": "Most moves first", unsolved: "Not solved yet", collection: "From a text", ownBoard: "Own board", "option.size": "Rows x columns",
  "group.classics": "Classics", "group.0-level": "No level domino", "group.1-level": "1 level domino", "group.2-level": "2 level dominoes",
  "group.3-level": "3 level dominoes", "group.4-level": "4 level dominoes", "group.5-level": "5 level dominoes",
  cutShort: "The line is kept as far as its moves are legal here; the whole of it is among the recent ones.", comma: ", ", kept: "What you have solved", exportKept: "Export", removeKept: "Remove all", removeSure: "Really remove all", menu: "More",
  undo: "Undo", redo: "Redo", hint: "Hint", solve: "Solve", step: "Make the step", together: "Move several at once",
  legal: "Legal moves", line: "Moves", place: "Line #, column #: ", cell: "row #, column #", black: "black", white: "white", hue4: "player", close: "Close", move: "move", moves: "moves", unsolvable: "unsolvable",
  noMoves: "No moves yet: drag a piece.", keysTitle: "Keys",
  keys: "Drag pieces, or choose one with Tab and move it with the arrow keys (with Shift, several arrows are one path). "
    + "U undoes, R redoes, H is a hint. Outside the board, arrows go back and forward, and Space plays.",
  solved: "Solved", searching: "Searching …", loading: "Loading …", stop: "Stop", atLeast: "at least", fewest: " # left; no plan is shorter",
  noPlan: "No plan exists from here: proved.", keeps: "keeps to a shortest plan", unexamined: "not examined yet", deadEnd: "dead end",
  in: " in #", end: " in #; the fewest is ##", endBest: " in #, the fewest", onward: "Next", worse: "# more than the fewest", wasted: "These moves did not help:",
  states: "states", more: "Not all are listed.", joint: "These are the moves of one ghost. Several can move at once; where no move here keeps to a shortest plan, a joint one does.", 
  hintPart: "The marked piece moves next.", hintMove: "Next:", hintPlan: "A shortest plan is among the moves.", notProved: "The plan that was found is not proved to be a shortest one:",
  plan: "A shortest plan of #", plans: "; there are # of them", onePlan: "; there is no other one", planLimit: "; the number of shortest plans is not known:",
  stopped: "The search was stopped:", limits: "the options time and memory of `fewest serve` set the limits",
  pageLimits: "this page searches for a minute, with 512 MiB; the programs have no such limits", proved: "It is proved that a plan has",
  memory: "out of memory", time: "out of time", interrupted: "the program ends", nothing: "Nothing found.", showBest: "Show which moves are good", 
  textOf: "The position as text", importText: "Read a text", read: "Read", choose: "Choose a file",
  drop: "Paste a board, many boards or the moves of a plan, choose a file, or drop one here.", download: "Download", asText: "Moves as text",
  asBoard: "Board as SVG", asStrip: "Moves as SVG", asGif: "Moves as GIF", asPage: "Moves as a page",
  copy: "Copy", lost: "The program does not answer.", restarted: "The program was started again: open the address that it has printed.",
  curve: "Moves left after each move", badSize: "Rows and columns, such as 5x4", copied: "Copied", shareAbout: "This has the board and all moves of the line. Put it behind the address of any copy of this page: a file, a web server, or `fewest serve`.",
  sharePage: "This opens the board and all moves of the line.", challenge: "Can you do it in #?",
  damaged: "This link is damaged, or of another version.", noSuch: "This link is of a puzzle that is not here.",
  text: "Text", scenario: "Scenario of a MovingAI map, if the text is one", agents: "Agents", size: "Rows x columns:", blank: "New board", brushes: "Brushes", format: "The format", 
  piece: "Piece", gap: "Gap", wall: "Wall", goal: "Goal", lock: "Lock", gate: "Gate", corridor: "Corridor", ghost: "Ghost", start: "Start",
  metric: "Moves", rectilinear: "rectilinear: any path", straight: "straight: one direction", unit: "unit: one cell", names: "Names",
  "compare.example": "An example", "compare.here": "This position",
  compareText: "Two engines on one board, step by step. The picture is a board that is expanded: its successors are generated. A row of the chart is a lower bound "
    + "on the number of moves; its bar is the number of states that are expanded until a greater bound is proved.",
  compareAbout: "The replay shows both searches after the same number of expanded states, and the bars of both have the same scale: what a good lower bound saves is the area that one chart lacks.",
  expandedBoard: "Expanded board", "engine.bfs": "breadth-first", "engine.bidirectional": "bidirectional", "engine.astar": "A*", "engine.idastar": "IDA*", play: "Replay", engine: "Engine", expanded: "expanded", generated: "generated", duplicates: "duplicates",
  bound: "lower bound", answer: "answer",
};

const languages = { en, zh: chinese.words };

/** The language that the browser asks for. */
export const preferred = navigator.language.startsWith("zh") ? "zh" : "en";

export const isLanguage = (name) => Object.hasOwn(languages, name);

/** Whether a text has Chinese. */
export const isHan = (text) => /\p{Script=Han}/u.test(text);

/**
 * The words of a language: a function of their keys, and of what is said without a word of its own. Its `said` is
 * for what the program says, which is English if there is no sentence for it, and its `line` for what the page has put
 * together; `names` has of names first one in this language, and then one in another, if there is one.
 */
export const wordsOf = (language) => Object.assign(
  (key, otherwise) => languages[language][key] ?? otherwise ?? en[key] ?? key,
  {
    said: language === "zh" ? chinese.said : (text) => text,
    line: (text) => (language === "zh" && isHan(text) ? chinese.line(text) : text),
    names: (names) => {
      const own = names.find((name) => isHan(name) === (language === "zh")) ?? names[0];
      return [own, names.find((name) => isHan(name) !== isHan(own))];
    },
  },
);
