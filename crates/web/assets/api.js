// Questions to the program.

/** Why a question has no answer: a message, and perhaps a hint, a place in the text, or an option. */
export class Fault extends Error {
  constructor({ message, hint, line, column, option }) {
    super(message);
    Object.assign(this, { hint, line, column, option });
  }
}

const post = async (question, body, signal) => {
  const response = await fetch(`api/${question}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal,
  });
  if (!response.ok) throw new Fault((await response.json()).error);
  return response;
};

export const catalog = async () => (await fetch("catalog")).json();

/** The answer to a question. */
export const ask = async (question, body, signal) => (await post(question, body, signal)).json();

/** The answer as a file. */
export const file = async (question, body) => (await post(question, body)).blob();

/** The answers to a question that needs a search, one after the other. */
export async function* answers(question, body, signal) {
  const response = await post(question, body, signal);
  let rest = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
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
