// What is proved of a position: the fewest moves from it, and after each legal move.

import { answers } from "./api.js";

let running = null;

/** Stops to ask. */
export const stop = () => {
  running?.abort();
  running = null;
};

/** Asks about a position, unless all is known. `onChange` is called as answers come, with the progress. */
export const ask = async (position, at, onChange) => {
  stop();
  if (at.isComplete) return onChange(null);
  const abort = new AbortController();
  running = abort;
  try {
    for await (const answer of answers("know", { at: position }, abort.signal)) {
      if (answer.progress) onChange(answer.progress);
      else if (answer.move === undefined) at.known = answer.known;
      else {
        at.after.set(answer.move, answer.known);
        const child = at.children.find(({ step }) => step.move === answer.move);
        if (child) child.known ??= answer.known;
      }
      if (!answer.progress) onChange(null);
    }
    at.isComplete = at.known !== null && at.known.stopped === null;
    onChange(null);
  } catch (fault) {
    if (fault.name !== "AbortError") onChange(null, fault);
  }
};
