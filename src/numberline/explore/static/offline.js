// The data inside an exported page → the answers that the server would give, as far as it goes.
//
// It holds unit vectors of common words and of some thousand numbers of the line, in whole numbers
// up to 127, and answers to the example sentences.

import { squash } from "./scale.js";

const NEAREST_WORDS = 8;
const NEAREST_NUMBERS = 8;
const STOPS = 80;
const LANDMARKS = 60;
const FEW = 8; // whole numbers, as in landmarks.py
const APART = 0.005;
const BINS = 200;
const COMMAND = "“numberline explore MODEL”";

export function offline(data) {
  const words = vectors(data.word_rows, data.about.dim);
  const numbers = vectors(data.number_rows, data.about.dim);
  const places = data.values.map(squash);
  const answers = {
    about: () => data.about,
    map: () => data.map,
    number: ({ text }) => number(data, words, numbers, places, text),
    line: ({ low, high }) => line(data, words, numbers, places, low, high),
    curves: ({ words: text, low, high }) => curves(data, words, numbers, text, low, high),
    check: ({ text }) => known(data.checked[text]),
    expected: ({ text, start, end }) => known(data.expected[`${start} ${end} ${text}`]),
  };
  return async (question, parameters) => answers[question](parameters);
}

function known(answer) {
  if (!answer) throw new Error(`This page holds the example sentences only; ${COMMAND} reads any.`);
  return answer;
}

function vectors(encoded, dim) {
  const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
  const whole = new Int8Array(bytes.buffer);
  const rows = [];
  for (let at = 0; at < whole.length; at += dim) {
    const row = Float32Array.from(whole.subarray(at, at + dim));
    const length = Math.hypot(...row) || 1;
    rows.push(row.map((value) => value / length));
  }
  return rows;
}

function cosine(first, second) {
  let sum = 0;
  for (let at = 0; at < first.length; at++) sum += first[at] * second[at];
  return sum;
}

function best(similarities, count) {
  const places = Array.from(similarities.keys());
  return places.sort((one, other) => similarities[other] - similarities[one]).slice(0, count);
}

function nearestPlace(places, place) {
  let [low, high] = [0, places.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (places[middle] <= place) low = middle;
    else high = middle;
  }
  return Math.abs(places[low] - place) <= Math.abs(places[high] - place) ? low : high;
}

// Among whole numbers or among those with decimals, as far as there are any.
function nearestOf(places, alike, place) {
  const chosen = Array.from(places.keys()).filter((at) => alike[at]);
  if (!chosen.length) return nearestPlace(places, place);
  return chosen[nearestPlace(chosen.map((at) => places[at]), place)];
}

function number(data, words, numbers, places, text) {
  const asked = Number(text.replaceAll(",", "").replace("−", "-").trim());
  if (text.trim() === "" || !Number.isFinite(asked)) {
    throw new Error(`This page reads plain numbers, as 1,250.5; ${COMMAND} reads any format.`);
  }
  const alike = data.values.map((value) => Number.isInteger(value) === Number.isInteger(asked));
  const at = nearestOf(places, alike, squash(asked));
  const toWords = words.map((row) => cosine(row, numbers[at]));
  const toNumbers = numbers.map((row) => cosine(row, numbers[at]));
  const apart = [at];
  for (const other of best(toNumbers, toNumbers.length)) {
    if (apart.every((taken) => Math.abs(places[taken] - places[other]) > APART)) apart.push(other);
    if (apart.length > NEAREST_NUMBERS) break;
  }
  return {
    ...data.numbers[at],
    value: asked,
    words: best(toWords, NEAREST_WORDS).map((word) => ({
      token: data.words[word],
      similarity: toWords[word],
    })),
    numbers: apart.slice(1).map((other) => ({
      token: String(data.values[other]),
      similarity: toNumbers[other],
    })),
  };
}

// As Landmarks.along: words near some number of the stretch, each where it is most similar.
function line(data, words, numbers, places, low, high) {
  const [from, to] = [squash(low), squash(high)];
  const shown = stretch(data.values, low, high).filter((at) => places[at] > from && places[at] < to);
  const shownPlaces = shown.map((at) => places[at]);
  const stops = shown.length ? Array.from({ length: STOPS }, (_, at) =>
    shown[nearestPlace(shownPlaces, from + ((to - from) * at) / (STOPS - 1))]) : [];
  const distinct = [...new Set(stops)];
  const found = new Map();
  for (const at of distinct) {
    const similarities = words.map((row) => cosine(row, numbers[at]));
    for (const word of best(similarities, 6)) {
      const similarity = similarities[word];
      if (similarity > (found.get(word)?.similarity ?? -1)) {
        found.set(word, { word: data.words[word], value: data.values[at], similarity });
      }
    }
  }
  const sorted = [...found.values()].sort((one, other) => other.similarity - one.similarity);
  const landmarks = sorted.slice(0, LANDMARKS);
  return { low, high, heights: heightsWithin(data, from, to), landmarks };
}

// The mean of the whole line's heights in each of the stretch's bins.
function heightsWithin({ about, fine_heights: fine }, from, to) {
  const [first, last] = [squash(about.low), squash(about.high)];
  const index = (bin) => {
    const place = from + ((to - from) * bin) / BINS;
    return Math.max(0, ((place - first) / (last - first)) * fine.length);
  };
  return Array.from({ length: BINS }, (_, bin) => {
    const inside = fine.slice(Math.floor(index(bin)), Math.ceil(index(bin + 1)));
    return inside.reduce((sum, height) => sum + height, 0) / (inside.length || 1);
  });
}

// As stretch of landmarks.py: whole numbers beyond ±1, where there are some.
function stretch(values, low, high) {
  const inside = Array.from(values.keys()).filter((at) => values[at] >= low && values[at] <= high);
  if (Math.floor(high) - Math.ceil(low) + 1 < FEW) return inside;
  return inside.filter((at) => Number.isInteger(values[at]) || Math.abs(values[at]) < 1);
}

function curves(data, words, numbers, text, low, high) {
  const inside = stretch(data.values, low, high);
  const asked = [...new Set(text.toLowerCase().split(/[\s,]+/).filter(Boolean))].slice(0, 6);
  const rows = asked.map((word) => {
    const at = data.words.indexOf(word);
    if (at < 0) throw new Error(`“${word}” is not among the words of this page.`);
    return { word, similarities: inside.map((place) => cosine(numbers[place], words[at])) };
  });
  return { values: inside.map((at) => data.values[at]), curves: rows };
}

