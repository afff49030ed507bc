// The moves that were made, as a tree: going back and trying another move keeps both.

import { button, make, pointing } from "./dom.js";

let shown = []; // the moves in the element, and where it branches
let scrolledTo = null;

/** A position: after `step` from its parent. The first one has neither. */
export const node = (parent = null, step = null) =>
  ({ parent, step, children: [], moves: null, known: null, after: new Map(), plan: null });

/** The positions from the first one to this. */
export const pathTo = (at) => {
  const path = [];
  for (let one = at; one; one = one.parent) path.push(one);
  return path.reverse();
};

/** The path to a position and on along first children. */
export const lineThrough = (at) => {
  const line = pathTo(at);
  while (line[line.length - 1].children.length > 0) line.push(line[line.length - 1].children[0]);
  return line;
};

/** The position after a move, which is added if it is new. */
export const child = (at, step) => {
  const known = at.children.find((other) => other.step.move === step.move);
  if (known) return known;
  const added = node(at, step);
  added.known = at.after.get(step.move) ?? null;
  at.children.push(added);
  return added;
};

/**
 * What is known of a move, from what is known before and after it: `✓` if it keeps to a shortest plan, by how many
 * moves it is worse, a lower bound, that it is a dead end, or `…` as long as nothing is known.
 */
export const markOf = (before, after, word) => {
  if (before?.unsolvable) return "";
  if (!after) return "…";
  if (after.unsolvable) return word("deadEnd");
  if (after.moves === null) return `≥ ${after.lower_bound}`;
  if (before?.moves == null) return `→ ${after.moves}`;
  const lost = after.moves + 1 - before.moves;
  return lost === 0 ? "✓" : `+${lost}`;
};

/** Whether the move to a position keeps to a shortest plan; null if it is not known. */
export const keeps = ({ parent, known }) => {
  if (parent?.known?.moves == null || !known || known.moves === null && !known.unsolvable) return null;
  return known.moves === parent.known.moves - 1;
};

/** The positions from which no move was made. */
export const ends = (root) => {
  const found = [];
  each(root, (at) => { if (at.children.length === 0) found.push(at); });
  return found;
};

/** Calls `visit` with each position from this one on. */
export const each = (at, visit) => {
  for (const left = [at]; left.length > 0;) {
    const one = left.pop();
    visit(one);
    left.push(...one.children);
  }
};

/** Shows the tree; what is known of its moves is marked if there are words for it. Elements stay while they are true, so that a click does not miss one that was replaced. */
export const show = (element, root, current, word, go, preview) => {
  const move = (at, number) => {
    at.row ??= pointing(button(`${number} ${at.step.text}`, () => go(at)), () => preview(at.step), () => preview(null));
    const mark = word === null ? "" : markOf(at.parent.known, at.known, word);
    at.row.classList.toggle("best", mark === "✓");
    // Most moves of a plan are good: only the others say so.
    if (["", "…", "✓"].includes(mark)) delete at.row.dataset.mark;
    else at.row.dataset.mark = mark;
    at.row.title = mark === "✓" ? word("keeps") : "";
    if (at === current) at.row.setAttribute("aria-current", "step");
    else at.row.removeAttribute("aria-current");
    return at.row;
  };
  const shape = [];
  for (const left = [[root, 0]]; left.length > 0;) {
    const [from, number] = left.pop();
    for (const at of from.children) {
      shape.push(move(at, number + 1), from);
      left.push([at, number + 1]);
    }
  }
  const rows = (from) => {
    const items = [];
    for (let at = from; at.children.length > 0; at = at.children[0]) {
      const [first, ...others] = at.children;
      items.push(first.row, " ");
      for (const other of others) items.push(make("span", { class: "branch" }, other.row, " ", ...rows(other)));
    }
    return items;
  };
  if (shape.length !== shown.length || shape.some((one, index) => one !== shown[index])) {
    element.replaceChildren(...rows(root));
    shown = shape;
  }
  // Only the element is scrolled, and not the page, and only to another position.
  const marked = current.row ?? null;
  if (marked === scrolledTo) return;
  scrolledTo = marked;
  element.scrollTop = marked ? marked.offsetTop - element.offsetTop - element.clientHeight / 2 : 0;
};
