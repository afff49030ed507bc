// Why there is no answer.

const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text from elsewhere, without what would turn the text around it. */
export const visible = (text) => text.replaceAll(control, (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`);

/** The most letters of a message; it may have those of a link. */
const MOST_LETTERS = 500;

/** An answer that refuses: a message, and perhaps a hint, a place in the text, or an option. */
export class Fault extends Error {
  constructor({ message, hint, line, column, option }) {
    super(visible(message.length > MOST_LETTERS ? `${message.slice(0, MOST_LETTERS)} …` : message));
    Object.assign(this, { hint, line, column, option });
  }
}

/**
 * Nobody answers: the server has ended, or the browser has ended the worker. `reason` is the word for it: also
 * `restarted`, if the page is from a server that was started again.
 */
export class Unanswered extends Error {
  constructor(reason = "lost") {
    super("the program does not answer");
    this.reason = reason;
  }
}

/** What is said of a fault. */
export const textOf = (fault, word) => (fault instanceof Unanswered ? word(fault.reason) : word.said(fault.message));
