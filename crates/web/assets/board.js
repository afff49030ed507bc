// The board that pieces are moved on: by mouse, touch and keyboard.
//
// A part follows the pointer along the paths of its legal moves. Where there is none, the program is asked for
// the move all the same, and says which rule forbids it.

import { draw, isStill } from "./dom.js";
import { boardOf } from "./player.js";

const letters = { ArrowUp: "N", ArrowRight: "E", ArrowDown: "S", ArrowLeft: "W" };
const shifts = { N: [-1, 0], E: [0, 1], S: [1, 0], W: [0, -1] };
/** How far, in cells, a pointer has to be dragged to mean a direction. */
const MEANT = 0.4;
/** How far, in cells, a pointer has to be ahead of a part that makes its move before the pointer is released. */
const AHEAD = 0.6;

/**
 * A board in an element, from its picture as the program draws it. `act` has:
 * - `make(step, isShown)`: makes a legal move, which the board may show already;
 * - `push(cell, path, label)`: asks for the move of the part on a cell, with its label; promises whether it is legal;
 * - `isStaging()`: whether pushes are collected for one move, whose number `onStaged(count)` is told;
 * - `settle()`: ends what moves, and brings back what has left;
 * - `inOrder(action)`: does something after what was asked for before, which `action` returns a promise of;
 * - `nameOf(label, row, column)`: the name of a part for those who do not see it;
 * - `stroke(cells)`: draws, while the board is edited, else null; and `onEdges()`: whether on edges.
 */
