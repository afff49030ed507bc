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

/** What is known of positions by their text and moves, also after another instance was shown. */
const memory = new Map();
const MOST_REMEMBERED = 2000;
const keyOf = ({ puzzle, options, text, moves }) => JSON.stringify([puzzle, options, text, moves]);

/** Adds what was known of a position before. */
export const recall = (position, at) => {
  const known = memory.get(keyOf(position));
  if (known === undefined || at.isComplete) return;
  if (known.known) learn(at, known.known);
  at.after = new Map([...known.after, ...at.after]);
  at.isComplete = known.isComplete;
};
const keep = (position, { known, after, isComplete }) => {
  memory.set(keyOf(position), { known, after, isComplete });
  if (memory.size > MOST_REMEMBERED) memory.delete(memory.keys().next().value);
};

let running = null;

/** Stops to ask. */
export const stop = () => {
  running?.abort();
  running = null;
};

/**
 * Asks about a position, unless all is known. `onChange` is called as answers come, with the progress. Returns
 * whether it came to an end.
 */
export const start = async (position, at, onChange) => {
  stop();
  if (at.isComplete || at.known?.unsolvable) {
    onChange(null);
    return true;
  }
  const abort = new AbortController();
  running = abort;
  try {
    const request = { at: position, about: isProof(at.known) ? "moves" : "all" };
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
    return true;
  } catch (fault) {
    if (fault.name !== "AbortError") onChange(null, fault);
    return false;
  } finally {
    keep(position, at);
  }
};

/** How long a line is examined, in milliseconds: it must not keep a phone busy. */
const LINE_TIME = 10_000;

/** Asks about each position of a line, until one is not proved within the limits. */
export const startLine = async (line, positionOf, onChange) => {
  const abort = new AbortController();
  running = abort;
  const timer = setTimeout(() => abort.abort(), LINE_TIME);
  const ask = async (at) => {
    if (isProof(at.known)) return true;
    const position = positionOf(at);
    for await (const { known } of answers("know", { at: position, about: "position" }, abort.signal)) if (known) learn(at, known);
    keep(position, at);
    onChange(null);
    return isProof(at.known);
  };
  try {
    const [first, last] = [line[0], line[line.length - 1]];
    if (!(await ask(first) && await ask(last))) return;
    // All positions of a shortest plan are as far as its moves say.
    const isShortest = last.known.moves === 0 && first.known.moves === line.length - 1;
    if (isShortest) line.forEach((at, index) => learn(at, proved(line.length - 1 - index)));
    for (const at of line) if (!(await ask(at))) return;
    onChange(null);
  } catch {
    // It is asked again where it is shown.
  } finally {
    clearTimeout(timer);
  }
};
