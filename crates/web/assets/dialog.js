// The one dialog of the page, and what its contents share.

import { button, find, make } from "./dom.js";

/** Shows a dialog; another one that is open is replaced. */
export const open = (title, word, ...content) => {
  const dialog = find("dialog");
  const heading = make("h2", { id: "dialog-title", tabIndex: -1 }, title);
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.replaceChildren(make("div", { class: "row top" }, heading, button(word("close"), close)), ...content);
  if (dialog.open) heading.focus();
  else dialog.showModal();
  dialog.scrollTop = 0;
};

export const close = () => find("dialog").close();

/** Saves a file. */
export const save = (name, blob) => {
  const link = make("a", { download: name, href: URL.createObjectURL(blob) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

export const copyButton = (word, text) => {
  const copy = button(word("copy"), async () => {
    try {
      await navigator.clipboard.writeText(text());
      copy.textContent = word("copied");
    } catch {
      // The text is selected, or can be.
    }
  });
  return copy;
};

/** Shows a link, or what to put behind the address of a page if no page is published. */
export const share = (page, packed, word) => {
  const address = `${page ?? ""}#${packed}`;
  const field = make("input", { type: "text", value: address, readOnly: true, size: 60, id: "share-address", "aria-label": word("share") });
  const about = make("p", {}, word(page ? "sharePage" : "shareAbout"));
  open(word("share"), word, about, make("p", { class: "row" }, field, copyButton(word, () => address)));
  field.select();
};
