// The number that is dragged or typed → its words, numbers and prototypes.

import { isOffline, latest, messageIn } from "./ask.js";
import { Dial } from "./dial.js";
import { bars, glide, html, isStill } from "./draw.js";
import { roundedAt, squash, written } from "./scale.js";

const SHOWN_WORDS = 6; // in large type
const find = (id) => document.getElementById(id);

export function startNumber(about) {
  const input = find("numeral");
  const allWords = find("all-words");
  allWords.parentElement.hidden = isOffline;
  find("made-of").hidden = !about.prototypes.length;
  find("made-of-hint").textContent = madeOf(about.prototypes.length);
  let isTyped = false;
  let text = about.number;

  const request = latest("number", (answer) => {
    if (isTyped) dial.go(answer.value);
    isTyped = false;
    show(answer, dial, choose);
  }, messageIn("number-error"));
  const look = (number) => {
    text = number;
    request({ text, among: allWords.checked ? "all" : "common" });
  };
  const choose = (number) => {
    put(input, number);
    isTyped = true;
    look(number);
  };
  const dial = new Dial(find("dial"), about, (value) => {
    stop();
    put(input, written(value));
    look(String(value));
  });
  input.addEventListener("input", () => {
    stop();
    fit(input);
    isTyped = true;
    if (input.value.trim()) look(input.value);
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    dial.nudge(step);
  });
  allWords.addEventListener("change", () => look(text));

  const stop = arrive(about, dial, input, look);
}

// Glides the handle to the first number, so that one sees the words change.
function arrive(about, dial, input, look) {
  const value = Number(about.number);
  const [from, to] = [squash(isStill() ? value : Number(about.glide_from)), squash(value)];
  return glide(2200, (fraction) => {
    dial.value = from + (to - from) * fraction;
    dial.bringIntoView();
    const here = fraction === 1 ? value : roundedAt(dial.value, dial.step);
    put(input, written(here));
    dial.move();
    look(String(here));
  });
}

function put(input, text) {
  input.value = text;
  fit(input);
}

// Makes the type smaller the longer the number is.
function fit(input) {
  input.style.setProperty("--length", Math.max(4, input.value.length));
}

function show(answer, dial, choose) {
  const names = answer.words.slice(0, 3).map(({ token }) => token);
  dial.made(answer.value, answer.weights, `near ${names.join(", ")}`);
  find("seen").textContent = seen(answer);
  find("guess").hidden = answer.is_supported;
  find("near-words").replaceChildren(
    ...answer.words.slice(0, SHOWN_WORDS).map(({ token, similarity }) => {
      const word = html("span", {}, token);
      word.style.setProperty("--strength", similarity / (answer.words[0].similarity || 1));
      return word;
    }),
  );
  bars(find("word-bars"), answer.words.map(({ token, similarity }) => ({
    name: token,
    fraction: similarity,
    label: similarity.toFixed(2),
  })));
  bars(find("number-bars"), answer.numbers.map(({ token, similarity }) => ({
    name: written(Number(token)),
    fraction: similarity,
    label: similarity.toFixed(2),
    choose: () => choose(token),
  })));
  bars(find("weight-bars"), answer.weights.slice(0, 8).map(({ prototype, weight }) => ({
    name: written(Number(prototype.toPrecision(5))),
    fraction: weight,
    label: `${(100 * weight).toFixed(weight < 0.1 ? 1 : 0)} %`,
  })));
}

function madeOf(count) {
  if (count === 1) return "The model has learned one vector: all numbers share it.";
  return `The model has learned ${count} vectors for numbers, its prototypes; ` +
    "this number’s vector is their mean with these weights.";
}

function seen({ count, before, after }) {
  if (count === 1) return "once in the corpus";
  if (count) return `${count.toLocaleString("en-US")} times in the corpus`;
  const beside = [before, after].filter((value) => value !== null).map(written);
  return `not in the corpus${beside.length === 2 ? `; between ${beside.join(" and ")}` : ""}`;
}
