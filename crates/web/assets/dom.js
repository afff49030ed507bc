// Elements.

export const find = (id) => document.getElementById(id);

/** An element with properties (those with a hyphen, `class` and `role` are attributes) and children. */
export const make = (name, properties = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "class" || key === "role" || key === "for") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children);
  return element;
};

/** An element of a picture. */
export const draw = (name, attributes = {}, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

/** A button with an action. */
export const button = (text, onclick, properties = {}) =>
  make("button", { type: "button", onclick, ...properties }, text);

/** Whether nothing is to move. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Lets an element show something while it is pointed at or has the focus. */
export const pointing = (element, show, hide) => {
  for (const event of ["pointerenter", "focus"]) element.addEventListener(event, show);
  for (const event of ["pointerleave", "blur"]) element.addEventListener(event, hide);
  return element;
};
