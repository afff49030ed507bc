// Cards: boards to choose from, each with a small picture, which is drawn when the card comes into view.

import { file, picture } from "./api.js";
import { make } from "./dom.js";

const drawing = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    drawing.unobserve(target);
    show(target);
  }
}, { rootMargin: "200px" });

const show = (element) => element.draw().then((address) => { element.firstElementChild.src = address; }, () => {});

/** A card with lines below its picture, of which `draw` promises the address; it is drawn at once if it `isSeen`. */
export const card = (draw, lines, onclick, properties = {}, isSeen = false) => {
  const image = make("img", { alt: "", onload: () => performance.mark("picture") });
  const element = make("button", { type: "button", class: "card", onclick, ...properties }, image, ...lines.filter(Boolean));
  element.draw = draw;
  if (isSeen) show(element);
  else drawing.observe(element);
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
