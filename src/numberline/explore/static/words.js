// Words → curves of their similarity to the numbers of the line.

import { latest, messageIn } from "./ask.js";
import { level, linePath, svg, upright, write } from "./draw.js";
import { squash, tick, ticks } from "./scale.js";

const HEIGHT = 300;
const AXIS = 262;
const TOP = 34;
const find = (id) => document.getElementById(id);

export function startWords(about) {
  const input = find("compared");
  const whole = find("whole");
  let answer = null;
  let stretch = { low: about.window[0], high: about.window[1] };
  const isWhole = () => whole.getAttribute("aria-pressed") === "true";
  const draw = () => answer && find("curves").replaceChildren(picture(answer));
  const show = (curves) => {
    answer = curves;
    draw();
  };
  const look = latest("curves", show, messageIn("words-error"));
  const ask = () => {
    const { low, high } = isWhole() ? about : stretch;
    if (input.value.trim()) look({ words: input.value, low, high });
  };
  input.value = about.compared.join(" ");
  input.addEventListener("input", ask);
  whole.addEventListener("click", () => {
    whole.setAttribute("aria-pressed", !isWhole());
    ask();
  });
  // The curves show the same stretch of the line as the picture above.
  document.addEventListener("stretch", ({ detail }) => {
    stretch = detail;
    if (!isWhole()) ask();
  });
  addEventListener("resize", draw);
  ask();
}

function picture(answer) {
  const width = Math.max(280, find("curves").clientWidth);
  const positions = answer.values.map(squash);
  const [low, high] = [positions[0], positions[positions.length - 1]];
  const all = answer.curves.flatMap(({ similarities }) => similarities);
  const [least, most] = [Math.min(0, ...all), Math.max(0.05, ...all)];
  const x = (position) => ((position - low) / (high - low)) * width;
  const y = (similarity) => AXIS - ((similarity - least) / (most - least)) * (AXIS - TOP);
  const size = { viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT };
  const legend = "Similarity of words along the number line";
  const drawn = svg("svg", { ...size, role: "img", "aria-label": legend });
  for (const value of ticks(low, high, (62 * (high - low)) / width)) {
    const at = x(squash(value));
    drawn.append(upright("grid", at, TOP, AXIS), write("tick-text", at, AXIS + 24, tick(value)));
  }
  drawn.append(level("axis", 0, width, y(0)), write("legend", 0, y(0) - 6, "similarity 0"));
  const taken = [];
  answer.curves.forEach(({ word, similarities }, series) => {
    const points = positions.map((position, at) => [x(position), y(similarities[at])]);
    const curve = svg("path", { class: `curve series-${series}`, d: linePath(points) });
    drawn.append(curve, label(word, series, points, width, taken));
  });
  return drawn;
}

// Writes a word above the peak of its curve, higher if another label is there.
function label(word, series, points, width, taken) {
  const [peakX, peakY] = points.reduce((best, point) => (point[1] < best[1] ? point : best));
  const half = word.length * 4.6 + 8;
  const x = Math.min(width - half, Math.max(half, peakX));
  let y = peakY - 9;
  const meets = (other) =>
    Math.abs(other.x - x) < half + other.half && Math.abs(other.y - y) < 19;
  while (taken.some(meets)) y -= 19;
  y = Math.max(14, y);
  taken.push({ x, y, half });
  return svg("text", { class: `name series-${series}`, x, y }, word);
}
