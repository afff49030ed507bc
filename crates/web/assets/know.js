// What is proved of a position: the fewest moves from it, and after each legal move.

import { answers } from "./api.js";

/** Whether what is known is the last word: the fewest moves, or that there is no plan. */
export const isProof = (known) => known !== null && (known.unsolvable || known.stopped === null);

/** Adds to what is known of a position; a proof stays. */
export const learn = (at, known) => {
  if (isProof(at.known)) return;
  const isMore = isProof(known) || !at.known || (known.lower_bound ?? 0) > (at.known.lower_bound ?? 0);
  if (isMore) at.known = known;
};

/** The proof that a shortest plan from a position has this number of moves. */
export const proved = (moves) => ({ moves, unsolvable: false, lower_bound: moves, stopped: null });

let running = null;

/** Stops to ask. */
export const stop = () => {
  running?.abort();
  running = null;
};

/** Asks about a position, unless all is known. `onChange` is called as answers come, with the progress. */
export const start = async (position, at, onChange) => {
  stop();
  if (at.isComplete || at.known?.unsolvable) return onChange(null);
  const abort = new AbortController();
  running = abort;
  try {
    const request = { at: position, only_after_moves: isProof(at.known) };
    for await (const answer of answers("know", request, abort.signal)) {
      if (answer.progress) onChange(answer.progress);
      else if (answer.move === undefined) learn(at, answer.known);
      else {
        at.after.set(answer.move, answer.known);
        const child = at.children.find(({ step }) => step.move === answer.move);
        if (child) learn(child, answer.known);
      }
      if (!answer.progress) onChange(null);
    }
    at.isComplete = isProof(at.known);
    onChange(null);
  } catch (fault) {
    if (fault.name !== "AbortError") onChange(null, fault);
  }
};
