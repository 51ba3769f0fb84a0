// Questions → answers, from the server or, in an exported page, from the data inside it.

import { offline } from "./offline.js";

const exported = document.getElementById("exported");
const answerOffline = exported ? offline(JSON.parse(exported.textContent)) : null;
export const isOffline = answerOffline !== null;

export async function ask(question, parameters = {}) {
  if (answerOffline) return answerOffline(question, parameters);
  let answer;
  try {
    answer = await fetch(`api/${question}?${new URLSearchParams(parameters)}`);
  } catch {
    throw new Error("The server does not answer. Is “numberline explore” still running?");
  }
  const nothing = { error: `The server answered ${answer.status}.` };
  const body = await answer.json().catch(() => nothing);
  if (!answer.ok) throw new Error(body.error);
  return body;
}

// Asks one question at a time; while it waits for the answer, it keeps only the latest other one.
export function latest(question, show, refuse) {
  let waiting = null;
  let isAsking = false;
  return async function request(next) {
    waiting = next;
    if (isAsking) return;
    isAsking = true;
    while (waiting) {
      const parameters = waiting;
      waiting = null;
      try {
        const answer = await ask(question, parameters);
        refuse("");
        show(answer, parameters);
      } catch (error) {
        refuse(error.message);
      }
    }
    isAsking = false;
  };
}

export const messageIn = (id) => {
  const element = document.getElementById(id);
  return (message) => { element.textContent = message; };
};
