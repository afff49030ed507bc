// The moves that are left after each move of the line, as a curve that is a scrub bar.

import { draw } from "./dom.js";

const [WIDTH, HEIGHT, EDGE] = [400, 60, 4];

/** Draws the curve of a line into an element; nothing if fewer than two of its positions are known. */
export const showCurve = (element, line, current, label) => {
  const known = line.map(({ known }, index) => [index, known?.moves ?? null]).filter(([, moves]) => moves !== null);
  element.hidden = known.length < 2;
  if (element.hidden) return;
  const most = Math.max(...known.map(([, moves]) => moves), 1);
  const x = (index) => EDGE + index / (line.length - 1) * (WIDTH - 2 * EDGE);
  const y = (moves) => HEIGHT - EDGE - moves / most * (HEIGHT - 2 * EDGE);
  // Where a position is not known, the curve has a gap.
  const path = known.map(([index, moves], at) =>
    `${at > 0 && known[at - 1][0] === index - 1 ? "L" : "M"}${x(index).toFixed(1)} ${y(moves).toFixed(1)}`);
  const at = x(line.indexOf(current));
  element.replaceChildren(draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-label": label, role: "img" },
    draw("path", { d: path.join(""), class: "left" }), draw("path", { d: `M${at} 0V${HEIGHT}`, class: "now" })));
};

/** Calls `go` with the number of the move that is pointed at, as a share of the line. */
export const scrub = (element, go) => {
  const point = (event) => {
    const { left, width } = element.getBoundingClientRect();
    const share = ((event.clientX - left) / width * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    go(Math.min(Math.max(share, 0), 1));
  };
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    point(event);
  });
  element.addEventListener("pointermove", (event) => event.buttons > 0 && point(event));
};