export const interactive = (element, picture, label, act) => {
  element.innerHTML = picture.svg;
  const svg = element.querySelector("svg");
  // Arrow keys are for the board, also if a screen reader has keys of its own.
  svg.setAttribute("role", "application");
  svg.setAttribute("aria-label", label);
  svg.setAttribute("tabindex", "-1");
  const board = boardOf(svg, picture.inks);
  const { origin, cell_width: width } = picture;
  const [marks, previewed, ended] = [draw("g", { class: "marks" }), draw("g", { class: "marks" }), draw("g", { class: "marks" })];
  svg.append(ended, marks, previewed);

  /** The upper left corner of a cell, and the cell of a corner, with rows and columns from 1. */
  const corner = ([row, column]) => [origin[0] + (column - 1) * width, origin[1] + (row - 1) * width];
  const cellAt = ([x, y]) => [Math.round((y - origin[1]) / width) + 1, Math.round((x - origin[0]) / width) + 1];
  const placeOf = (part) => {
    const { e, f } = board.parts[part].transform.baseVal[0].matrix;
    return [e, f];
  };
  const pointOf = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  };
  /** A step of the program as the player takes it. */
  const step = (answer) => {
    const motions = answer.motions.map(({ part, path, turns }) => [part, path.map(corner), turns]);
    return named({ move: answer.move, motions });
  };
  /** A step with its text on this board. */
  const named = (move) => {
    const text = textOf(move);
    return { ...move, text, caption: text };
  };

  let legal = []; // the legal moves, as steps
  let movers = new Set(); // the parts that could move last, also while the moves are not known
  const isMovable = (part) => board.parts[part].dataset.part !== "line";
  const labelOf = (part) => part.textContent.trim();
  const counts = new Map(); // how many parts have a label
  for (const part of board.parts.filter((_, number) => isMovable(number))) {
    counts.set(labelOf(part), (counts.get(labelOf(part)) ?? 0) + 1);
  }
  const setMoves = (moves) => {
    legal = moves;
    name();
    if (moves.length > 0) movers = new Set(moves.flatMap(({ motions }) => motions.map(([part]) => part)).filter(isMovable));
  };
  const movesOf = (part) => legal.flatMap((move) => {
    const motion = move.motions.find(([moved]) => moved === part);
    return motion ? [{ move, path: motion[1] }] : [];
  });
  board.parts.forEach((part, number) => {
    if (!isMovable(number)) return;
    part.setAttribute("tabindex", "0");
    part.setAttribute("role", "button");
    part.dataset.number = number;
    // A finger needs a whole cell.
    const box = part.getBBox();
    if (box.width < width && box.height < width) part.append(draw("rect", { class: "hit", width, height: width }));
  });
  /** Names each part by its label or colour and by its place. */
  const name = () => board.parts.forEach((part, number) => {
    if (!isMovable(number)) return;
    const [row, column] = cellAt(placeOf(number));
    part.setAttribute("aria-label", act.nameOf(part.textContent || part.getAttribute("class").split(" ")[0], row, column));
  });

  /** Asks for the move of a part. */
  const push = async (part, cell, letters) => {
    if (!await act.push(cell, letters, labelOf(board.parts[part]))) refuse(part, letters[letters.length - 1]);
  };

  // Pointers.
  let drag = null; // { part, home, grip, chosen, wanted }
  let pointer = null; // the pointer that draws or drags
  const nearest = (path, [x, y]) => {
    let best = null;
    for (let index = 0; index + 1 < path.length; index += 1) {
      const [[fromX, fromY], [toX, toY]] = [path[index], path[index + 1]];
      const [dx, dy] = [toX - fromX, toY - fromY];
      const along = Math.max(0, Math.min(1, ((x - fromX) * dx + (y - fromY) * dy) / (dx * dx + dy * dy)));
      const place = [fromX + along * dx, fromY + along * dy];
      const distance = Math.hypot(place[0] - x, place[1] - y);
      if (best === null || distance < best.distance - 1e-6) best = { distance, place, way: index + along };
    }
    return best;
  };
  const between = (path, share) => {
    const way = share * (path.length - 1);
    const [from, to] = [path[Math.floor(way)], path[Math.ceil(way)]];
    return [0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * (way % 1));
  };
  /** Shows a move as made to this share; its inks stay. */
  const showPart = (move, share) => {
    for (const [part, path] of move.motions) board.place(part, between(path, share));
  };
  const isHome = (place, home) => Math.hypot(place[0] - home[0], place[1] - home[1]) < 1e-6;
  const startDrag = (part, point) => {
    const home = placeOf(part);
    drag = { part, home, grip: [point[0] - home[0], point[1] - home[1]], chosen: null };
  };
  const dragTo = (point) => {
    const wanted = [point[0] - drag.grip[0], point[1] - drag.grip[1]];
    drag.wanted = wanted;
    let best = null;
    for (const { move, path } of movesOf(drag.part)) {
      const found = nearest(path, wanted);
      const isShorter = best && Math.abs(found.distance - best.distance) < 1e-6 && path.length < best.path.length;
      if (best === null || found.distance < best.distance - 1e-6 || isShorter) best = { ...found, move, path };
    }
    if (drag.chosen && drag.chosen.move !== best?.move) showPart(drag.chosen.move, 0);
    drag.chosen = best;
    if (!best) return;
    showPart(best.move, best.way / (best.path.length - 1));
    // A part that moves one cell at a time goes on while it is dragged.
    const isOfOneCell = movesOf(drag.part).every(({ path }) => path.length === 2);
    if (isOfOneCell && best.way === 1 && best.distance > AHEAD * width && !act.isStaging()) {
      const { part, grip } = drag;
      showPart(best.move, 1);
      act.make(best.move, true);
      drag = { part, home: best.path[1], grip, chosen: null };
    }
  };
  const direction = (part, [x, y], home) => {
    const [dx, dy] = [(x - home[0]) / width, (y - home[1]) / width];
    if (Math.max(Math.abs(dx), Math.abs(dy)) < MEANT) return null;
    return Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "E" : "W") : (dy > 0 ? "S" : "N");
  };
  const endDrag = () => {
    const { part, home, chosen, wanted } = drag;
    drag = null;
    const letter = wanted ? direction(part, wanted, home) : null;
    if (chosen) showPart(chosen.move, 0);
    if (letter && act.isStaging()) return stage(part, letter);
    // The end of a path that is nearest to where the part was dropped, or where it was.
    let best = { distance: chosen ? Math.hypot(chosen.place[0] - home[0], chosen.place[1] - home[1]) : 0, move: null };
    for (const { move, path } of chosen ? movesOf(part) : []) {
      const end = path[path.length - 1];
      const distance = Math.hypot(chosen.place[0] - end[0], chosen.place[1] - end[1]);
      if (distance < best.distance - 1e-6) best = { distance, move };
    }
    if (best.move) {
      showPart(best.move, 1);
      act.make(best.move, true);
    } else if (letter && (!chosen || isHome(chosen.place, home))) {
      push(part, cellAt(home), letter);
    }
  };
  const partOf = (event) => {
    const number = event.target.closest("[data-number]")?.dataset.number;
    return number === undefined ? null : Number(number);
  };
  let stroke = null; // the cells of a stroke, while the board is edited
  const strokeTo = (event) => {
    const [x, y] = pointOf(event);
    const cell = cellAt([x - width / 2, y - width / 2]);
    if (act.onEdges()) {
      // The nearest edge of the cell: towards the neighbour behind it.
      const [dx, dy] = [(x - corner(cell)[0]) / width - 0.5, (y - corner(cell)[1]) / width - 0.5];
      const shift = Math.abs(dx) > Math.abs(dy) ? [0, Math.sign(dx)] : [Math.sign(dy), 0];
      stroke = [cell, [cell[0] + shift[0], cell[1] + shift[1]]];
    } else if (stroke.length === 0) stroke.push(cell);
    else {
      // A fast pointer leaves out cells.
      for (;;) {
        const last = stroke[stroke.length - 1];
        const [down, right] = [cell[0] - last[0], cell[1] - last[1]];
        if (down === 0 && right === 0) break;
        stroke.push(Math.abs(down) > Math.abs(right) ? [last[0] + Math.sign(down), last[1]] : [last[0], last[1] + Math.sign(right)]);
      }
    }
    const middles = stroke.map((at) => corner(at).map((edge) => edge + width / 2));
    marks.replaceChildren(draw("path", { class: "stroke", d: `M${middles.map((at) => at.join(" ")).join("L")}l0.1 0` }));
  };
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || drag || stroke) return;
    if (act.stroke) {
      stroke = [];
      strokeTo(event);
    } else {
      const part = partOf(event);
      if (part === null) return;
      act.settle();
      startDrag(part, pointOf(event));
      board.parts[part].focus({ preventScroll: true });
    }
    event.preventDefault();
    pointer = event.pointerId;
    svg.setPointerCapture(pointer);
  });
  // A finger on a part does not scroll the page. Parts of a picture have no `touch-action`.
  svg.addEventListener("touchstart", (event) => {
    if (act.stroke || partOf(event) !== null) event.preventDefault();
  }, { passive: false });
  svg.addEventListener("pointermove", (event) => {
    if (event.pointerId !== pointer) return;
    if (stroke) strokeTo(event);
    else if (drag) dragTo(pointOf(event));
  });
  const release = (isMade) => {
    if (stroke) {
      const cells = stroke;
      stroke = null;
      marks.replaceChildren();
      if (isMade) act.stroke(cells);
    } else if (drag && isMade) endDrag();
    else if (drag) {
      if (drag.chosen) showPart(drag.chosen.move, 0);
      drag = null;
    }
  };
  svg.addEventListener("pointerup", (event) => event.pointerId === pointer && release(true));
  svg.addEventListener("pointercancel", (event) => event.pointerId === pointer && release(false));

  // Keys. With Shift, several arrows are one path, which is made when Shift is released.
  let path = null; // { part, cell, letters }
  const staged = new Map(); // the pushes of a move of several parts: part to { cell, path, home }
  const stage = (part, letter) => {
    const home = staged.get(part)?.home ?? placeOf(part);
    const [row, column] = cellAt(home);
    staged.set(part, { cell: [row, column], path: letter, home });
    board.place(part, corner([row + shifts[letter][0], column + shifts[letter][1]]));
    board.parts[part].classList.add("chosen");
    act.onStaged(staged.size);
  };
  /** The pushes of a move of several parts. */
  const pushes = () => [...staged.values()].map(({ cell, path: letter }) => ({ cell, path: letter }));
  /** Takes back what is not made. */
  const unstage = () => {
    if (path) board.place(path.part, corner(path.cell));
    path = null;
    for (const [part, { home }] of staged) {
      board.place(part, home);
      board.parts[part].classList.remove("chosen");
    }
    const wasStaged = staged.size > 0;
    staged.clear();
    if (wasStaged) act.onStaged(0);
  };
  const startsWith = (moved, letter) => {
    const [dx, dy] = [moved[1][0] - moved[0][0], moved[1][1] - moved[0][1]].map(Math.sign);
    return shifts[letter][0] === dy && shifts[letter][1] === dx;
  };
  const press = (event) => {
    const letter = letters[event.key];
    if (!letter || act.stroke || event.ctrlKey || event.metaKey || event.altKey) return false;
    const focused = partOf(event);
    const isFree = !event.target.closest("select, input, textarea, [role=tab]");
    const part = focused ?? (movers.size === 1 && isFree ? [...movers][0] : null);
    if (part === null) return false;
    event.preventDefault();
    if (act.isStaging()) {
      act.settle();
      stage(part, letter);
    } else if (event.shiftKey) {
      if (!path) act.settle();
      if (path?.part !== part) {
        if (path) board.place(path.part, corner(path.cell));
        path = { part, cell: cellAt(placeOf(part)), letters: "" };
      }
      path.letters += letter;
      const [row, column] = cellAt(placeOf(part));
      board.place(part, corner([row + shifts[letter][0], column + shifts[letter][1]]));
    } else {
      act.inOrder(() => {
        act.settle();
        const moves = movesOf(part).filter((one) => startsWith(one.path, letter));
        moves.sort((one, other) => one.path.length - other.path.length);
        if (moves.length === 0) return push(part, cellAt(placeOf(part)), letter);
        act.make(moves[0].move);
      });
    }
    return true;
  };
  const pressUp = (event) => {
    if (event.key !== "Shift" || !path) return;
    const { part, cell, letters: made } = path;
    path = null;
    board.place(part, corner(cell));
    push(part, cell, made);
  };

  /** The lines of a part on its way. */
  const arrow = (part, way, kind) => {
    const box = board.parts[part].firstElementChild.getBBox();
    const middles = way.map(([x, y]) => [x + box.x + box.width / 2, y + box.y + box.height / 2]);
    // From the front of the part, so that its label stays free, to where its front will be.
    const ahead = ([x, y], [toX, toY]) => [Math.sign(toX - x) * box.width / 2, Math.sign(toY - y) * box.height / 2];
    const end = middles.length - 1;
    const angle = Math.atan2(middles[end][1] - middles[end - 1][1], middles[end][0] - middles[end - 1][0]);
    const [atStart, atEnd] = [ahead(middles[0], middles[1]), ahead(middles[end - 1], middles[end])];
    const add = ([x, y], [right, down]) => [x + right, y + down];
    const points = [add(middles[0], atStart), ...middles.slice(1, end), add(middles[end], atEnd)];
    const last = points[end];
    const d = `M${points.map((at) => at.join(" ")).join("L")}`;
    const wing = (turn) => [0, 1].map((axis) =>
      last[axis] - 9 * (axis === 0 ? Math.cos(angle + turn) : Math.sin(angle + turn))).join(" ");
    const headed = `${d}M${wing(0.6)}L${last.join(" ")}L${wing(-0.6)}`;
    return [draw("path", { class: kind === "other" ? "thin" : "under", d: headed }), draw("path", { class: kind, d: headed })];
  };
  /** The parts that a move shows, with their ways: no pushed walls, and of an exchange only one direction. */
  const waysOf = ({ motions }) => motions.filter(([part, way], index) => isMovable(part)
    && !motions.slice(0, index).some(([, other]) => String(other) === String([...way].reverse())));
  const linesOf = (moves, kind) => moves.flatMap((move) => waysOf(move).flatMap(([part, way]) => arrow(part, way, kind)));
  /** Draws the legal moves: solid arrows keep to a shortest plan, dotted lines do not. */
  const mark = (keeping, others) => marks.replaceChildren(...linesOf(others, "other"), ...linesOf(keeping, "keeps"));
  /** Draws a move that is pointed at in a list; `null` if none is. */
  const preview = (move) => previewed.replaceChildren(...(move ? linesOf([move], "stroke") : []));
  /** A move in arrows, after the label of its part, with its row and column if others have the same. */
  const textOf = (move) => {
    const arrows = (way) => way.slice(1).map(([x, y], index) => {
      const [right, down] = [(x - way[index][0]) / width, (y - way[index][1]) / width];
      const glyph = right > 0 ? "→" : right < 0 ? "←" : down > 0 ? "↓" : "↑";
      return glyph.repeat(Math.round(Math.abs(right) + Math.abs(down)));
    }).join("");
    const told = ([part, way]) => {
      const label = labelOf(board.parts[part]);
      return [label, counts.get(label) === 1 ? "" : `(${cellAt(way[0]).join(",")})`, arrows(way)].filter(Boolean).join(" ");
    };
    return waysOf(move).map(told).join(", ") || move.move;
  };
  /** The part that has left the board, or that leaves it through the gap of its frame: its number, and how far. */
  const exit = () => {
    if (picture.exit) {
      const [part, letter] = picture.exit;
      const { width: right, height: down } = board.parts[part].firstElementChild.getBBox();
      return [part, [shifts[letter][1] * right, shifts[letter][0] * down]];
    }
    const isOutside = ([row, column]) => row < 1 || column < 1 || row > picture.size[0] || column > picture.size[1];
    const part = board.parts.findIndex((_, number) => isMovable(number) && isOutside(cellAt(placeOf(number))));
    return part < 0 ? null : [part, [0, 0]];
  };
  /** Lets a part leave the solved board. */
  const leave = () => {
    const found = leaving ? null : exit();
    if (!found) return;
    const [part, [right, down]] = found;
    const [x, y] = placeOf(part);
    const at = (share, opacity) => ({ transform: `translate(${x + share * right}px, ${y + share * down}px)`, opacity });
    leaving = board.parts[part].animate([at(0, 1), { ...at(1, 1), offset: 0.8 }, at(1, 0)],
      { duration: isStill() ? 0 : 900, easing: "ease-in", fill: "forwards" });
    svg.classList.toggle("leaving", picture.exit !== null);
    const box = board.parts[part].firstElementChild.getBBox();
    if (picture.exit) ended.replaceChildren(draw("path", { class: "done", d: "M-12 0l8 9l16 -18",
      transform: `translate(${x + box.x + box.width / 2} ${y + box.y + box.height / 2})` }));
  };
  let leaving = null; // the motion of the part that leaves
  const stay = () => {
    leaving?.cancel();
    leaving = null;
    svg.classList.remove("leaving");
    ended.replaceChildren();
  };
  /** Shows that a part cannot go in a direction. */
  const refuse = (part, letter) => {
    if (isStill()) return;
    const [down, right] = shifts[letter];
    board.parts[part].animate([{ translate: "0 0" }, { translate: `${4 * right}px ${4 * down}px` }, { translate: "0 0" }], 150);
  };
  const hint = (parts) => {
    board.parts.forEach((part, number) => part.classList.toggle("hinted", parts.includes(number)));
  };
  return { ...board, step, named, leave, stay, press, pressUp, mark, preview, hint, unstage, staged: pushes, isStaged: () => staged.size > 0, setMoves };
};
