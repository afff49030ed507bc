// Cards: boards to choose from, each with a small picture, which is drawn when the card comes into view.

import { file, picture } from "./api.js";
import { make } from "./dom.js";

const drawing = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    drawing.unobserve(target);
    target.draw().then((address) => { target.firstElementChild.src = address; }, () => {});
  }
}, { rootMargin: "200px" });

/** A card with lines below its picture, of which `draw` promises the address. */
export const card = (draw, lines, onclick, properties = {}) => {
  const image = make("img", { alt: "", onload: () => performance.mark("picture") });
  const element = make("button", { type: "button", class: "card", onclick, ...properties }, image, ...lines.filter(Boolean));
  element.draw = draw;
  drawing.observe(element);
  return element;
};

/** The picture of a built-in instance. */
export const ofBuiltin = (puzzle, { names }, theme) => () => picture({ puzzle: puzzle.name, name: names[0], theme });

/** The picture of a position; of that before its first move if no instance starts there. */
export const ofPosition = (at, theme) => async () => {
  const draw = (of) => file("draw", { at: of, format: "board", theme });
  const drawn = await draw(at).catch(() => draw({ ...at, moves: [] }));
  return `data:image/svg+xml,${encodeURIComponent(await drawn.text())}`;
};
