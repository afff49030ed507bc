// Requests to the server that the page is from.

import { Fault, Unanswered } from "./fault.js";

const post = async (name, body, signal) => {
  const response = await fetch(`api/${name}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal,
  }).catch((fault) => {
    throw fault instanceof TypeError ? new Unanswered() : fault;
  });
  if (response.status === 403) throw new Unanswered("restarted");
  if (!response.ok) throw new Fault((await response.json()).error);
  return response;
};

/** Only this machine reaches the page, with a token that is not to be sent. */
export const here = null;

/** The word that says what limits a search. */
export const limits = "limits";

export const catalog = async () => (await fetch("catalog.json")).json();

/** The answer to a request. */
export const ask = async (name, body, signal) => (await post(name, body, signal)).json();

/** The answer as a file. */
export const file = async (name, body) => (await post(name, body)).blob();

/** The answers to a request that needs a search, one after the other. */
export async function* answers(name, body, signal) {
  const response = await post(name, body, signal);
  let rest = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((fault) => {
      throw fault instanceof TypeError ? new Unanswered() : fault;
    });
    if (done) throw new Fault({ message: "the answer is cut short" });
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const answer = JSON.parse(line);
      if (answer.end) return;
      if (answer.error) throw new Fault(answer.error);
      yield answer;
    }
  }
}
