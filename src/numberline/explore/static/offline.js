// The data inside an exported page → answers like those of the server.
//
// The data are unit vectors of common words and of some thousand numbers of the line, as whole
// numbers up to 127, and the answers about the example sentences.

import { squash } from "./scale.js";

const NEAREST_WORDS = 8;
const NEAREST_NUMBERS = 8;
const STEPS = 80;
const LANDMARKS = 60;
const WHOLE_NUMBERS = 8; // as in line.py
const APART = 0.005; // on the squashed line, between two nearest numbers
const BINS = 200;
const USUAL_WORDS = 400; // as in landmarks.py
const COMMAND = "“numberline explore MODEL”";

export function offline(data) {
  const words = vectors(data.word_rows, data.about.dim);
  const numbers = vectors(data.number_rows, data.about.dim);
  const positions = data.values.map(squash);
  const answers = {
    about: () => data.about,
    map: () => data.map,
    number: ({ text }) => number(data, words, numbers, positions, text),
    line: ({ low, high }) => line(data, words, numbers, positions, low, high),
    curves: ({ words: text, low, high }) => curves(data, words, numbers, text, low, high),
    check: ({ text }) => present(data.checked[text]),
    expected: ({ text, start, end }) => present(data.expected[`${start} ${end} ${text}`]),
  };
  return async (question, parameters) => answers[question](parameters);
}

function present(answer) {
  if (!answer) throw new Error(`This page has the example sentences only; ${COMMAND} reads any.`);
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
  const indices = Array.from(similarities.keys());
  return indices.sort((one, other) => similarities[other] - similarities[one]).slice(0, count);
}

function nearestIndex(positions, position) {
  let [low, high] = [0, positions.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (positions[middle] <= position) low = middle;
    else high = middle;
  }
  return Math.abs(positions[low] - position) <= Math.abs(positions[high] - position) ? low : high;
}

// The nearest of the whole numbers or of those with decimals; of all, if there is none such.
function nearestOf(positions, alike, position) {
  const chosen = Array.from(positions.keys()).filter((at) => alike[at]);
  if (!chosen.length) return nearestIndex(positions, position);
  return chosen[nearestIndex(chosen.map((at) => positions[at]), position)];
}

function number(data, words, numbers, positions, text) {
  const value = Number(text.replaceAll(",", "").replace("−", "-").trim());
  if (text.trim() === "" || !Number.isFinite(value)) {
    throw new Error(`This page reads plain numbers such as 1,250.5; ${COMMAND} reads any format.`);
  }
  const alike = data.values.map((one) => Number.isInteger(one) === Number.isInteger(value));
  const at = nearestOf(positions, alike, squash(value));
  const toWords = words.map((row) => cosine(row, numbers[at]));
  const toNumbers = numbers.map((row) => cosine(row, numbers[at]));
  const apart = [at];
  for (const other of best(toNumbers, toNumbers.length)) {
    const isApart = (taken) => Math.abs(positions[taken] - positions[other]) > APART;
    const isFrequent = data.numbers[other].count >= data.least_count;
    if (isFrequent && apart.every(isApart)) apart.push(other);
    if (apart.length > NEAREST_NUMBERS) break;
  }
  return {
    ...data.numbers[at],
    value,
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

// Like Landmarks.along: words near the numbers of a stretch, each at its most similar number.
function line(data, words, numbers, positions, low, high) {
  const [from, to] = [squash(low), squash(high)];
  const isInside = (at) => positions[at] > from && positions[at] < to;
  const shown = stretch(data.values, low, high).filter(isInside);
  const shownPositions = shown.map((at) => positions[at]);
  const stops = shown.length ? Array.from({ length: STEPS }, (_, at) =>
    shown[nearestIndex(shownPositions, from + ((to - from) * at) / (STEPS - 1))]) : [];
  const distinct = [...new Set(stops)].filter((at) => data.numbers[at].is_supported);
  const nearest = new Map();
  for (const at of distinct) {
    const similarities = words.map((row) => cosine(row, numbers[at]));
    for (const word of best(similarities, 6)) {
      const similarity = similarities[word];
      if (similarity > (nearest.get(word)?.similarity ?? -1)) {
        nearest.set(word, { word: data.words[word], value: data.values[at], similarity });
      }
    }
  }
  const sorted = [...nearest.values()].sort((one, other) => other.similarity - one.similarity);
  const landmarks = sorted.slice(0, LANDMARKS);
  return { low, high, heights: heightsWithin(data, from, to), landmarks };
}

// The mean of the whole line's heights in each bin of a stretch.
function heightsWithin({ about, fine_heights: fine }, from, to) {
  const [first, last] = [squash(about.low), squash(about.high)];
  const index = (bin) => {
    const position = from + ((to - from) * bin) / BINS;
    return Math.max(0, ((position - first) / (last - first)) * fine.length);
  };
  return Array.from({ length: BINS }, (_, bin) => {
    const inside = fine.slice(Math.floor(index(bin)), Math.ceil(index(bin + 1)));
    return inside.reduce((sum, height) => sum + height, 0) / (inside.length || 1);
  });
}

// Like steps_between of line.py: whole numbers beyond ±1, if there are enough.
function stretch(values, low, high) {
  const inside = Array.from(values.keys()).filter((at) => values[at] >= low && values[at] <= high);
  if (Math.floor(high) - Math.ceil(low) + 1 < WHOLE_NUMBERS) return inside;
  return inside.filter((at) => Number.isInteger(values[at]) || Math.abs(values[at]) < 1);
}

// Like Landmarks.usual: between which similarities nine in ten of some common words are.
function usual(words, numbers) {
  const some = words.filter((_, at) => at % Math.max(1, Math.floor(words.length / USUAL_WORDS)) === 0);
  const rows = numbers.map((row) => Array.from(some, (word) => cosine(row, word)).sort((a, b) => a - b));
  const at = (fraction) => rows.map((row) => row[Math.round(fraction * (row.length - 1))]);
  return { low: at(0.05), high: at(0.95) };
}

function curves(data, words, numbers, text, low, high) {
  const inside = stretch(data.values, low, high);
  const compared = [...new Set(text.toLowerCase().split(/[\s,]+/).filter(Boolean))].slice(0, 6);
  const rows = compared.map((word) => {
    const at = data.words.indexOf(word);
    if (at < 0) throw new Error(`“${word}” is not among the words of this page.`);
    return { word, similarities: inside.map((index) => cosine(numbers[index], words[at])) };
  });
  return {
    values: inside.map((at) => data.values[at]),
    is_supported: inside.map((at) => data.numbers[at].is_supported),
    usual: usual(words, inside.map((at) => numbers[at])),
    curves: rows,
  };
}

