// Requests to the server.

/** Why a request has no answer: a message, and perhaps a hint, a place in the text, or an option. */
export class RequestError extends Error {
  constructor({ message, hint, line, column, option }) {
    super(message);
    Object.assign(this, { hint, line, column, option });
  }
}

const post = async (name, body, signal) => {
  const response = await fetch(`api/${name}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal,
  });
  if (!response.ok) throw new RequestError((await response.json()).error);
  return response;
};

export const catalog = async () => (await fetch("catalog")).json();

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
    const { done, value } = await reader.read();
    if (done) throw new RequestError({ message: "the answer is cut short" });
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const answer = JSON.parse(line);
      if (answer.end) return;
      if (answer.error) throw new RequestError(answer.error);
      yield answer;
    }
  }
}
