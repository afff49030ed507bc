// Requests to workers of the page, which have the solver as WebAssembly.

import { Fault, Unanswered } from "./fault.js";

/** A file that is part of the page, if all of it is one file. */
const embedded = (name) => document.querySelector(`script[data-file="${name}"]`)?.textContent;

const program = async () => {
  const packed = embedded("fewest.wasm");
  if (packed === undefined) return WebAssembly.compile(await (await fetch("fewest.wasm")).arrayBuffer());
  const letters = atob(packed);
  const bytes = new Uint8Array(letters.length);
  // Ten times as fast as `Uint8Array.from`, and nothing is shown before it ends.
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
};

const code = embedded("worker.js");
const address = code === undefined ? "worker.js" : URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
const compiled = program();
// Whoever asks is told.
compiled.catch(() => {});

/** Workers that answer one request at a time; there are never more of them than `most`. */
const lane = (most) => {
  const idle = [];
  const waiting = [];
  let busy = 0;
  const next = () => {
    if (waiting.length === 0 || busy === most) return;
    busy += 1;
    waiting.shift()(idle.pop() ?? new Worker(address));
  };
  return {
    enter: (signal) => new Promise((take, refuse) => {
      waiting.push(take);
      signal?.addEventListener("abort", () => {
        if (!waiting.includes(take)) return;
        waiting.splice(waiting.indexOf(take), 1);
        refuse(signal.reason);
      });
      next();
    }),
    /** Gives a worker back; `null` if it was ended. */
    leave: (worker) => {
      busy -= 1;
      if (worker) idle.push(worker);
      next();
    },
  };
};
// A request without a search waits for no search, and none waits for files; a small picture takes milliseconds. Each search may take half of what
// a phone gives a page.
const short = lane(1);
const drawing = lane(1);
const long = lane(2);

/** The memory of a worker does not shrink: one that has used more than this is not kept. */
const MOST_KEPT_BYTES = 2 ** 28;
/** The most letters of a request, as a server allows. */
const MOST_LETTERS = 2 ** 20;

/** The messages of a worker that answers a request. When the request is aborted, the worker is ended. */
async function* run(workers, name, request, signal) {
  const body = JSON.stringify(request);
  if (body.length > MOST_LETTERS) throw new Fault({ message: "at most 1 MiB" });
  const module = await compiled.catch(() => {
    throw new Unanswered();
  });
  signal?.throwIfAborted();
  const worker = await workers.enter(signal);
  const messages = [];
  let wake = () => {};
  const hear = (message) => {
    messages.push(message);
    wake();
  };
  worker.onmessage = ({ data }) => hear(data);
  worker.onerror = () => hear({ failed: true });
  const onAbort = () => wake();
  signal?.addEventListener("abort", onAbort);
  let isKept = true;
  try {
    signal?.throwIfAborted();
    isKept = false;
    worker.postMessage({ module, name, body });
    for (;;) {
      if (messages.length === 0) await new Promise((resolve) => { wake = resolve; });
      signal?.throwIfAborted();
      const message = messages.shift();
      if (message.failed) throw new Unanswered();
      if (message.end) {
        isKept = message.bytes <= MOST_KEPT_BYTES;
        return;
      }
      yield message;
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    if (!isKept) worker.terminate();
    workers.leave(isKept ? worker : null);
  }
}

const first = async (messages) => {
  let answer;
  for await (const message of messages) answer = message;
  const value = answer.file ? answer : JSON.parse(answer.part);
  if (value.error) throw new Fault(value.error);
  return value;
};

/** Where others find the page: nowhere, if it is a file. */
export const here = location.protocol.startsWith("http") ? location.href.split("#")[0] : null;

/** The word that says what limits a search. */
export const limits = "pageLimits";

export const catalog = async () => {
  const text = embedded("catalog.json");
  return text === undefined ? (await fetch("catalog.json")).json() : JSON.parse(text);
};

/** The answer to a request. */
export const ask = (name, body, signal) => first(run(short, name, body, signal));

/** The answer as a file. */
export const file = async (name, body) => {
  const { file: bytes, type } = await first(run(drawing, name, body));
  return new Blob([bytes], { type });
};

/** The answers to a request that needs a search, one after the other. */
export async function* answers(name, body, signal) {
  for await (const { part } of run(long, name, body, signal)) {
    const answer = JSON.parse(part);
    if (answer.error) throw new Fault(answer.error);
    yield answer;
  }
}
