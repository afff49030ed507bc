// Cards: boards to choose from, each with a small picture.

import { file } from "./api.js";
import { make } from "./dom.js";

const draws = new WeakMap(); // how to draw a picture that was not in view yet
const drawing = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    drawing.unobserve(target);
    draws.get(target)().then((address) => { target.src = address; }, () => {});
  }
}, { rootMargin: "200px" });

/** A picture of which `draw` promises the address when it comes into view. */
const lazyPicture = (draw) => {
  const image = make("img", { alt: "" });
  draws.set(image, draw);
  drawing.observe(image);
  return image;
};

/** A card with lines below its picture. */
export const card = (image, lines, onclick, properties = {}) =>
  make("button", { type: "button", class: "card", onclick, ...properties }, image, ...lines.filter(Boolean));

/** A picture that is there, as the program draws boards. */
export const inlinePicture = (svg) => {
  const image = make("span", { class: "image", "aria-hidden": "true" });
  image.innerHTML = svg;
  return image;
};

/** The picture of a position; of that before its first move if no instance starts there. */
export const ofPosition = (at, theme) => lazyPicture(async () => {
  const draw = (of) => file("draw", { at: of, format: "board", theme });
  const drawn = await draw(at).catch(() => draw({ ...at, moves: [] }));
  return `data:image/svg+xml,${encodeURIComponent(await drawn.text())}`;
});
