// Words → curves that say how similar each is to the numbers of the line.

import { latest, messageIn } from "./ask.js";
import { linePath, svg } from "./draw.js";
import { squash, tick, ticks } from "./scale.js";

const HEIGHT = 300;
const AXIS = 262;
const TOP = 34;
const HIGH = 0.72; // share of a curve's peak above which a word is at home
const find = (id) => document.getElementById(id);

export function startWords(about) {
  const input = find("compared");
  const whole = find("whole");
  let answer = null;
  const draw = () => answer && find("curves").replaceChildren(picture(answer, whole.getAttribute("aria-pressed") === "true"));
  const look = latest("curves", (found) => { answer = found; draw(); }, messageIn("words-error"));
  input.value = about.compared.join(" ");
  input.addEventListener("input", () => input.value.trim() && look({ words: input.value }));
  whole.addEventListener("click", () => {
    whole.setAttribute("aria-pressed", whole.getAttribute("aria-pressed") !== "true");
    draw();
  });
  addEventListener("resize", draw);
  look({ words: input.value });
}

// Where all words have their peaks, with room to both sides.
function homes({ values, curves }) {
  const places = values.map(squash);
  const found = curves.flatMap(({ similarities }) => {
    const highest = Math.max(...similarities);
    return places.filter((_, at) => similarities[at] >= HIGH * highest);
  });
  const [low, high] = [Math.min(...found), Math.max(...found)];
  const room = Math.max(0.15, 0.35 * (high - low));
  return [Math.max(places[0], low - room), Math.min(places[places.length - 1], high + room)];
}

function picture(answer, isWhole) {
  const width = Math.max(280, find("curves").clientWidth);
  const places = answer.values.map(squash);
  const [low, high] = isWhole ? [places[0], places[places.length - 1]] : homes(answer);
  const inside = places.map((place, at) => at).filter((at) => places[at] >= low && places[at] <= high);
  const all = answer.curves.flatMap(({ similarities }) => inside.map((at) => similarities[at]));
  const [least, most] = [Math.min(0, ...all), Math.max(0.05, ...all)];
  const x = (place) => ((place - low) / (high - low)) * width;
  const y = (similarity) => AXIS - ((similarity - least) / (most - least)) * (AXIS - TOP);
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT, role: "img", "aria-label": "Similarity of words along the number line" });
  for (const value of ticks(low, high, (62 * (high - low)) / width)) {
    const at = x(squash(value));
    drawn.append(svg("line", { class: "grid", x1: at, x2: at, y1: TOP, y2: AXIS }), svg("text", { class: "tick-text", x: at, y: AXIS + 24 }, tick(value)));
  }
  drawn.append(svg("line", { class: "axis", x1: 0, x2: width, y1: y(0), y2: y(0) }));
  const taken = [];
  answer.curves.forEach(({ word, similarities }, series) => {
    const points = inside.map((at) => [x(places[at]), y(similarities[at])]);
    drawn.append(svg("path", { class: `curve series-${series}`, d: linePath(points) }), label(word, series, points, width, taken));
  });
  return drawn;
}

// Above the peak; lower beside another label.
function label(word, series, points, width, taken) {
  const [peakX, peakY] = points.reduce((best, point) => (point[1] < best[1] ? point : best));
  const half = word.length * 4.6 + 8;
  const x = Math.min(width - half, Math.max(half, peakX));
  let y = peakY - 9;
  while (taken.some((other) => Math.abs(other.x - x) < half + other.half && Math.abs(other.y - y) < 19)) y -= 19;
  y = Math.max(14, y);
  taken.push({ x, y, half });
  return svg("text", { class: `name series-${series}`, x, y }, word);
}
